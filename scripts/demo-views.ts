import { sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";

/** Views of the demo's checkouts, in proportion to its orders: more per order from paid ads than from friends. */
export async function makeDemoViews(tx: Tx, sellerId: string): Promise<void> {
  await tx.execute(sql`
    insert into funnel_views (seller_id, split, day, product_id, campaign, device, seen, begun)
    select seller_id, grouping(product_id, campaign, device), day, coalesce(product_id, 0), coalesce(campaign, ''),
      coalesce(device, ''), sum(seen), sum(begun)
    from (
      select seller_id, (created_at at time zone 'America/Sao_Paulo')::date as day, product_id, device,
        jsonb_build_array(utm_source, utm_campaign)::text as campaign,
        case when utm_medium = 'cpc' then 14 else 6 end + extract(minute from created_at)::int % 9 as seen,
        2 + extract(minute from created_at)::int % 3 as begun
      from sales where seller_id = ${sellerId} and parent_sale_id is null
    ) s
    group by seller_id, day, cube (product_id, campaign, device)
    having grouping(product_id, campaign, device) < 7`);
}
