import { and, desc, eq, isNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import type { NewsEvent, PixelKind, StopReason } from "#app/db/schema/lists.ts";
import { destinations } from "#app/db/schema/outbox.server.ts";
import { versionOf } from "#app/db/version.server.ts";
import { type LastTried, lastTried } from "#app/domain/outbox/last-tried.server.ts";
import { missing, ofFamily } from "#app/domain/outbox/own-destination.server.ts";
import { pixelOf } from "#app/domain/outbox/pixel/pixel.ts";
import type { PixelSettings } from "#app/domain/outbox/pixel/settings.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { maskSecret, unseal } from "#app/platform/secrets.server.ts";

/** A pixel as its seller may see it: its token as a mask. */
export type ShownPixel = PixelSettings & {
  id: string;
  kind: PixelKind;
  name: string;
  token: string;
  events: NewsEvent[];
  productIds: number[] | null;
  stopped: StopReason | null;
  failing: boolean;
  last: LastTried | null;
  /** Of what its form shows. */
  version: string;
};

/** A seller's pixels, newest first. */
export async function listPixels(sellerId: string): Promise<ShownPixel[]> {
  return (await select(sellerId).orderBy(desc(destinations.createdAt))).map(asShown);
}

/** @throws Refusal not-found */
export async function showPixel(sellerId: string, id: string): Promise<ShownPixel> {
  const [row] = isUuid(id) ? await select(sellerId, id) : [];
  if (!row) throw missing("pixel");
  return asShown(row);
}

/** Changes with whatever the form of a pixel shows. */
export function pixelVersion(pixel: typeof destinations.$inferSelect): string {
  const { name, events, productIds, tokenSealed } = pixel;
  const { pixelId, countsPixSince } = pixelOf(pixel);
  return versionOf([name, pixelId, countsPixSince, events, productIds, tokenSealed]);
}

function select(sellerId: string, id?: string) {
  return db
    .select({ pixel: destinations, last: lastTried })
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

function asShown({ pixel, last }: Awaited<ReturnType<typeof select>>[number]): ShownPixel {
  const { id, kind, name, events, productIds, tokenSealed, stoppedAt, stoppedWhy, failingSince } = pixel;
  return {
    ...pixelOf(pixel),
    id,
    // The condition left out the only other one.
    kind: kind as PixelKind,
    name,
    token: tokenSealed ? maskSecret(unseal(tokenSealed)) : "",
    events,
    productIds,
    stopped: stoppedAt && (stoppedWhy ?? "seller"),
    failing: failingSince !== null,
    last,
    version: pixelVersion(pixel),
  };
}
