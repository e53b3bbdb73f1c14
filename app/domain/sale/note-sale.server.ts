import { sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import type { Cause } from "#app/db/schema/lists.ts";
import { saleEvents } from "#app/db/schema/sales.server.ts";
import type { SaleFact } from "#app/domain/sale/facts.ts";

/** Writes down a fact of a sale that does not change its state. */
export async function noteSale(
  tx: Db,
  saleId: string,
  { kind, data }: SaleFact,
  cause: Cause,
): Promise<void> {
  const sellerId = sql`(select seller_id from sales where id = ${saleId})`;
  await tx.insert(saleEvents).values({ saleId, sellerId, kind, data, cause });
}
