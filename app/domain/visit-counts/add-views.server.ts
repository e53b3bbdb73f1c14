import { sql } from "drizzle-orm";
import { batchDb } from "#app/db/client.server.ts";
import { NO_CAMPAIGN, NOT_SPLIT, OTHER_CAMPAIGNS } from "#app/db/schema/funnel.server.ts";
import type { Visit } from "#app/domain/visit-counts/read-visit.server.ts";
import {
  BY_CAMPAIGN,
  type CampaignDay,
  MAX_CAMPAIGNS_PER_DAY,
  trimCampaigns,
} from "#app/domain/visit-counts/trim-campaigns.server.ts";

/** How often a checkout was viewed and its form begun on a day (`2026-11-21`), by campaign and kind of device. */
export type ViewCount = Pick<Visit, "product" | "campaign" | "device"> & {
  day: string;
  seen: number;
  begun: number;
};

/**
 * Adds views to the stored counts, in one statement. Products that are not for sale are skipped. The largest campaigns of a
 * product's day are stored by name, the rest as one; an advisory lock stops two processes from exceeding that limit.
 */
export async function addViews(views: ViewCount[]): Promise<void> {
  const viewRows = views.map(({ product, campaign, ...rest }) => ({
    ...rest,
    ...product,
    ...(campaign === "others" ? { others: true } : { source: campaign[0], name: campaign[1] }),
  }));
  await batchDb.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('funnel-views', 0))`);
    const written = await tx.execute<CampaignDay & { split: number; is_new: boolean }>(sql`
      with sent as (
        select * from jsonb_to_recordset(${JSON.stringify(viewRows)}::text::jsonb) as v
          (day date, id bigint, slug text, source text, name text, others boolean, device text, seen int, begun int)
      ), found as (
        select p.seller_id, v.day, p.id as product_id, v.device, sum(v.seen) as seen, sum(v.begun) as begun,
          case when v.others then ${OTHER_CAMPAIGNS} else jsonb_build_array(v.source, v.name)::text end as campaign
        from sent v cross join lateral (
          select id, seller_id from products where id = v.id and deactivated_at is null and archived_at is null
          union all
          select id, seller_id from products
          where (seller_id, id) = (select seller_id, product_id from checkout_slugs where slug = v.slug)
            and deactivated_at is null and archived_at is null
        ) p
        group by p.seller_id, v.day, p.id, v.device, 7
      ), named as (
        select day, product_id, campaign, bool_or(is_known) as is_known,
          row_number() over (partition by day, product_id, bool_or(is_known) order by sum(seen) desc, campaign) as rank
        from (
          select *, exists (
            select from funnel_views k where k.seller_id = f.seller_id and k.split = ${BY_CAMPAIGN} and k.device = '' and k.day = f.day
              and k.product_id = f.product_id and k.campaign = f.campaign) as is_known
          from found f where campaign not in (${NO_CAMPAIGN}, ${OTHER_CAMPAIGNS})
        ) f group by day, product_id, campaign
      ), counted as (
        select f.seller_id, f.day, f.product_id, f.device, f.seen, f.begun,
          case when n.is_known or n.rank is null or n.rank <= ${MAX_CAMPAIGNS_PER_DAY} then f.campaign
            else ${OTHER_CAMPAIGNS} end as campaign
        from found f left join named n using (day, product_id, campaign)
      )
      insert into funnel_views as v (seller_id, split, day, product_id, campaign, device, seen, begun)
      select seller_id, grouping(product_id, campaign, device), day, coalesce(product_id, 0), coalesce(campaign, ''),
        coalesce(device, ''), sum(seen)::int, sum(begun)::int
      from counted
      group by seller_id, day, cube (product_id, campaign, device)
      having grouping(product_id, campaign, device) <> ${NOT_SPLIT}
      on conflict (seller_id, split, device, day, product_id, campaign)
        do update set seen = v.seen + excluded.seen, begun = v.begun + excluded.begun
      returning seller_id, split, day::text, product_id, campaign, xmax = 0 as is_new`);
    // Only a new name can exceed the limit.
    const named = written.filter(
      ({ split, is_new, campaign }) =>
        split === BY_CAMPAIGN && is_new && campaign !== NO_CAMPAIGN && campaign !== OTHER_CAMPAIGNS,
    );
    if (named.length > 0) await trimCampaigns(tx, named);
  });
}
