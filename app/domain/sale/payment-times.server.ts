import { SECOND } from "#app/kit/duration.ts";
import { countedFromZero, histogram } from "#app/platform/metrics.server.ts";

/** Seconds. A question may wait a minute for the gate, and a mail for its provider. */
const BUCKETS = [0.25, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 900, 3600];

const settled = countedFromZero(
  "payments_settled_total",
  "Payments booked, by how we learned of them: the provider's webhook, or a question of ours.",
  { learned: ["webhook", "question"] },
);

const untilSettled = histogram(
  "paid_to_settled_seconds",
  "From the provider's news of a payment until it was booked; payments without news are not in it.",
  BUCKETS,
);

const untilTold = histogram(
  "paid_to_told_seconds",
  "From the booking of a payment until its buyer was told, on the open page or by mail.",
  BUCKETS,
  ["by"],
);

/** Counts a payment that was booked. `newsAt`: when its news came; null where none did. */
export function countSettled(newsAt: Date | null, at: Date): void {
  settled.inc({ learned: newsAt ? "webhook" : "question" });
  if (newsAt) untilSettled.observe(secondsBetween(newsAt, at));
}

/** Counts a buyer who was told just now: the event was sent, or the mail handed over. */
export function countTold(by: "page" | "mail", settledAt: Date): void {
  untilTold.observe({ by }, secondsBetween(settledAt, new Date()));
}

/** Machines' clocks may differ a little: never below nothing. */
function secondsBetween(from: Date, to: Date): number {
  return Math.max(0, (to.getTime() - from.getTime()) / SECOND);
}
