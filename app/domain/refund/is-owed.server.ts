import { sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { sellerOfSale } from "#app/db/conditions.server.ts";

/** Whether a sale's buyer requested a refund and is entitled to it: by right, or because the seller granted it. */
export async function isOwed(tx: Db, saleId: string): Promise<boolean> {
  const rows = await tx.execute(sql`select 1 from refund_requests
    where seller_id = ${sellerOfSale(saleId)} and sale_id = ${saleId}::uuid and (kind = 'right' or answer = 'granted') limit 1`);
  return rows.length > 0;
}
