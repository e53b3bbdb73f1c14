import { type Period, periodOf, readRange } from "#app/domain/reports/figures/period.ts";
import { DEVICES, type Device } from "#app/kit/device.ts";
import { parseOutside } from "#app/kit/outside-json.ts";

/** `utm_source` and `utm_campaign`, both null where buyers came by none; `others` for all that are not counted by name. */
export type FunnelCampaign = [source: string | null, campaign: string | null] | "others";

/** Which part of a seller's funnel is asked for; null means all. */
export type FunnelFilter = {
  period: Period;
  productId: number | null;
  campaign: FunnelCampaign | null;
  device: Device | null;
};

/** The filter an address carries: `range`, `product`, `campaign`, `device`; what it cannot read is not there. */
export function readFunnelFilter(query: URLSearchParams, now: Date): FunnelFilter {
  const product = query.get("product") ?? "";
  return {
    period: periodOf(readRange(query.get("range")), now),
    productId: /^\d{1,15}$/.test(product) ? Number(product) : null,
    campaign: readFunnelCampaign(query.get("campaign") ?? ""),
    device: DEVICES.find((known) => known === query.get("device")) ?? null,
  };
}

/** A campaign as addresses carry it: `["google","natal"]`, `[]` for all the others. */
export function writeFunnelCampaign(campaign: FunnelCampaign): string {
  return campaign === "others" ? "[]" : JSON.stringify(campaign);
}

/** @returns null where the text names none */
export function readFunnelCampaign(text: string): FunnelCampaign | null {
  const isPart = (part: unknown): part is string | null => part === null || typeof part === "string";
  try {
    const read: unknown = parseOutside(text);
    if (!Array.isArray(read) || read.length > 2) return null;
    if (read.length === 0) return "others";
    const [source = null, campaign = null] = read;
    return isPart(source) && isPart(campaign) ? [source, campaign] : null;
  } catch {
    return null;
  }
}
