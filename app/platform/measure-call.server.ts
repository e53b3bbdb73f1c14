import { SECOND } from "#app/kit/duration.ts";
import { counterFromZero, histogram } from "#app/platform/metrics.server.ts";

/**
 * How a call to an outside service ended. `refused`: 4xx; `failed`: busy or broken (429, 5xx); `network`: no complete
 * answer arrived.
 */
const OUTCOMES = ["ok", "refused", "failed", "timeout", "network"] as const;
type CallOutcome = (typeof OUTCOMES)[number];

/** Every service that is called, by our own names. `countFromZero` adds payment providers and destinations. */
const SERVICES = [...["resend", "smtp", "identity", "self", "other"]];

const calls = histogram(
  "outside_call_duration_seconds",
  "Calls to outside services, by service and how they ended.",
  [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
  ["service", "outcome"],
);

const callCounter = counterFromZero("outside_calls_total", "Calls to outside services that have ended.", {
  service: SERVICES,
  outcome: OUTCOMES,
});

/** Adds a service whose calls are counted from zero; its folder calls this when it is loaded. */
export function countFromZero(service: string): void {
  for (const outcome of OUTCOMES) callCounter.inc({ service, outcome }, 0);
}

/**
 * Begins to measure a call. `service` is one of our own names, never an address. @returns call it once, when the call
 * ended
 */
export function measureCall(service: string): (outcome: CallOutcome) => void {
  const startedAt = performance.now();
  return (outcome) => {
    calls.observe({ service, outcome }, (performance.now() - startedAt) / SECOND);
    callCounter.inc({ service, outcome });
  };
}

/** The outcome of a call that was answered with this HTTP status. */
export function outcomeOf(status: number): CallOutcome {
  if (status === 429 || status >= 500) return "failed";
  return status >= 400 ? "refused" : "ok";
}
