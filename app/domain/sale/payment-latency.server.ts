import { SECOND } from "#app/kit/duration.ts";
import { counterFromZero, histogram } from "#app/platform/metrics.server.ts";

/** Seconds. A charge check may wait a minute for the rate limit, and a mail for its provider. */
const BUCKETS = [0.25, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 900, 3600];

const settledPayments = counterFromZero(
  "payments_settled_total",
  "Payments booked, by what led to the charge check: a provider webhook, or a check of our own.",
  { learned: ["webhook", "question"] },
);

const settleLatency = histogram(
  "payment_settle_latency_seconds",
  "From the provider's webhook of a payment until it was booked; payments without a webhook do not count.",
  BUCKETS,
);

const notifyLatency = histogram(
  "payment_notify_latency_seconds",
  "From the booking of a payment until its buyer was notified, on the open page or by mail.",
  BUCKETS,
  ["by"],
);

/** Counts a booked payment. `webhookAt`: when its webhook arrived; null where none did. */
export function recordSettlement(webhookAt: Date | null, at: Date): void {
  settledPayments.inc({ learned: webhookAt ? "webhook" : "question" });
  if (webhookAt) settleLatency.observe(secondsBetween(webhookAt, at));
}

/** Counts a notified buyer: the event or the mail was just sent. */
export function recordNotified(by: "page" | "mail", settledAt: Date): void {
  notifyLatency.observe({ by }, secondsBetween(settledAt, new Date()));
}

/** Clocks of machines may differ slightly: never negative. */
function secondsBetween(from: Date, to: Date): number {
  return Math.max(0, (to.getTime() - from.getTime()) / SECOND);
}
