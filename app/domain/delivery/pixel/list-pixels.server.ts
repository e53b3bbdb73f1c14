import { and, desc, eq, isNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { destinations } from "#app/db/schema/deliveries.server.ts";
import type { DeliveryEvent, PixelKind, StopReason } from "#app/db/schema/lists.ts";
import { versionOf } from "#app/db/version.server.ts";
import { type LastAttempt, lastAttempt } from "#app/domain/delivery/last-attempt.server.ts";
import { missing, ofFamily } from "#app/domain/delivery/own-destination.server.ts";
import { pixelOf } from "#app/domain/delivery/pixel/pixel.ts";
import type { PixelSettings } from "#app/domain/delivery/pixel/settings.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { maskSecret, unseal } from "#app/platform/secrets.server.ts";

/** A pixel as its seller may see it, with its token masked. */
export type PixelView = PixelSettings & {
  id: string;
  kind: PixelKind;
  name: string;
  token: string;
  events: DeliveryEvent[];
  productIds: number[] | null;
  stopped: StopReason | null;
  failing: boolean;
  last: LastAttempt | null;
  /** The version of its form. */
  version: string;
};

/** A seller's pixels, newest first. */
export async function listPixels(sellerId: string): Promise<PixelView[]> {
  return (await select(sellerId).orderBy(desc(destinations.createdAt))).map(toPixelView);
}

/** @throws Refusal not-found */
export async function showPixel(sellerId: string, id: string): Promise<PixelView> {
  const [row] = isUuid(id) ? await select(sellerId, id) : [];
  if (!row) throw missing("pixel");
  return toPixelView(row);
}

/** Changes with anything that a pixel's form shows. */
export function pixelVersion(pixel: typeof destinations.$inferSelect): string {
  const { name, events, productIds, tokenSealed } = pixel;
  const { pixelId, countsPixSince } = pixelOf(pixel);
  return versionOf([name, pixelId, countsPixSince, events, productIds, tokenSealed]);
}

function select(sellerId: string, id?: string) {
  return db
    .select({ pixel: destinations, last: lastAttempt })
    .from(destinations)
    .where(
      and(
        eq(destinations.sellerId, sellerId),
        ofFamily("pixel"),
        isNull(destinations.deletedAt),
        id ? eq(destinations.id, id) : undefined,
      ),
    );
}

function toPixelView({ pixel, last }: Awaited<ReturnType<typeof select>>[number]): PixelView {
  const { id, kind, name, events, productIds, tokenSealed, stoppedAt, stoppedReason, failingSince } = pixel;
  return {
    ...pixelOf(pixel),
    id,
    // The query selects no other kind.
    kind: kind as PixelKind,
    name,
    token: tokenSealed ? maskSecret(unseal(tokenSealed)) : "",
    events,
    productIds,
    stopped: stoppedAt && (stoppedReason ?? "seller"),
    failing: failingSince !== null,
    last,
    version: pixelVersion(pixel),
  };
}
