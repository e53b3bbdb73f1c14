import { and, desc, eq, isNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { destinations } from "#app/db/schema/deliveries.server.ts";
import type { MemberKind, StopReason } from "#app/db/schema/lists.ts";
import { versionOf } from "#app/db/version.server.ts";
import { type LastAttempt, lastAttempt } from "#app/domain/delivery/last-attempt.server.ts";
import { areaOf } from "#app/domain/delivery/member-area/access.ts";
import type { MemberSettings } from "#app/domain/delivery/member-area/settings.ts";
import { missing, ofFamily } from "#app/domain/delivery/own-destination.server.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { maskSecret, unseal } from "#app/platform/secrets.server.ts";

/** A member area as its seller may see it, with its token masked. */
export type MemberAreaView = MemberSettings & {
  id: string;
  kind: MemberKind;
  name: string;
  token: string;
  /** Whether access ends with a refund. */
  revokes: boolean;
  productIds: number[] | null;
  stopped: StopReason | null;
  failing: boolean;
  last: LastAttempt | null;
  /** The version of its form. */
  version: string;
};

/** A seller's member areas, newest first. */
export async function listMemberAreas(sellerId: string): Promise<MemberAreaView[]> {
  return (await select(sellerId).orderBy(desc(destinations.createdAt))).map(toMemberAreaView);
}

/** @throws Refusal not-found */
export async function showMemberArea(sellerId: string, id: string): Promise<MemberAreaView> {
  const [row] = isUuid(id) ? await select(sellerId, id) : [];
  if (!row) throw missing("members");
  return toMemberAreaView(row);
}

/** Changes with anything that a member area's form shows. */
export function memberVersion(row: typeof destinations.$inferSelect): string {
  const { name, events, productIds, tokenSealed } = row;
  const { area, withDocument, classes } = areaOf(row);
  const flat = classes.map(({ item, ids }) => `${item}:${ids.join(",")}`);
  return versionOf([name, area, withDocument, flat, events, productIds, tokenSealed]);
}

function select(sellerId: string, id?: string) {
  return db
    .select({ row: destinations, last: lastAttempt })
    .from(destinations)
    .where(
      and(
        eq(destinations.sellerId, sellerId),
        ofFamily("members"),
        isNull(destinations.deletedAt),
        id ? eq(destinations.id, id) : undefined,
      ),
    );
}

function toMemberAreaView({ row, last }: Awaited<ReturnType<typeof select>>[number]): MemberAreaView {
  const { id, kind, name, events, productIds, tokenSealed, stoppedAt, stoppedReason, failingSince } = row;
  return {
    ...areaOf(row),
    id,
    // The query selects no other kind.
    kind: kind as MemberKind,
    name,
    token: tokenSealed ? maskSecret(unseal(tokenSealed)) : "",
    revokes: events.includes("access.revoked"),
    productIds,
    stopped: stoppedAt && (stoppedReason ?? "seller"),
    failing: failingSince !== null,
    last,
    version: memberVersion(row),
  };
}
