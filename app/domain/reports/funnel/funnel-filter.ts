import { type Period, periodOf, readRange } from "#app/domain/reports/figures/period.ts";
import { DEVICES, type Device } from "#app/kit/device.ts";
import { parseUntrusted } from "#app/kit/untrusted-json.ts";
import { isUuid } from "#app/kit/uuid.ts";

/** `utm_source` and `utm_campaign`, both null for buyers without one; `others` for all that are not counted by name. */
export type FunnelCampaign = [source: string | null, campaign: string | null] | "others";

/** The part of a seller's funnel to show; null means all. */
export type FunnelFilter = {
  period: Period;
  productId: number | null;
  campaign: FunnelCampaign | null;
  device: Device | null;
  /** Orders with this coupon only, and no views: a code may be typed after the page was seen. */
  couponId: string | null;
  /** The same for an offer: a tier's price may be over when the order is placed. */
  offerId: string | null;
};

/** Whether views can be shown, too: they are counted by neither coupon nor offer. */
export function hasViews({ couponId, offerId }: Pick<FunnelFilter, "couponId" | "offerId">): boolean {
  return couponId === null && offerId === null;
}

/** The filter in an address: `range`, `product`, `campaign`, `device`, `coupon`, `offer`; invalid values are ignored. */
export function readFunnelFilter(query: URLSearchParams, now: Date): FunnelFilter {
  const product = query.get("product") ?? "";
  const coupon = query.get("coupon") ?? "";
  const offer = query.get("offer") ?? "";
  return {
    period: periodOf(readRange(query.get("range")), now),
    productId: /^\d{1,15}$/.test(product) ? Number(product) : null,
    campaign: readFunnelCampaign(query.get("campaign") ?? ""),
    device: DEVICES.find((device) => device === query.get("device")) ?? null,
    couponId: isUuid(coupon) ? coupon : null,
    offerId: isUuid(offer) ? offer : null,
  };
}

/** A campaign as addresses contain it: `["google","natal"]`, `[]` for all the others. */
export function writeFunnelCampaign(campaign: FunnelCampaign): string {
  return campaign === "others" ? "[]" : JSON.stringify(campaign);
}

/** @returns null where the text names none */
export function readFunnelCampaign(text: string): FunnelCampaign | null {
  const isPart = (part: unknown): part is string | null => part === null || typeof part === "string";
  try {
    const parsed: unknown = parseUntrusted(text);
    if (!Array.isArray(parsed) || parsed.length > 2) return null;
    if (parsed.length === 0) return "others";
    const [source = null, campaign = null] = parsed;
    return isPart(source) && isPart(campaign) ? [source, campaign] : null;
  } catch {
    return null;
  }
}
