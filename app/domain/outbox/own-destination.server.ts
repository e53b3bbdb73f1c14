import { and, eq, isNull, ne } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { destinations } from "#app/db/schema/outbox.server.ts";
import { notFound } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";

/** The two screens that destinations have: those of sellers' own addresses, and those of advertisers. */
export type Family = "webhook" | "pixel";

/** A family's destinations, as a condition. */
export function ofFamily(family: Family) {
  return family === "webhook" ? eq(destinations.kind, "webhook") : ne(destinations.kind, "webhook");
}

/** What a seller is told where there is none. */
export function missing(family: Family) {
  return notFound(family === "webhook" ? "Webhook não encontrado" : "Pixel não encontrado");
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
