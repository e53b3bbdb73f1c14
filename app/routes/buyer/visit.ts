import { isbot } from "isbot";
import { countVisit } from "#app/domain/visit-counts/count-visit.server.ts";
import { readVisit } from "#app/domain/visit-counts/read-visit.server.ts";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { readText } from "#app/server/api/read-json.server.ts";
import { limitCampaigns } from "#app/server/limits/limit-campaigns.server.ts";
import { limitVisits } from "#app/server/limits/limit-visits.server.ts";

/** More than our script sends: a URL and two names of at most some hundred characters, percent-encoded. */
const MAX_BYTES = 4096;

/**
 * Receives what a checkout's script reports: that the page was seen, or its form begun. Answered before anything is
 * written. Robots, prefetched pages and a seller's previews get the same response and are not counted.
 */
export const { loader, action } = endpoint({
  POST: async ({ request }) => {
    limitVisits(request);
    const agent = request.headers.get("user-agent") ?? "";
    const sent = await readText(request, MAX_BYTES);
    if (isRobot(agent) || /prefetch|prerender/.test(purposeOf(request))) return nothing();
    const visit = readVisit(sent, agent);
    if (visit) countVisit(limitCampaigns(request, visit));
    return nothing();
  },
});

/** User agents already classified: thousands of phones share one, and classifying is slow. */
const seen = new Map<string, boolean>();
const MAX_SEEN = 1000;

function isRobot(agent: string): boolean {
  const known = seen.get(agent);
  if (known !== undefined) return known;
  const robot = isbot(agent);
  if (seen.size >= MAX_SEEN) seen.clear();
  if (agent.length <= 500) seen.set(agent, robot);
  return robot;
}

function purposeOf({ headers }: Request): string {
  return `${headers.get("sec-purpose")} ${headers.get("purpose")}`;
}

function nothing(): Response {
  return new Response(null, { status: 204, headers: { "Cache-Control": "no-store" } });
}
