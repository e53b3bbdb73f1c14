import { CAMPAIGN_LENGTH } from "#app/db/schema/funnel.server.ts";
import { cleanLine } from "#app/kit/clean-text.ts";
import { type Device, deviceOf } from "#app/kit/device.ts";
import { SLUG_PATTERN } from "#app/kit/slug.ts";

/** What a buyer's script tells: which checkout, how far, and by which campaign. Nothing tells who it was. */
export type Visit = {
  product: { id: number } | { slug: string };
  /** How far they came, as far as the page itself knows. */
  step: "seen" | "begun";
  /** `utm_source` and `utm_campaign`; `others` stands for all that are not counted by name. */
  campaign: [source: string | null, campaign: string | null] | "others";
  device: Device;
};

/**
 * What a script's message says: `seen/checkout/s/curso?utm_source=a&utm_campaign=b`.
 * @returns null where no page of ours writes such a one, or no person's browser sent it
 */
export function readVisit(sent: string, userAgent: string | null): Visit | null {
  const [, step, id, slug, query] = MESSAGE.exec(sent) ?? [];
  const device = deviceOf(userAgent);
  const product = id ? { id: Number(id) } : slug && SLUG_PATTERN.test(slug) && { slug: slug.toLowerCase() };
  if (!product || !device) return null;
  const named = new URLSearchParams(query);
  return {
    product,
    step: step as Visit["step"],
    campaign: [readPart(named.get("utm_source")), readPart(named.get("utm_campaign"))],
    device,
  };
}

const MESSAGE = /^(seen|begun)\/checkout\/(?:(\d{1,15})|s\/([^/?]{1,80}))\?(.*)$/s;

/** As an order keeps it, and as much of it as an index holds. */
function readPart(sent: string | null): string | null {
  const text = cleanLine(sent ?? "").toWellFormed();
  return [...text.slice(0, 2 * CAMPAIGN_LENGTH)].slice(0, CAMPAIGN_LENGTH).join("") || null;
}
