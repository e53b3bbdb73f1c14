import { sql } from "drizzle-orm";
import { batchDb } from "#app/db/client.server.ts";

/** The maximum of each count. */
const MAX_COUNTED = 1000;

/** What is pending in a shop that is to be closed: payable codes, and refund requests of buyers. */
export async function previewClosing(sellerId: string): Promise<{ payable: number; questions: number }> {
  const [row] = await batchDb.execute<{ payable: number; questions: number }>(sql`
    select (select count(*)::int from (
        select from sales s inner join charges c on c.seller_id = s.seller_id and c.sale_id = s.id
        where s.seller_id = ${sellerId} and s.status in ('pending', 'failed') and s.created_at > now() - interval '7 days'
          and c.status = 'open' and coalesce(c.expires_at, 'infinity') > now() limit ${MAX_COUNTED}) p) as payable,
      (select count(*)::int from (
        select from refund_requests r inner join sales s on s.id = r.sale_id
        where r.seller_id = ${sellerId} and r.answer is distinct from 'declined' and s.status = 'completed' limit ${MAX_COUNTED}) q) as questions`);
  return row!;
}
