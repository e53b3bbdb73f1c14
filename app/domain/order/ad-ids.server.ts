import { randomInt } from "node:crypto";
import type { AdIds, Campaign } from "#app/db/schema/sales.server.ts";
import { CLICK_ID, CLICKS_COOKIE } from "#app/kit/ads/click-ids.ts";
import { cleanLine } from "#app/kit/clean-text.ts";

/** What a browser brings along with an order, and whether its buyer agrees to advertisers knowing of it. */
export type AdVisit = {
  agrees: boolean;
  /** What it calls itself. */
  agent: string;
  /** The shop's host, as the browser knows it. */
  host: string;
  cookies: ReadonlyMap<string, string>;
};

/** Of each GA4 property that a seller's own pages have there is a cookie. */
const MOST_SESSIONS = 5;
/** Beyond it nobody's cookie is one of these. */
const LONGEST = 500;

/** The clicks that were kept when the buyer first came, for an address that names none. */
export function keptClicks({ cookies }: AdVisit): [string, string][] {
  const { query } = readKept(cookies);
  return [...new URLSearchParams(query)].filter(([name]) => CLICK_ID.test(name));
}

/** What advertisers may know the browser by. Meta's own two are made where they are missing, by Meta's rules. */
export function adIdsOf({ agent, host, cookies }: AdVisit, campaign: Campaign, now: Date): AdIds {
  const read = (name: string, shape: RegExp) => {
    const value = cleanLine(cookies.get(name) ?? "");
    return value.length <= LONGEST && shape.test(value) ? value : undefined;
  };
  const fbc = read("_fbc", META_COOKIE);
  const clicked = campaign.fbclid;
  const seenAt = readKept(cookies).seenAt ?? now.getTime();
  const index = Math.max(host.split(".").length - 1, 0);
  const ids: AdIds = {
    agent: cleanLine(agent).slice(0, LONGEST).toWellFormed(),
    fbp: read("_fbp", META_COOKIE) ?? `fb.${index}.${now.getTime()}.${randomInt(2 ** 31)}`,
    // Another click than the cookie's is the newer one.
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
      sessions.slice(0, MOST_SESSIONS).map(([name, value]) => [name.slice(4), value.slice(0, LONGEST)]),
    );
  return ids;
}

/** Four parts, or five where Meta's own library wrote it. */
const META_COOKIE = /^fb\.\d\.\d{10,16}\.[\w-]+(\.[\w-]{2,8})?$/;

function readKept(cookies: AdVisit["cookies"]): { seenAt: number | null; query: string } {
  const [, seenAt, query] = /^(\d{13})\.(.{1,4000})$/.exec(cookies.get(CLICKS_COOKIE) ?? "") ?? [];
  return { seenAt: seenAt ? Number(seenAt) : null, query: query ?? "" };
}
