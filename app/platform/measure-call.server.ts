import { SECOND } from "#app/kit/duration.ts";
import { countedFromZero, histogram } from "#app/platform/metrics.server.ts";

/**
 * How a call to an outside service ended. `refused`: it said no (4xx); `failed`: it is busy or broken (429, 5xx); `network`:
 * no whole answer came.
 */
const OUTCOMES = ["ok", "refused", "failed", "timeout", "network"] as const;
type CallOutcome = (typeof OUTCOMES)[number];

/** Every service that is called, in words of ours, but for those that `countFromZero` adds: payment providers. */
const SERVICES = [
  ...["resend", "smtp", "identity", "self", "utmify", "webhook", "meta", "ga4", "tiktok", "kwai", "cademi"],
  ...["memberkit", "other"],
];

const calls = histogram(
  "outside_call_seconds",
  "Calls to outside services, by service and how they ended.",
  [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
  ["service", "outcome"],
);

const counted = countedFromZero("outside_calls_total", "Calls to outside services that have ended.", {
  service: SERVICES,
  outcome: OUTCOMES,
});

/** A service whose calls are to be counted from zero, too: its folder says so when it is loaded. */
export function countFromZero(service: string): void {
  for (const outcome of OUTCOMES) counted.inc({ service, outcome }, 0);
}

/** Begins to measure a call. `service` is a word of ours, never an address. @returns call it once, when the call ended */
export function measureCall(service: string): (outcome: CallOutcome) => void {
  const began = performance.now();
  return (outcome) => {
    calls.observe({ service, outcome }, (performance.now() - began) / SECOND);
    counted.inc({ service, outcome });
  };
}

/** How a call ended that was answered with this HTTP status. */
export function outcomeOf(status: number): CallOutcome {
  if (status === 429 || status >= 500) return "failed";
  return status >= 400 ? "refused" : "ok";
}
