import type { ServerResponse } from "node:http";
import { SECOND } from "#app/kit/duration.ts";
import { counter, counterFromZero, histogram } from "#app/platform/metrics.server.ts";

const requests = counter("http_requests_total", "Requests answered, by route pattern, method and status.", [
  "route",
  "method",
  "status",
]);

const CLASSES = ["1xx", "2xx", "3xx", "4xx", "5xx", "none"] as const;
const responses = counterFromZero(
  "http_responses_total",
  "Requests answered, by class of status. Health checks are not in it.",
  { class: CLASSES },
);

const durations = histogram(
  "http_request_duration_seconds",
  "How long requests took until their answer had left, by route pattern and method. Event streams are not in it.",
  [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  ["route", "method"],
);

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

const HEALTH_CHECKS = new Set(["/healthz", "/readyz"]);

/** Whether a request is one of those that proxies send every second: more than a quiet shop has visitors. */
export const isHealthCheck = (route: string): boolean => HEALTH_CHECKS.has(route);

/**
 * Counts a request whose answer has ended. Status `none`: the client left before there was an answer.
 * @param route its pattern in the route table, `file` or `unknown`: never an address
 */
export function countRequest(
  sentMethod: string | undefined,
  route: string,
  response: ServerResponse,
  duration: number,
): void {
  const method = METHODS.has(sentMethod ?? "") ? sentMethod! : "other";
  const status = response.headersSent ? String(response.statusCode) : "none";
  requests.inc({ route, method, status });
  // Among them a share of failures would be too small to be noticed.
  if (!isHealthCheck(route)) responses.inc({ class: status === "none" ? status : `${status[0]}xx` });
  // A stream lasts as long as the page is open.
  if (String(response.getHeader("content-type")).startsWith("text/event-stream")) return;
  durations.observe({ route, method }, duration / SECOND);
}
