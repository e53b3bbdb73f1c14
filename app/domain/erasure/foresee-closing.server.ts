import { sql } from "drizzle-orm";
import { adHoc } from "#app/db/client.server.ts";

/** So many are counted; a seller with more reads this number. */
const MOST = 1000;

/** What is under way in a shop that is to be closed: codes that can be paid, and money that buyers asked for. */
export async function foreseeClosing(sellerId: string): Promise<{ payable: number; questions: number }> {
  const [row] = await adHoc.execute<{ payable: number; questions: number }>(sql`
    select (select count(*)::int from (
        select from sales s inner join charges c on c.sale_id = s.id
        where s.seller_id = ${sellerId} and s.status in ('pending', 'failed') and s.created_at > now() - interval '7 days'
          and c.status = 'open' and coalesce(c.expires_at, 'infinity') > now() limit ${MOST}) p) as payable,
      (select count(*)::int from (
        select from refund_requests r inner join sales s on s.id = r.sale_id
        where r.seller_id = ${sellerId} and r.answer is distinct from 'declined' and s.status = 'completed' limit ${MOST}) q) as questions`);
  return row!;
}
