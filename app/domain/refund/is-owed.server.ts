import { sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";

/** Whether a sale's buyer asked for the money back and is to have it: by right, or since the seller granted it. */
export async function isOwed(tx: Db, saleId: string): Promise<boolean> {
  const rows = await tx.execute(sql`select 1 from refund_requests
    where sale_id = ${saleId}::uuid and (kind = 'right' or answer = 'granted') limit 1`);
  return rows.length > 0;
}
