import type { Visit } from "#app/domain/visits/read-visit.server.ts";
import { HOUR } from "#app/kit/duration.ts";
import { clientOf } from "#app/web/limits/client.server.ts";

/** Campaigns of one checkout that a client names in one window: a mobile network's buyers come by a seller's few. */
const MOST = 10;
const WINDOW = HOUR;
/** Names that are remembered: beyond them a new window begins. */
const MOST_REMEMBERED = 100_000;

/** Counted in this process alone, in one window for all, as `limitVisits` does. */
let named = new Map<string, Set<string>>();
let remembered = 0;
let opened = performance.now();

/** A visit as it is counted: beyond so many campaigns of one client its further ones have no name. */
export function limitCampaigns(request: Request, visit: Visit): Visit {
  const { campaign, product } = visit;
  if (campaign === "others" || campaign.every((part) => part === null)) return visit;
  const now = performance.now();
  if (now >= opened + WINDOW || remembered >= MOST_REMEMBERED) {
    named = new Map();
    [remembered, opened] = [0, now];
  }
  const key = JSON.stringify([clientOf(request), product]);
  const names = named.get(key) ?? new Set();
  const name = JSON.stringify(campaign);
  if (names.has(name)) return visit;
  if (names.size >= MOST) return { ...visit, campaign: "others" };
  named.set(key, names.add(name));
  remembered += 1;
  return visit;
}
