import { and, asc, eq, isNull, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { destinations } from "#app/db/schema/deliveries.server.ts";
import { cademi } from "#app/domain/delivery/cademi/cademi.server.ts";
import { ga4 } from "#app/domain/delivery/ga4/ga4.server.ts";
import type { DestinationKind, Family, ListedKind } from "#app/domain/delivery/kind.ts";
import { kwai } from "#app/domain/delivery/kwai/kwai.server.ts";
import { memberkit } from "#app/domain/delivery/memberkit/memberkit.server.ts";
import { meta } from "#app/domain/delivery/meta/meta.server.ts";
import { tiktok } from "#app/domain/delivery/tiktok/tiktok.server.ts";
import { utmify } from "#app/domain/delivery/utmify/utmify.server.ts";
import { webhook } from "#app/domain/delivery/webhook/webhook.server.ts";
import { countFromZero } from "#app/platform/measure-call.server.ts";

/** Every kind of destination, each in a folder beside this file, in the order in which a seller sees them. */
export const DESTINATIONS = { webhook, meta, ga4, tiktok, kwai, cademi, memberkit, utmify };

const KINDS: (DestinationKind | ListedKind)[] = Object.values(DESTINATIONS);

for (const { service } of KINDS) countFromZero(service);

/** The kind of a row. @throws where it is none of ours */
export function kindOf(id: string): DestinationKind {
  return KINDS.find((kind) => kind.id === id) ?? unknown(id);
}

/** The same for one of a family. @throws where it is none of those */
export function listedKindOf(id: string): ListedKind {
  return KINDS.filter(isListed).find((kind) => kind.id === id) ?? unknown(id);
}

function unknown(id: string): never {
  throw new Error(`no kind of destination: ${id}`);
}

/** The kinds of one family. */
export function kindsOf(family: Family): ListedKind[] {
  return KINDS.filter(isListed).filter((kind) => kind.family === family);
}

function isListed(kind: DestinationKind | ListedKind): kind is ListedKind {
  return kind.family !== null;
}

/** The kinds for which something holds, as a list of SQL. */
export function kindsWhere(holds: (kind: DestinationKind) => boolean) {
  return sql.raw(`array[${KINDS.filter(holds).map(({ id }) => `'${id}'`)}]::text[]`);
}

/** The kinds with one record per order. */
export const ORDER_RECORD_KINDS = kindsWhere(({ orderRanks }) => orderRanks !== undefined);

/** The kinds that open access by e-mail: what they missed while they were stopped is recorded. */
export const ACCESS_KINDS = kindsWhere(({ recordsWhileStopped }) => recordsWhileStopped === true);

/** The names of a seller's destinations that choose this product, and of those that leave it out: of a copy they do neither. */
export async function listChoosing(
  sellerId: string,
  productId: number,
): Promise<{ choosing: string[]; leavingOut: string[] }> {
  const { productIds, exceptProductIds } = destinations;
  const isNamed = sql`${productId}::bigint = any(coalesce(${productIds}, ${exceptProductIds}))`;
  const rows = await db
    .select({ name: destinations.name, isChosen: sql<boolean>`${productIds} is not null` })
    .from(destinations)
    .where(and(eq(destinations.sellerId, sellerId), isNull(destinations.deletedAt), isNamed))
    .orderBy(asc(destinations.createdAt));
  const namesOf = (isChosen: boolean) => rows.flatMap((row) => (row.isChosen === isChosen ? [row.name] : []));
  return { choosing: namesOf(true), leavingOut: namesOf(false) };
}
