import { log } from "#app/platform/log.server.ts";
import { counterFromZero } from "#app/platform/metrics.server.ts";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { readText } from "#app/server/api/read-json.server.ts";
import { limitPolicyReports, mayLogPolicyReport } from "#app/server/limits/limit-policy-reports.server.ts";
import { REPORTED_DIRECTIVES, readPolicyReports } from "#app/server/pages/policy-reports.ts";

/** More than a browser sends: some reports, with our addresses and the policy in each. */
const MAX_BYTES = 32 * 1024;

const reports = counterFromZero(
  "card_policy_reports_total",
  "What browsers reported that the card page's policy blocked.",
  { directive: REPORTED_DIRECTIVES },
);

/**
 * Receives what buyers' browsers report of the card page's policy. Anybody can send it anything, so it is a reason to look at the
 * page, and never a proof.
 */
export const { loader, action } = endpoint({
  POST: async ({ request }) => {
    limitPolicyReports(request);
    for (const { directive, blocked } of readPolicyReports(await readText(request, MAX_BYTES))) {
      reports.inc({ directive });
      if (mayLogPolicyReport()) log.warn({ directive, blocked }, "card page: the policy blocked a source");
    }
    return new Response(null, { status: 204, headers: { "Cache-Control": "no-store" } });
  },
});
