import { isbot } from "isbot";
import { countVisit } from "#app/domain/visits/count-visit.server.ts";
import { readVisit } from "#app/domain/visits/read-visit.server.ts";
import { endpoint, readText } from "#app/web/api.server.ts";
import { limitCampaigns } from "#app/web/limits/limit-campaigns.server.ts";
import { limitVisits } from "#app/web/limits/limit-visits.server.ts";

/** More than a script of ours sends: an address and two names of at most some hundred characters, percent-encoded. */
const MOST_BYTES = 4096;

/**
 * Takes what a checkout's script tells: that the page was seen, or its form begun. Answered before anything is written. A
 * robot that runs scripts is told the same and counted nowhere; so is a page fetched before anybody asked for it, and a
 * seller's preview.
 */
export const { loader, action } = endpoint({
  POST: async ({ request }) => {
    limitVisits(request);
    const agent = request.headers.get("user-agent") ?? "";
    const sent = await readText(request, MOST_BYTES);
    if (isRobot(agent) || /prefetch|prerender/.test(purposeOf(request))) return nothing();
    const visit = readVisit(sent, agent);
    if (visit) countVisit(limitCampaigns(request, visit));
    return nothing();
  },
});

/** Whom we have looked at: a phone's words are those of thousands, and looking is long. */
const seen = new Map<string, boolean>();
const MOST_SEEN = 1000;

function isRobot(agent: string): boolean {
  const known = seen.get(agent);
  if (known !== undefined) return known;
  const robot = isbot(agent);
  if (seen.size >= MOST_SEEN) seen.clear();
  if (agent.length <= 500) seen.set(agent, robot);
  return robot;
}

function purposeOf({ headers }: Request): string {
  return `${headers.get("sec-purpose")} ${headers.get("purpose")}`;
}

function nothing(): Response {
  return new Response(null, { status: 204, headers: { "Cache-Control": "no-store" } });
}
