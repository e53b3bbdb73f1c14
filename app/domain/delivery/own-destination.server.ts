import { and, inArray, isNull } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { ownById } from "#app/db/conditions.server.ts";
import { destinations } from "#app/db/schema/deliveries.server.ts";
import { kindsOf } from "#app/domain/delivery/destinations.server.ts";
import { FAMILY_TEXTS } from "#app/domain/delivery/family-texts.ts";
import type { DestinationRow, Family } from "#app/domain/delivery/kind.ts";
import { notFound } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";

/** A family's destinations, as a condition. */
export function ofFamily(family: Family) {
  return inArray(
    destinations.kind,
    kindsOf(family).map(({ id }) => id),
  );
}

/** The not-found message of a family. */
export function missing(family: Family) {
  return notFound(FAMILY_TEXTS[family].missing);
}

/** A seller's destination, locked. @throws Refusal not-found */
export async function ownDestination(
  tx: Tx,
  family: Family,
  sellerId: string,
  id: string,
): Promise<DestinationRow> {
  if (!isUuid(id)) throw missing(family);
  const [row] = await tx
    .select()
    .from(destinations)
    .where(and(ownById(destinations, sellerId, id), ofFamily(family), isNull(destinations.deletedAt)))
    .for("no key update");
  if (!row) throw missing(family);
  return row;
}
