import type { Visit } from "#app/domain/visit-counts/read-visit.server.ts";
import { REQUESTS } from "#app/server/limits/limits.ts";
import { clientKey } from "#app/server/request/client.server.ts";

/** Campaigns per client and checkout. */
const [MAX_CAMPAIGNS, WINDOW] = REQUESTS["campaign-of-checkout"];
/** Stored names; when they are exceeded a new window begins. */
const MAX_REMEMBERED = 100_000;

/** Counted in this process only, in one window for all clients, like `limitVisits`. */
let campaignsByClient = new Map<string, Set<string>>();
let remembered = 0;
let windowStart = performance.now();

/** The visit to count: beyond the limit of campaigns per client without its campaign. */
export function limitCampaigns(request: Request, visit: Visit): Visit {
  const { campaign, product } = visit;
  if (campaign === "others" || campaign.every((part) => part === null)) return visit;
  const now = performance.now();
  if (now >= windowStart + WINDOW || remembered >= MAX_REMEMBERED) {
    campaignsByClient = new Map();
    [remembered, windowStart] = [0, now];
  }
  const key = JSON.stringify([clientKey(request), product]);
  const names = campaignsByClient.get(key) ?? new Set();
  const name = JSON.stringify(campaign);
  if (names.has(name)) return visit;
  if (names.size >= MAX_CAMPAIGNS) return { ...visit, campaign: "others" };
  campaignsByClient.set(key, names.add(name));
  remembered += 1;
  return visit;
}
