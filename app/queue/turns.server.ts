import { type SQL, sql } from "drizzle-orm";

/** Sellers that are remembered. */
const MOST = 1000;

/**
 * Turns by seller for work whose rows are their own queue: whoever was served longest ago is next, so that a seller with
 * hundreds of rows keeps nobody else's waiting. Each process remembers whom it served.
 */
export function turnsBySeller() {
  // The latest last.
  const served = new Set<string>();
  return {
    /** What to order due rows by, before the moment they are due: they have a column `seller_id`. */
    order: (): SQL => sql`coalesce(array_position(${`{${[...served].join(",")}}`}::uuid[], seller_id), 0)`,
    /** Notes whose rows were taken. */
    took(rows: { sellerId: string }[]): void {
      for (const { sellerId } of rows) {
        served.delete(sellerId);
        served.add(sellerId);
      }
      for (const oldest of served) if (served.size > MOST) served.delete(oldest);
    },
  };
}
