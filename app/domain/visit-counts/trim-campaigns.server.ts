import { sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { NO_CAMPAIGN, OTHER_CAMPAIGNS, splitBy } from "#app/db/schema/funnel.server.ts";

/** Campaigns of a product per day that are counted by name: invented names cannot fill the table. */
export const MAX_CAMPAIGNS_PER_DAY = 50;

/** A product's day on which a campaign was first seen. */
export type CampaignDay = { seller_id: string; day: string; product_id: string; campaign: string };

/** The split whose rows name a product's campaigns, one each. */
export const BY_CAMPAIGN = splitBy({ product: true, campaign: true });
/** The other split by campaign, and how far the same split without the product is from each. */
const BY_CAMPAIGN_AND_DEVICE = splitBy({ product: true, campaign: true, device: true });
const WITHOUT_PRODUCT_OFFSET = splitBy({ campaign: true, device: true }) - BY_CAMPAIGN_AND_DEVICE;

/**
 * Leaves this many named campaigns on each of these days: those with orders first, then the most viewed, and of equal ones
 * the new one, so that invented names do not block real ones. The rest is moved to the shared row.
 */
export async function trimCampaigns(tx: Tx, named: CampaignDay[]): Promise<void> {
  const moved = await tx.execute<Record<string, unknown>>(sql`
    with named as (
      select * from jsonb_to_recordset(${JSON.stringify(named)}::text::jsonb) as n
        (seller_id uuid, day date, product_id bigint, campaign text)
    ), ranked as (
      select k.seller_id, k.day, k.product_id, k.campaign, row_number() over (
        partition by k.seller_id, k.day, k.product_id
        order by exists (
          select from funnel_orders o where o.seller_id = k.seller_id and o.split = ${BY_CAMPAIGN} and o.product_id = k.product_id
            and o.device = '' and o.day = k.day and o.campaign = k.campaign) desc,
          k.seen desc, n.campaign is null, k.campaign) as rank
      from (select distinct seller_id, day, product_id from named) d
      inner join funnel_views k on k.seller_id = d.seller_id and k.split = ${BY_CAMPAIGN} and k.product_id = d.product_id
        and k.device = '' and k.day = d.day and k.campaign not in (${NO_CAMPAIGN}, ${OTHER_CAMPAIGNS})
      left join named n on n.seller_id = k.seller_id and n.day = k.day and n.product_id = k.product_id
        and n.campaign = k.campaign
    )
    delete from funnel_views v using ranked r
    where r.rank > ${MAX_CAMPAIGNS_PER_DAY} and v.seller_id = r.seller_id and v.split in (${BY_CAMPAIGN}, ${BY_CAMPAIGN_AND_DEVICE})
      and v.product_id = r.product_id and v.day = r.day and v.campaign = r.campaign
    returning v.seller_id, v.split, v.day::text, v.product_id, v.campaign, v.device, v.seen, v.begun`);
  if (moved.length === 0) return;
  const rows = sql`jsonb_to_recordset(${JSON.stringify(moved)}::text::jsonb) as m
    (seller_id uuid, split int, day date, product_id bigint, campaign text, device text, seen int, begun int)`;
  await tx.execute(sql`
    update funnel_views v set seen = v.seen - m.seen, begun = v.begun - m.begun
    from (
      select seller_id, split + ${WITHOUT_PRODUCT_OFFSET} as split, day, campaign, device, sum(seen)::int as seen, sum(begun)::int as begun
      from ${rows} group by 1, 2, 3, 4, 5
    ) m
    where v.seller_id = m.seller_id and v.split = m.split and v.product_id = 0 and v.day = m.day
      and v.campaign = m.campaign and v.device = m.device`);
  await tx.execute(sql`
    delete from funnel_views v using ${rows}
    where v.seller_id = m.seller_id and v.split = m.split + ${WITHOUT_PRODUCT_OFFSET} and v.product_id = 0 and v.day = m.day
      and v.campaign = m.campaign and v.device = m.device and v.seen = 0 and v.begun = 0`);
  await tx.execute(sql`
    insert into funnel_views as v (seller_id, split, day, product_id, campaign, device, seen, begun)
    select seller_id, split + p.more, day, case p.more when 0 then product_id else 0 end, ${OTHER_CAMPAIGNS}, device,
      sum(seen)::int, sum(begun)::int
    from ${rows}, (values (0), (${WITHOUT_PRODUCT_OFFSET}::int)) as p (more)
    group by 1, 2, 3, 4, 6
    on conflict (seller_id, split, device, day, product_id, campaign)
      do update set seen = v.seen + excluded.seen, begun = v.begun + excluded.begun`);
}
