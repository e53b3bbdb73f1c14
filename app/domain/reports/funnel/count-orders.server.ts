import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { CAMPAIGN_LENGTH, STORED_SPLITS } from "#app/db/schema/funnel.server.ts";
import { dayEnd, dayStart } from "#app/domain/reports/figures/figures.server.ts";

/** The numeric columns of `funnel_orders`, each with its condition on `o`. */
const FIGURE_CONDITIONS = {
  pix: "true",
  paid: "o.is_paid",
  upsells: "o.is_paid and o.took",
  upsells_paid: "o.is_paid and o.paid_upsell",
  reminded: "o.reminded_at is not null",
  recovered: "o.completed_at > o.reminded_at",
  in2m: "o.took_seconds < 120",
  in5m: "o.took_seconds >= 120 and o.took_seconds < 300",
  in15m: "o.took_seconds >= 300 and o.took_seconds < 900",
  in1h: "o.took_seconds >= 900 and o.took_seconds < 3600",
  in1d: "o.took_seconds >= 3600 and o.took_seconds < 86400",
  in_more: "o.took_seconds >= 86400",
} as const;

/** Every number of `funnel_orders`, in the order of its columns here. */
export const FIGURES = [
  ...(Object.keys(FIGURE_CONDITIONS) as (keyof typeof FIGURE_CONDITIONS)[]),
  "recovered_cents",
] as const;

const figureColumns = sql.raw(
  [
    ...Object.values(FIGURE_CONDITIONS).map((condition) => `(count(*) filter (where ${condition}))::int`),
    "coalesce(sum(o.amount_cents) filter (where o.completed_at > o.reminded_at), 0)::bigint",
  ]
    .map((count, at) => `${count} as ${FIGURES[at]}`)
    .join(", "),
);

/**
 * The orders of the days in `d` (seller_id, day), computed from the sales, in the columns of `funnel_orders` and by each
 * split. An order counts on the day it was placed, once it has a PIX; a later payment counts on that day too. Upsells are no
 * orders of their own: they count with the order after which they were accepted.
 * @param splits some of the splits (`splitBy`), all stored ones by default. Together they include each column
 * @param ofOrders a further condition on sales `s`
 */
export function countOrders(d: SQLWrapper, splits: number[] = STORED_SPLITS, ofOrders: SQL = sql``): SQL {
  return sql`
    select d.seller_id, g.split, d.day, g.product_id, g.campaign, g.device, ${sql.raw(FIGURES.map((name) => `g.${name}`).join(", "))}
    from ${d} d
    cross join lateral (
      select grouping(o.product_id, o.campaign, o.device) as split, coalesce(o.product_id, 0) as product_id,
        coalesce(o.campaign, '') as campaign, coalesce(o.device, '') as device, ${figureColumns}
      from (
        select s.product_id, coalesce(s.device, 'unknown') as device, s.amount_cents, s.completed_at,
          jsonb_build_array(left(nullif(s.utm_source, ''), ${sql.raw(String(CAMPAIGN_LENGTH))}), left(nullif(s.utm_campaign, ''), ${sql.raw(String(CAMPAIGN_LENGTH))}))::text as campaign,
          s.completed_at is not null as is_paid, a.took, a.paid_upsell, r.reminded_at,
          extract(epoch from s.completed_at - s.seen_at) as took_seconds
        from sales s
        cross join lateral (
          select count(*) filter (where a.completed_at is not null or exists (
              select from charges c where c.seller_id = a.seller_id and c.sale_id = a.id and c.provider_id is not null)) > 0 as took,
            count(a.completed_at) > 0 as paid_upsell
          from sales a where a.seller_id = s.seller_id and a.parent_sale_id = s.id
        ) a
        cross join lateral (
          select (
            select m.sent_at from mails m where m.seller_id = s.seller_id and m.sale_id = s.id and m.kind = 'reminder' and m.sent_at is not null
            order by m.created_at limit 1
          ) as reminded_at
        ) r
        where s.seller_id = d.seller_id and s.created_at >= ${dayStart} and s.created_at < ${dayEnd} and s.parent_sale_id is null${ofOrders}
          and (s.completed_at is not null
            or exists (select from charges c where c.seller_id = s.seller_id and c.sale_id = s.id and c.provider_id is not null))
      ) o
      group by grouping sets (${sql.raw(splits.map(groupingSet).join(", "))})
    ) g`;
}

/** What to group by, so that `grouping()` returns this split. */
function groupingSet(split: number): string {
  const columns = ["o.product_id", "o.campaign", "o.device"].filter((_, at) => (split & (4 >> at)) === 0);
  return `(${columns.join(", ")})`;
}
