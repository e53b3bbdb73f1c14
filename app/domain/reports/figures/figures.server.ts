import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { DIMENSIONS } from "#app/db/schema/reports.server.ts";
import { isPurchaseMailSql } from "#app/domain/reports/figures/purchase-mails.server.ts";

export type Dimension = (typeof DIMENSIONS)[number];

/**
 * The figures of the days in `d` (seller_id, day), computed from the sales: the one definition of every figure, in the
 * columns of `report_days`. A sale counts in `sold` on the São Paulo day it was completed, as long as it is still completed.
 */
export function figuresSql(dimension: Dimension, d: SQLWrapper): SQL {
  if (dimension === "all") return wholeDaySql(d);
  return dimension === "coupon" ? couponDaySql(d) : splitDaySql(dimension, d);
}

/** A sale's day runs from midnight to midnight in São Paulo, also where the clocks jump at midnight. */
export const dayStart = sql.raw("(d.day::timestamp at time zone 'America/Sao_Paulo')");
export const dayEnd = sql.raw("((d.day + 1)::timestamp at time zone 'America/Sao_Paulo')");

function wholeDaySql(d: SQLWrapper): SQL {
  return sql`
    select d.seller_id, d.day, 'all' as dimension, '' as key, c.created, c.converted, s.sold, s.revenue_cents, s.net_cents,
      s.fee_cents, s.without_fee, 0 as with_bump, 0 as upsells, 0 as discount_cents,
      m.mails, m.mails_sent, m.mails_failed, m.mail_attempts
    from ${d} d
    cross join lateral (
      select count(*)::int as created, (count(*) filter (where status = 'completed'))::int as converted
      from sales where seller_id = d.seller_id and created_at >= ${dayStart} and created_at < ${dayEnd}
    ) c
    cross join lateral (
      select count(*)::int as sold, coalesce(sum(amount_cents), 0)::bigint as revenue_cents,
        coalesce(sum(amount_cents - refunded_cents - coalesce(fee_cents, 0) + extra_net_cents), 0)::bigint as net_cents,
        coalesce(sum(coalesce(fee_cents, 0) + extra_fee_cents), 0)::bigint as fee_cents,
        (count(*) filter (where fee_cents is null and amount_cents > 0))::int as without_fee
      from sales where seller_id = d.seller_id and status = 'completed' and completed_at >= ${dayStart} and completed_at < ${dayEnd}
    ) s
    cross join lateral (
      select count(*)::int as mails, (count(*) filter (where status = 'sent'))::int as mails_sent,
        (count(*) filter (where status = 'failed'))::int as mails_failed, coalesce(sum(greatest(attempts, 1)), 0)::int as mail_attempts
      from mails where seller_id = d.seller_id and created_at >= ${dayStart} and created_at < ${dayEnd} and ${isPurchaseMailSql}
    ) m
    where c.created > 0 or s.sold > 0 or m.mails > 0`;
}

const DIMENSION_KEYS = {
  product: sql.raw("s.product_id::text"),
  campaign: sql.raw("jsonb_build_array(s.utm_source, s.utm_medium, s.utm_campaign)::text"),
  method: sql.raw("s.payment_method"),
  // '' stands for the products' own prices.
  offer: sql.raw("coalesce(s.offer_id::text, '')"),
};
const HAS_BUMP = sql.raw(
  "exists (select from sale_lines l where l.seller_id = s.seller_id and l.sale_id = s.id and l.kind = 'bump')",
);

function splitDaySql(dimension: keyof typeof DIMENSION_KEYS, d: SQLWrapper): SQL {
  const bumpCount = dimension === "product" ? sql`(count(*) filter (where ${HAS_BUMP}))::int` : sql.raw("0");
  // Grouped day by day, inside: joined to all days at once, Postgres would read all sales.
  return sql`
    select d.seller_id, d.day, ${sql.raw(`'${dimension}'`)} as dimension, g.key, 0 as created, 0 as converted,
      g.sold, g.revenue_cents, g.net_cents, 0 as fee_cents, 0 as without_fee, g.with_bump, g.upsells, 0 as discount_cents, 0 as mails, 0 as mails_sent, 0 as mails_failed, 0 as mail_attempts
    from ${d} d
    cross join lateral (
      select ${DIMENSION_KEYS[dimension]} as key, count(*)::int as sold, sum(s.amount_cents)::bigint as revenue_cents,
        sum(s.amount_cents - s.refunded_cents - coalesce(s.fee_cents, 0) + s.extra_net_cents)::bigint as net_cents,
        ${bumpCount} as with_bump, (count(*) filter (where s.parent_sale_id is not null))::int as upsells
      from sales s
      where s.seller_id = d.seller_id and s.status = 'completed' and s.completed_at >= ${dayStart} and s.completed_at < ${dayEnd}
      group by 1
    ) g`;
}

/** By the code as it was at the time of the order, also what was begun and never paid; '' stands for sales without one. */
function couponDaySql(d: SQLWrapper): SQL {
  return sql`
    select d.seller_id, d.day, 'coupon' as dimension, g.key, g.created, g.converted, g.sold, g.revenue_cents, g.net_cents,
      0 as fee_cents, 0 as without_fee, 0 as with_bump, g.upsells, g.discount_cents, 0 as mails, 0 as mails_sent, 0 as mails_failed, 0 as mail_attempts
    from ${d} d
    cross join lateral (
      select key, sum(created)::int as created, sum(converted)::int as converted, sum(sold)::int as sold,
        sum(revenue_cents)::bigint as revenue_cents, sum(net_cents)::bigint as net_cents, sum(upsells)::int as upsells,
        sum(discount_cents)::bigint as discount_cents
      from (
        select coalesce(coupon_code, '') as key, 1 as created, (status = 'completed')::int as converted, 0 as sold,
          0 as revenue_cents, 0 as net_cents, 0 as upsells, 0 as discount_cents
        from sales where seller_id = d.seller_id and created_at >= ${dayStart} and created_at < ${dayEnd}
        union all
        select coalesce(s.coupon_code, ''), 0, 0, 1, s.amount_cents,
          s.amount_cents - s.refunded_cents - coalesce(s.fee_cents, 0) + s.extra_net_cents,
          (s.parent_sale_id is not null)::int,
          case when s.coupon_code is null then 0
            else (select coalesce(sum(l.discount_cents), 0) from sale_lines l where l.seller_id = s.seller_id and l.sale_id = s.id) end
        from sales s
        where s.seller_id = d.seller_id and s.status = 'completed' and s.completed_at >= ${dayStart} and s.completed_at < ${dayEnd}
      ) counted group by key
    ) g`;
}
