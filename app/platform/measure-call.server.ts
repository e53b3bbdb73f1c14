import { MINUTE, SECOND } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";
import { counterFromZero, histogram } from "#app/platform/metrics.server.ts";

/**
 * How a call to an outside service ended. `refused`: 4xx; `failed`: busy or broken (429, 5xx); `network`: no complete
 * answer arrived.
 */
const OUTCOMES = ["ok", "refused", "failed", "timeout", "network"] as const;
type CallOutcome = (typeof OUTCOMES)[number];

/** Every service that is called, by our own names. `countFromZero` adds payment providers and destinations. */
const SERVICES = [...["resend", "smtp", "identity", "self", "other"]];

/** The service of calls to addresses that sellers set up: webhooks, and what takes the place of UTMify. */
export const SELLERS_OWN = "webhook";

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

/** When a line was last written, by service and reason, and how many were left out since. */
const lastLogged = new Map<string, { at: number; suppressed: number }>();

/**
 * Logs why a service of ours gave no complete answer: what callers are told is the same for a lost line, an unknown name and a
 * certificate that is not trusted. One line a minute for each reason. Sellers' own addresses are left out: their log says it.
 */
export function logNoAnswer(service: string, error: unknown): void {
  if (service === SELLERS_OWN) return;
  const reason = reasonOf(error);
  const key = `${service} ${reason}`;
  const last = lastLogged.get(key);
  if (last && performance.now() - last.at < MINUTE) {
    last.suppressed += 1;
    return;
  }
  log.warn({ service, reason, suppressed: last?.suppressed ?? 0 }, "no answer from an outside service");
  lastLogged.set(key, { at: performance.now(), suppressed: 0 });
}

/** The innermost code (`ENOTFOUND`, `CERT_HAS_EXPIRED`), else the name: words of Node's, never an address. */
function reasonOf(error: unknown): string {
  let reason = "unknown";
  for (let at: unknown = error; at instanceof Error; at = at.cause)
    reason = "code" in at && typeof at.code === "string" ? at.code : reason === "unknown" ? at.name : reason;
  return reason;
}
