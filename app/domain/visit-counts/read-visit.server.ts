import { CAMPAIGN_LENGTH } from "#app/db/schema/funnel.server.ts";
import { cleanLine } from "#app/kit/clean-text.ts";
import { type Device, detectDevice } from "#app/kit/device.ts";
import { SLUG_PATTERN } from "#app/kit/slug.ts";

/** A visit reported by a buyer's script: checkout, step and campaign. Nothing identifies the person. */
export type Visit = {
  product: { id: number } | { slug: string };
  /** The furthest step, as far as the page knows. */
  step: "seen" | "begun";
  /** `utm_source` and `utm_campaign`; `others` are all that are not counted by name. */
  campaign: [source: string | null, campaign: string | null] | "others";
  device: Device;
};

/**
 * Parses a script's message: `seen/checkout/s/curso?utm_source=a&utm_campaign=b`.
 * @returns null where our pages send no such message, or the browser is a bot
 */
export function readVisit(received: string, userAgent: string | null): Visit | null {
  const [, step, id, slug, query] = MESSAGE_PATTERN.exec(received) ?? [];
  const device = detectDevice(userAgent);
  const product = id ? { id: Number(id) } : slug && SLUG_PATTERN.test(slug) && { slug: slug.toLowerCase() };
  if (!product || !device) return null;
  const parameters = new URLSearchParams(query);
  return {
    product,
    step: step!.toLowerCase() as Visit["step"],
    campaign: [cleanPart(parameters.get("utm_source")), cleanPart(parameters.get("utm_campaign"))],
    device,
  };
}

/** The router opens a checkout in upper case and with slashes at the end, too. */
const MESSAGE_PATTERN = /^(seen|begun)\/checkout\/(?:(\d{1,15})|s\/([^/?]{1,80}))\/{0,9}\?(.*)$/is;

/** Cleaned as in an order, and truncated to what an index can hold. */
function cleanPart(received: string | null): string | null {
  const text = cleanLine(received ?? "").toWellFormed();
  return [...text.slice(0, 2 * CAMPAIGN_LENGTH)].slice(0, CAMPAIGN_LENGTH).join("") || null;
}
