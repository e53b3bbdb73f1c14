import { type SQL, sql } from "drizzle-orm";

/** How many sellers are remembered. */
const MAX_REMEMBERED_SELLERS = 1000;

/**
 * Rotates between sellers: the one served longest ago is next, so that a seller with hundreds of rows does not delay others.
 * Each process remembers whom it served.
 */
export function sellerRotation() {
  // The most recent last.
  const served = new Set<string>();
  return {
    /** Sorts due rows, before their due time; they need a column `seller_id`. */
    orderBySeller: (): SQL =>
      sql`coalesce(array_position(${`{${[...served].join(",")}}`}::uuid[], seller_id), 0)`,
    /** Records the sellers of claimed rows. */
    markServed(rows: { sellerId: string }[]): void {
      for (const { sellerId } of rows) {
        served.delete(sellerId);
        served.add(sellerId);
      }
      for (const oldest of served) if (served.size > MAX_REMEMBERED_SELLERS) served.delete(oldest);
    },
  };
}
