import { randomInt } from "node:crypto";
import type { AdIds, Campaign } from "#app/db/schema/lists.ts";
import type { AdAnswer, AdVisit } from "#app/domain/order/order.ts";
import { readCampaign } from "#app/domain/order/order-form.server.ts";
import { CLICK_ID, CLICKS_COOKIE } from "#app/kit/ads/click-ids.ts";
import { cleanLine, truncate } from "#app/kit/clean-text.ts";

/** GA4 sets one cookie for each property on the seller's pages. */
const MAX_SESSIONS = 5;
/** Longer values are not real advertising cookies. */
const MAX_LENGTH = 500;

/**
 * The campaign of an order, and what its buyer answered about the seller's advertisers. With consent the click ids stored at the
 * first visit count, too. An advertiser that was added since the page was shown is none that the buyer consented to.
 * @param sent the checkout's query parameters, decoded
 * @param activeKinds the kinds of advertisers that there are; the checkout asks for consent to them
 */
export function readAdAnswer(
  visit: AdVisit,
  sent: Iterable<[string, string]>,
  activeKinds: string[],
): { campaign: Campaign; adAnswer: AdAnswer } {
  const { hasConsent, namedKinds } = visit;
  const kinds =
    hasConsent && namedKinds ? activeKinds.filter((kind) => namedKinds.includes(kind)) : activeKinds;
  const adConsent = kinds.length > 0 ? hasConsent : null;
  const campaign = readCampaign(adConsent ? [...sent, ...readStoredClicks(visit)] : sent);
  const adIds = adConsent ? { ...buildAdIds(visit, campaign, new Date()), kinds } : null;
  return { campaign, adAnswer: { adConsent, adIds } };
}

/** The click ids stored at the buyer's first visit, for an address without any. */
export function readStoredClicks({ cookies }: AdVisit): [string, string][] {
  const { query } = parseClicksCookie(cookies);
  return [...new URLSearchParams(query)].filter(([name]) => CLICK_ID.test(name));
}

/**
 * The ids by which advertisers know the browser. Meta's `fbp` and `fbc` are generated where missing, by Meta's rules.
 */
export function buildAdIds({ agent, host, cookies }: AdVisit, campaign: Campaign, now: Date): AdIds {
  const read = (name: string, shape: RegExp) => {
    const value = cleanLine(cookies.get(name) ?? "");
    return value.length <= MAX_LENGTH && shape.test(value) ? value : undefined;
  };
  const fbc = read("_fbc", META_COOKIE);
  const clicked = campaign.fbclid;
  const seenAt = parseClicksCookie(cookies).seenAt ?? now.getTime();
  const index = Math.max(host.split(".").length - 1, 0);
  const ids: AdIds = {
    agent: truncate(cleanLine(agent), MAX_LENGTH),
    fbp: read("_fbp", META_COOKIE) ?? `fb.${index}.${now.getTime()}.${randomInt(2 ** 31)}`,
    // A click id that differs from the cookie's is newer.
    ...(clicked && fbc?.split(".")[3] !== clicked
      ? { fbc: `fb.${index}.${seenAt}.${clicked}` }
      : fbc
        ? { fbc }
        : {}),
  };
  const ga = read("_ga", /^GA1\.\d+\.\d+\.\d+$/);
  if (ga) ids.ga = ga;
  const ttp = read("_ttp", /^[\w.-]+$/);
  if (ttp) ids.ttp = ttp;
  const sessions = [...cookies].filter(
    ([name, value]) => /^_ga_\w{1,20}$/.test(name) && /^GS\d\.[\w.$-]+$/.test(value),
  );
  if (sessions.length > 0)
    ids.gaSessions = Object.fromEntries(
      sessions.slice(0, MAX_SESSIONS).map(([name, value]) => [name.slice(4), value.slice(0, MAX_LENGTH)]),
    );
  return ids;
}

/** Four parts, or five where Meta's own library wrote the cookie. */
const META_COOKIE = /^fb\.\d\.\d{10,16}\.[\w-]+(\.[\w-]{2,8})?$/;

function parseClicksCookie(cookies: AdVisit["cookies"]): { seenAt: number | null; query: string } {
  const [, seenAt, query] = /^(\d{13})\.(.{1,4000})$/.exec(cookies.get(CLICKS_COOKIE) ?? "") ?? [];
  return { seenAt: seenAt ? Number(seenAt) : null, query: query ?? "" };
}
