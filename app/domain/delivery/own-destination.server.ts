import { and, eq, inArray, isNull } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { destinations } from "#app/db/schema/deliveries.server.ts";
import { type DestinationKind, MEMBER_KINDS, PIXEL_KINDS } from "#app/db/schema/lists.ts";
import { notFound } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";

/** The screens for destinations: webhooks, pixels, member areas. */
export type Family = "webhook" | "pixel" | "members";

const KINDS: Record<Family, readonly DestinationKind[]> = {
  webhook: ["webhook"],
  pixel: PIXEL_KINDS,
  members: MEMBER_KINDS,
};

/** A family's destinations, as a condition. */
export function ofFamily(family: Family) {
  return inArray(destinations.kind, KINDS[family]);
}

const FAMILIES = Object.keys(KINDS) as Family[];

/** The family of a kind; null where it has a screen of its own. */
export function familyOf(kind: DestinationKind): Family | null {
  return FAMILIES.find((family) => KINDS[family].includes(kind)) ?? null;
}

const MISSING = {
  webhook: "Webhook não encontrado",
  pixel: "Pixel não encontrado",
  members: "Área de membros não encontrada",
};

/** The not-found message of a family. */
export function missing(family: Family) {
  return notFound(MISSING[family]);
}

/** A seller's destination, locked. @throws Refusal not-found */
export async function ownDestination(tx: Tx, family: Family, sellerId: string, id: string) {
  if (!isUuid(id)) throw missing(family);
  const [row] = await tx
    .select()
    .from(destinations)
    .where(
      and(
        eq(destinations.id, id),
        eq(destinations.sellerId, sellerId),
        ofFamily(family),
        isNull(destinations.deletedAt),
      ),
    )
    .for("no key update");
  if (!row) throw missing(family);
  return row;
}
