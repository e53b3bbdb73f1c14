import { type SQL, sql } from "drizzle-orm";
import { reportsDb } from "#app/db/replica/read-clients.server.ts";
import { OTHER_CAMPAIGNS, splitBy } from "#app/db/schema/funnel.server.ts";
import { type Cte, Statement } from "#app/db/statement.server.ts";
import { countOrders, FIGURES } from "#app/domain/reports/funnel/count-orders.server.ts";
import {
  type FunnelCampaign,
  type FunnelFilter,
  hasViews,
  readFunnelCampaign,
} from "#app/domain/reports/funnel/funnel-filter.ts";
import {
  addNumbers,
  type FunnelCounts,
  type FunnelNumbers,
} from "#app/domain/reports/funnel/funnel-numbers.ts";
import type { Device } from "#app/kit/device.ts";

/** One line of a breakdown. */
export type FunnelLine<Key> = FunnelCounts & { key: Key };

/** A seller's funnel. */
export type Funnel = {
  total: FunnelNumbers;
  /** By device, regardless of the device filter; `unknown`: ordered by a program, or before devices were recorded. */
  byDevice: FunnelLine<Device | "unknown">[];
  /** The most viewed, regardless of the product or campaign filter. */
  byProduct: (FunnelLine<number> & { name: string })[];
  byCampaign: FunnelLine<FunnelCampaign>[];
  /** The first day (`2026-11-21`) with a view; null where there is none. */
  countedSince: string | null;
};

/** The most lines of a table that are fetched. */
const MAX_LINES = 50;

/**
 * A seller's funnel in one statement: the stored days, and days marked since counted from the sales. One statement reads
 * both in one snapshot. It reads the split that fits the filter, so it sums no more rows than it shows. Nothing is stored
 * by coupon or offer: their orders, which an index finds, are counted on each day.
 */
export async function readFunnel(sellerId: string, filter: FunnelFilter): Promise<Funnel> {
  const { productId, campaign, device, couponId, offerId } = filter;
  const withViews = hasViews(filter);
  const { first, last } = filter.period;
  const days = sql`seller_id = ${sellerId} and day between ${first}::date and ${last}::date`;
  const ofProduct = productId === null ? sql`` : sql` and product_id = ${productId}`;
  const ofCampaign = campaign === null ? sql`` : sql` and campaign = ${campaignKey(campaign)}`;
  const onDevice = sql` and device = ${device ?? ""}`;
  const by = { product: productId !== null, campaign: campaign !== null, device: device !== null };
  const groups = [
    splitQuery("device", FIGURES, sql`device`, { ...by, device: true }, sql`${ofProduct}${ofCampaign}`),
    splitQuery(
      "product",
      SHORT_FIGURES,
      sql`product_id::text`,
      { ...by, product: true },
      sql`${ofCampaign}${onDevice}`,
    ),
    splitQuery(
      "campaign",
      SHORT_FIGURES,
      sql`campaign`,
      { ...by, campaign: true },
      sql`${ofProduct}${onDevice}`,
    ),
  ];
  const countedDays = !withViews
    ? sql`(select ${sellerId}::uuid as seller_id, day::date as day from generate_series(${first}::date, ${last}::date, '1 day') as day)`
    : sql`(select distinct seller_id, day from funnel_marks where ${days})`;
  const ofCoupon = couponId ? sql` and s.coupon_id = ${couponId}` : sql``;
  const ofOffer = offerId ? sql` and s.offer_id = ${offerId}` : sql``;
  const statement = new Statement();
  const splits = [...new Set(groups.map(({ split }) => split))];
  const fresh = statement.add<CountedColumn>(
    "fresh",
    countOrders(countedDays, splits, sql`${ofCoupon}${ofOffer}`),
    "materialized",
  );
  const summed = statement.add<SummedColumn | "part" | "key">(
    "summed",
    sql.join(
      groups.map(({ query }) => query(fresh)),
      sql` union all `,
    ),
  );
  const numbered = statement.add(
    "numbered",
    sql`select part, key, ${ALL_SUMS}, row_number() over (partition by part order by sum(seen) + sum(pix) desc, key) as line
      from ${summed} group by part, key`,
  );
  const listed = statement.add(
    "listed",
    sql`select l.*, (select min(day)::text from funnel_views where seller_id = ${sellerId} and split = ${BY_DEVICE}) as since, (
        select p.name from products p
        where p.id = case l.part when 'product' then l.key::bigint end and p.seller_id = ${sellerId}) as name
      from ${numbered} l where line <= ${MAX_LINES}`,
  );
  const rows = await reportsDb.execute<Row>(statement.selectFrom(listed, sql`*`, sql`order by part, line`));
  return toFunnel(rows, device);

  /** Views and orders, each summed separately: `figures` of the orders only. */
  function splitQuery(
    part: string,
    figures: readonly string[],
    key: SQL,
    by: Parameters<typeof splitBy>[0],
    filterSql: SQL,
  ): { split: number; query: (fresh: Cte<CountedColumn>) => SQL } {
    const split = splitBy(by);
    const condition = sql`split = ${split} and ${days}${filterSql}`;
    const selection = sql`select ${part} as part, ${key} as key`;
    const sums = sql.raw(
      FIGURES.map(
        (name) => `${figures.includes(name) ? `sum(${name})::bigint` : "0::bigint"} as ${name}`,
      ).join(", "),
    );
    const zeroColumns = sql.raw(FIGURES.map((name) => `0::bigint as ${name}`).join(", "));
    const counted = (fresh: Cte<CountedColumn>) =>
      sql`${selection}, 0::bigint as seen, 0::bigint as begun, ${sums} from ${fresh} where ${condition} group by 2`;
    if (!withViews) return { split, query: counted };
    const query = (fresh: Cte<CountedColumn>) => sql`
      ${selection}, sum(seen)::bigint as seen, sum(begun)::bigint as begun, ${zeroColumns} from funnel_views where ${condition} group by 2
      union all ${selection}, 0, 0, ${sums} from funnel_orders where ${condition}
        and day <> all (array(select distinct day from funnel_marks where ${days})) group by 2
      union all ${counted(fresh)}`;
    return { split, query };
  }
}

/** The order columns in the tables of products and campaigns. */
const SHORT_FIGURES = ["pix", "paid", "upsells"];
const BY_DEVICE = splitBy({ device: true });
const ALL_SUMS = sql.raw(
  ["seen", "begun", ...FIGURES].map((name) => `sum(${name})::bigint as ${name}`).join(", "),
);

type Row = { part: string; key: string; name: string | null; since: string | null } & Record<
  SummedColumn,
  string
>;
/** What is read of the orders counted from sales. */
type CountedColumn = "split" | "day" | (typeof FIGURES)[number];
type SummedColumn = "seen" | "begun" | (typeof FIGURES)[number];

function campaignKey(campaign: FunnelCampaign): SQL {
  if (campaign === "others") return sql`${OTHER_CAMPAIGNS}`;
  return sql`jsonb_build_array(${campaign[0]}::text, ${campaign[1]}::text)::text`;
}

function toFunnel(rows: Row[], device: Device | null): Funnel {
  const rowsOf = (part: string) => rows.filter((row) => row.part === part);
  const devices = rowsOf("device");
  const selectedDevices = device === null ? devices : devices.filter(({ key }) => key === device);
  return {
    total: addNumbers(selectedDevices.map(toNumbers)),
    byDevice: devices.map((row) => ({ key: row.key as Device, ...toCounts(row) })),
    byProduct: rowsOf("product").map((row) => ({
      key: Number(row.key),
      name: row.name ?? "Produto excluído",
      ...toCounts(row),
    })),
    byCampaign: rowsOf("campaign").map((row) => ({
      key: readFunnelCampaign(row.key) ?? "others",
      ...toCounts(row),
    })),
    countedSince: rows[0]?.since ?? null,
  };
}

function toCounts(row: Row): FunnelCounts {
  const { seen, begun, pix, paid, upsells } = toNumbers(row);
  return { seen, begun, pix, paid, upsells };
}

/** Sums are returned as text, since they may exceed a number's range. */
function toNumbers(row: Row): FunnelNumbers {
  return {
    seen: Number(row.seen),
    begun: Number(row.begun),
    pix: Number(row.pix),
    paid: Number(row.paid),
    upsells: Number(row.upsells),
    upsellsPaid: Number(row.upsells_paid),
    reminded: Number(row.reminded),
    recovered: Number(row.recovered),
    recoveredCents: Number(row.recovered_cents),
    waits: [row.in2m, row.in5m, row.in15m, row.in1h, row.in1d, row.in_more].map(Number),
  };
}
