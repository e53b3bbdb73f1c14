import type { Visit } from "#app/domain/visit-counts/read-visit.server.ts";
import { REQUESTS } from "#app/server/limits/limits.ts";
import { clientKey } from "#app/server/request/client.server.ts";

/** Campaigns per client and checkout. */
const [MAX_CAMPAIGNS, WINDOW] = REQUESTS["campaign-of-checkout"];
/** Of so many clients and checkouts names are stored; then a new window begins. */
const MAX_REMEMBERED = 20_000;

/** Counted in this process only, in one window for all clients, like `limitVisits`. */
let campaignsByClient = new Map<string, Set<string>>();
let windowStart = performance.now();

/** The visit to count: beyond the limit of campaigns per client without its campaign. */
export function limitCampaigns(request: Request, visit: Visit): Visit {
  const { campaign, product } = visit;
  if (campaign === "others" || campaign.every((part) => part === null)) return visit;
  const now = performance.now();
  if (now >= windowStart + WINDOW || campaignsByClient.size >= MAX_REMEMBERED) {
    campaignsByClient = new Map();
    windowStart = now;
  }
  const key = JSON.stringify([clientKey(request), product]);
  const names = campaignsByClient.get(key) ?? new Set();
  const name = JSON.stringify(campaign);
  if (names.has(name)) return visit;
  if (names.size >= MAX_CAMPAIGNS) return { ...visit, campaign: "others" };
  campaignsByClient.set(key, names.add(name));
  return visit;
}
