import { and, desc, eq, isNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import type { MemberKind, StopReason } from "#app/db/schema/lists.ts";
import { destinations } from "#app/db/schema/outbox.server.ts";
import { versionOf } from "#app/db/version.server.ts";
import { type LastTried, lastTried } from "#app/domain/outbox/last-tried.server.ts";
import { areaOf } from "#app/domain/outbox/members/access.ts";
import type { MemberSettings } from "#app/domain/outbox/members/settings.ts";
import { missing, ofFamily } from "#app/domain/outbox/own-destination.server.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { maskSecret, unseal } from "#app/platform/secrets.server.ts";

/** A member area as its seller may see it: its token as a mask. */
export type ShownMemberArea = MemberSettings & {
  id: string;
  kind: MemberKind;
  name: string;
  token: string;
  /** Whether access ends when the money goes back. */
  revokes: boolean;
  productIds: number[] | null;
  stopped: StopReason | null;
  failing: boolean;
  last: LastTried | null;
  /** Of what its form shows. */
  version: string;
};

/** A seller's member areas, newest first. */
export async function listMemberAreas(sellerId: string): Promise<ShownMemberArea[]> {
  return (await select(sellerId).orderBy(desc(destinations.createdAt))).map(asShown);
}

/** @throws Refusal not-found */
export async function showMemberArea(sellerId: string, id: string): Promise<ShownMemberArea> {
  const [row] = isUuid(id) ? await select(sellerId, id) : [];
  if (!row) throw missing("members");
  return asShown(row);
}

/** Changes with whatever the form of a member area shows. */
export function memberVersion(row: typeof destinations.$inferSelect): string {
  const { name, events, productIds, tokenSealed } = row;
  const { area, withDocument, classes } = areaOf(row);
  const flat = classes.map(({ item, ids }) => `${item}:${ids.join(",")}`);
  return versionOf([name, area, withDocument, flat, events, productIds, tokenSealed]);
}

function select(sellerId: string, id?: string) {
  return db
    .select({ row: destinations, last: lastTried })
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

function asShown({ row, last }: Awaited<ReturnType<typeof select>>[number]): ShownMemberArea {
  const { id, kind, name, events, productIds, tokenSealed, stoppedAt, stoppedWhy, failingSince } = row;
  return {
    ...areaOf(row),
    id,
    // The condition left out all others.
    kind: kind as MemberKind,
    name,
    token: tokenSealed ? maskSecret(unseal(tokenSealed)) : "",
    revokes: events.includes("access.revoked"),
    productIds,
    stopped: stoppedAt && (stoppedWhy ?? "seller"),
    failing: failingSince !== null,
    last,
    version: memberVersion(row),
  };
}
