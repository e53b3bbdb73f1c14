import { z } from "zod";
import { cleanLine, truncate } from "#app/kit/clean-text.ts";
import { parseUntrusted } from "#app/kit/untrusted-json.ts";

/** The directives that reports may name. Any other one is `other`. */
export const REPORTED_DIRECTIVES = [
  "script-src",
  "script-src-elem",
  "script-src-attr",
  "style-src",
  "style-src-elem",
  "style-src-attr",
  "connect-src",
  "frame-src",
  "form-action",
  "img-src",
  "font-src",
  "media-src",
  "worker-src",
  "object-src",
  "base-uri",
  "other",
] as const;

/** What a browser blocked. `blocked`: an origin, or a word such as `inline` or an extension's scheme: never an address. */
export type PolicyReport = { directive: (typeof REPORTED_DIRECTIVES)[number]; blocked: string };

/** Of one request; browsers send a few at once. */
const MAX_REPORTS = 10;

const text = z.string().nullish().catch(null);
/** `report-uri`'s format: one report, of `application/csp-report`. */
const single = z.object({
  "csp-report": z.object({ "effective-directive": text, "violated-directive": text, "blocked-uri": text }),
});
/** `report-to`'s: several of any kind, of `application/reports+json`. */
const several = z.array(
  z.object({
    type: z.string(),
    body: z.object({ effectiveDirective: text, blockedURL: text }).nullish().catch(null),
  }),
);

/** Reads what browsers report of a page's policy; empty where it is nothing of that kind. */
export function readPolicyReports(body: string): PolicyReport[] {
  let json: unknown;
  try {
    json = parseUntrusted(body);
  } catch {
    return [];
  }
  const one = single.safeParse(json);
  if (one.success) {
    const report = one.data["csp-report"];
    // The second is its older name, and may be followed by the sources.
    return [describe(report["effective-directive"] ?? report["violated-directive"], report["blocked-uri"])];
  }
  const all = several.safeParse(json);
  return (all.success ? all.data : [])
    .filter(({ type }) => type === "csp-violation")
    .slice(0, MAX_REPORTS)
    .map(({ body }) => describe(body?.effectiveDirective, body?.blockedURL));
}

function describe(directive: string | null | undefined, blocked: string | null | undefined): PolicyReport {
  const [name] = (directive ?? "").split(" ", 1);
  return {
    directive: REPORTED_DIRECTIVES.find((one) => one === name) ?? "other",
    blocked: describeBlocked(blocked ?? ""),
  };
}

/** Without path and query, which may hold anything. */
function describeBlocked(blocked: string): string {
  if (/^[a-z-]{1,20}$/.test(blocked)) return blocked;
  if (!URL.canParse(blocked)) return "unknown";
  const { protocol, host } = new URL(blocked);
  const isWeb = protocol === "https:" || protocol === "http:";
  return truncate(cleanLine(isWeb ? `${protocol}//${host}` : protocol.slice(0, -1)), 100);
}
