import { type SQL, sql } from "drizzle-orm";
import { adHoc } from "#app/db/client.server.ts";
import { OTHER_CAMPAIGNS, splitBy } from "#app/db/schema/funnel.server.ts";
import { countOrders, FIGURES } from "#app/domain/reports/funnel/count-orders.server.ts";
import {
  type FunnelCampaign,
  type FunnelFilter,
  readFunnelCampaign,
} from "#app/domain/reports/funnel/funnel-filter.ts";
import {
  addNumbers,
  type FunnelCounts,
  type FunnelNumbers,
} from "#app/domain/reports/funnel/funnel-numbers.ts";
import type { Device } from "#app/kit/device.ts";

/** One line of a split table. */
export type FunnelPart<Key> = FunnelCounts & { key: Key };

/** What a seller's funnel shows. */
export type Funnel = {
  total: FunnelNumbers;
  /** On what buyers came, whatever device is asked for; `unknown`: ordered by a program, or before devices were counted. */
  byDevice: FunnelPart<Device | "unknown">[];
  /** Those most seen, whatever product, or campaign, is asked for. */
  byProduct: (FunnelPart<number> & { name: string })[];
  byCampaign: FunnelPart<FunnelCampaign>[];
  /** The first day (`2026-11-21`) on which anybody was seen; null where nobody was. */
  countedSince: string | null;
};

/** Lines of a table that are fetched at most. */
const SHOWN = 50;

/**
 * A seller's funnel in one statement: the kept days, and days marked since counted from the sales. One statement sees
 * both at one moment. It reads the split that fits what is asked for, so it adds up no more than it shows.
 */
export async function readFunnel(sellerId: string, filter: FunnelFilter): Promise<Funnel> {
  const { productId, campaign, device } = filter;
  const { first, last } = filter.period;
  const days = sql`seller_id = ${sellerId} and day between ${first}::date and ${last}::date`;
  const ofProduct = productId === null ? sql`` : sql` and product_id = ${productId}`;
  const ofCampaign = campaign === null ? sql`` : sql` and campaign = ${keyOf(campaign)}`;
  const onDevice = sql` and device = ${device ?? ""}`;
  const by = { product: productId !== null, campaign: campaign !== null, device: device !== null };
  const groups = [
    group("device", FIGURES, sql`device`, { ...by, device: true }, sql`${ofProduct}${ofCampaign}`),
    group("product", SHORT, sql`product_id::text`, { ...by, product: true }, sql`${ofCampaign}${onDevice}`),
    group("campaign", SHORT, sql`campaign`, { ...by, campaign: true }, sql`${ofProduct}${onDevice}`),
  ];
  const marked = sql`(select distinct seller_id, day from funnel_marks where ${days})`;
  const rows = await adHoc.execute<Row>(sql`
    with fresh as materialized (${countOrders(marked, [...new Set(groups.map(({ split }) => split))])}),
    summed as (${sql.join(
      groups.map(({ query }) => query),
      sql` union all `,
    )}),
    listed as (
      select part, key, ${ALL_SUMS}, row_number() over (partition by part order by sum(seen) + sum(pix) desc, key) as line
      from summed group by part, key
    )
    select l.*, (select min(day)::text from funnel_views where seller_id = ${sellerId} and split = ${BY_DEVICE}) as since, (
        select p.name from products p
        where p.id = case l.part when 'product' then l.key::bigint end and p.seller_id = ${sellerId}) as name
    from listed l where line <= ${SHOWN} order by part, line`);
  return toFunnel(rows, device);

  /** What was seen and what became of orders, each added up by itself: `figures` of the orders, nothing of the others. */
  function group(
    part: string,
    figures: readonly string[],
    key: SQL,
    by: Parameters<typeof splitBy>[0],
    which: SQL,
  ): { split: number; query: SQL } {
    const split = splitBy(by);
    const here = sql`split = ${split} and ${days}${which}`;
    const of = sql`select ${part} as part, ${key} as key`;
    const sums = sql.raw(
      FIGURES.map((name) => (figures.includes(name) ? `sum(${name})::bigint` : "0::bigint")).join(", "),
    );
    const none = sql.raw(FIGURES.map((name) => `0::bigint as ${name}`).join(", "));
    const query = sql`
      ${of}, sum(seen)::bigint as seen, sum(begun)::bigint as begun, ${none} from funnel_views where ${here} group by 2
      union all ${of}, 0, 0, ${sums} from funnel_orders where ${here}
        and day <> all (array(select distinct day from funnel_marks where ${days})) group by 2
      union all ${of}, 0, 0, ${sums} from fresh where ${here} group by 2`;
    return { split, query };
  }
}

/** What tables of products and campaigns show of the orders. */
const SHORT = ["pix", "paid", "offers"];
const BY_DEVICE = splitBy({ device: true });
const ALL_SUMS = sql.raw(
  ["seen", "begun", ...FIGURES].map((name) => `sum(${name})::bigint as ${name}`).join(", "),
);

type Row = { part: string; key: string; name: string | null; since: string | null } & Record<Summed, string>;
type Summed = "seen" | "begun" | (typeof FIGURES)[number];

function keyOf(campaign: FunnelCampaign): SQL {
  if (campaign === "others") return sql`${OTHER_CAMPAIGNS}`;
  return sql`jsonb_build_array(${campaign[0]}::text, ${campaign[1]}::text)::text`;
}

function toFunnel(rows: Row[], device: Device | null): Funnel {
  const of = (part: string) => rows.filter((row) => row.part === part);
  const devices = of("device");
  const asked = device === null ? devices : devices.filter(({ key }) => key === device);
  return {
    total: addNumbers(asked.map(numbersOf)),
    byDevice: devices.map((row) => ({ key: row.key as Device, ...countsOf(row) })),
    byProduct: of("product").map((row) => ({
      key: Number(row.key),
      name: row.name ?? "",
      ...countsOf(row),
    })),
    byCampaign: of("campaign").map((row) => ({
      key: readFunnelCampaign(row.key) ?? "others",
      ...countsOf(row),
    })),
    countedSince: rows[0]?.since ?? null,
  };
}

function countsOf(row: Row): FunnelCounts {
  const { seen, begun, pix, paid, offers } = numbersOf(row);
  return { seen, begun, pix, paid, offers };
}

/** Sums come as text, being as big as they like. */
function numbersOf(row: Row): FunnelNumbers {
  return {
    seen: Number(row.seen),
    begun: Number(row.begun),
    pix: Number(row.pix),
    paid: Number(row.paid),
    offers: Number(row.offers),
    offersPaid: Number(row.offers_paid),
    reminded: Number(row.reminded),
    recovered: Number(row.recovered),
    recoveredCents: Number(row.recovered_cents),
    waits: [row.in2m, row.in5m, row.in15m, row.in1h, row.in1d, row.in_more].map(Number),
  };
}
