import { formatPercent } from "#app/domain/reports/figures/percent.ts";
import {
  type FunnelCampaign,
  type FunnelFilter,
  hasViews,
  readFunnelFilter,
  writeFunnelCampaign,
} from "#app/domain/reports/funnel/funnel-filter.ts";
import {
  biggestLoss,
  type FunnelCounts,
  medianWait,
  shareOf,
  subtractParts,
  toSteps,
} from "#app/domain/reports/funnel/funnel-numbers.ts";
import { type Funnel, readFunnel } from "#app/domain/reports/funnel/read-funnel.server.ts";
import { listChoices } from "#app/domain/reports/list-choices.server.ts";
import { MAX_CAMPAIGNS_PER_DAY } from "#app/domain/visit-counts/trim-campaigns.server.ts";
import { formatDay } from "#app/kit/dates.ts";
import { formatMoney } from "#app/kit/money.ts";

/** Rows of a table; the rest is summed up in its last. */
const MAX_PARTS = 15;

/** Data of the funnel's tab. */
export async function loadFunnel(sellerId: string, query: URLSearchParams) {
  const filter = readFunnelFilter(query, new Date());
  const [funnel, { products, coupons, offers }] = await Promise.all([
    readFunnel(sellerId, filter),
    listChoices(sellerId),
  ]);
  const { total, countedSince } = funnel;
  const withViews = hasViews(filter);
  // Visits of several campaigns are counted together there; their orders count by the campaign's own name.
  const withOrders = filter.campaign !== "others";
  const steps = toSteps(total).filter(({ step }) =>
    step === "seen" || step === "begun" ? withViews : withOrders,
  );
  const rows = { total, hasViews: withViews, hasOrders: withOrders };
  return {
    tab: "funnel" as const,
    range: filter.period.range,
    days: filter.period.days,
    productId: filter.productId,
    campaign: filter.campaign && writeFunnelCampaign(filter.campaign),
    device: filter.device,
    couponId: filter.couponId,
    offerId: filter.offerId,
    /** Not by coupon, nor by offer. */
    hasViews: withViews,
    /** Not of the campaigns that are not counted by name. */
    hasOrders: withOrders,
    products,
    coupons,
    offers,
    campaigns: campaignChoices(funnel, filter),
    isEmpty: total.seen === 0 && total.begun === 0 && total.pix === 0,
    steps: steps.map((step) => ({ ...step, share: written(step.share) })),
    loss: withOrders ? (biggestLoss(steps)?.step ?? null) : null,
    conversion: withOrders ? written(shareOf(total.paid, withViews ? total.seen : total.pix)) : null,
    waits: total.waits,
    middleWait: medianWait(total.waits),
    paid: total.paid,
    upsellsPaid: total.upsellsPaid,
    reminded: total.reminded,
    recovered: total.recovered,
    recoveredMoney: formatMoney(total.recoveredCents),
    byProduct: tableOf(funnel.byProduct, rows, ({ name }) => name, "Outros produtos"),
    byCampaign: tableOf(funnel.byCampaign, rows, ({ key }) => campaignName(key), "As demais campanhas"),
    byDevice: tableOf(funnel.byDevice, rows, ({ key }) => DEVICE_NAMES[key], ""),
    campaignsNamed: MAX_CAMPAIGNS_PER_DAY,
    /** Set if the period begins before views were counted. */
    countedSince:
      withViews && countedSince && countedSince > filter.period.first ? formatDay(countedSince) : null,
  };
}

export type FunnelReport = Awaited<ReturnType<typeof loadFunnel>>;
/** A row of a table; names need not be unique. */
export type FunnelRow = ReturnType<typeof rowOf> & { key: string };

const DEVICE_NAMES = { phone: "Celular ou tablet", computer: "Computador", unknown: "Não informado" };

function campaignName(campaign: FunnelCampaign): string {
  if (campaign === "others") return "Outras campanhas";
  return campaign.some(Boolean) ? campaign.map((part) => part ?? "–").join(" / ") : "Sem campanha";
}

/** The existing campaigns, and the selected one. */
function campaignChoices({ byCampaign }: Funnel, { campaign }: FunnelFilter) {
  const keys = byCampaign.map(({ key }) => key);
  const all = new Map(
    [...keys, ...(campaign ? [campaign] : [])].map((key) => [writeFunnelCampaign(key), key]),
  );
  return [...all].map(([value, key]) => ({ value, name: campaignName(key) }));
}

/** @param rest the name of the last row, where there are more than `MAX_PARTS` */
function tableOf<Part extends FunnelCounts & { key: unknown }>(
  parts: Part[],
  whole: Whole,
  nameOf: (part: Part) => string,
  rest: string,
): FunnelRow[] {
  const listed = parts.slice(0, MAX_PARTS);
  const left = subtractParts(whole.total, listed);
  return [
    ...listed.map((part) => {
      const own = part.key === "others" ? { ...whole, hasOrders: false } : whole;
      return { ...rowOf(nameOf(part), part, own), key: JSON.stringify(part.key) };
    }),
    ...(parts.length > MAX_PARTS ? [{ ...rowOf(rest, left, whole), key: "rest" }] : []),
  ];
}

type Whole = { total: FunnelCounts; hasViews: boolean; hasOrders: boolean };

/** `share`: of all views, or of all orders where views are not counted, in percent. Null: orders are not counted. */
function rowOf(name: string, counts: FunnelCounts, { total, hasViews, hasOrders }: Whole) {
  const { seen, begun, pix, paid } = counts;
  const share = (hasViews ? shareOf(seen, total.seen) : shareOf(pix, total.pix)) ?? 0;
  if (!hasOrders) return { name, seen, begun, pix: null, paid: null, conversion: null, share };
  const conversion = written(shareOf(paid, hasViews ? seen : pix));
  return { name, seen, begun, pix, paid, conversion, share };
}

function written(share: number | null): string | null {
  return share === null ? null : formatPercent(share);
}
