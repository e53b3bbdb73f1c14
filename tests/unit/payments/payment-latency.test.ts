import { expect, test } from "vitest";
import { recordNotified, recordSettlement } from "#app/domain/sale/payment-latency.server.ts";
import { metricsText } from "#app/platform/metrics.server.ts";

/** The value of a series; 0 before its first one. */
async function seriesValue(series: string): Promise<number> {
  const line = (await metricsText()).split("\n").find((one) => one.startsWith(`checkintelli_${series} `));
  return Number(line?.split(" ").at(-1) ?? 0);
}

const SETTLED = [
  'payments_settled_total{learned="webhook"}',
  'payments_settled_total{learned="question"}',
  "payment_settle_latency_seconds_count",
  "payment_settle_latency_seconds_sum",
];

/** By how much the series of settled payments grow. */
async function growth(run: () => void): Promise<number[]> {
  const before = await Promise.all(SETTLED.map(seriesValue));
  run();
  const after = await Promise.all(SETTLED.map(seriesValue));
  return after.map((value, at) => Number((value - before[at]!).toFixed(3)));
}

test("a payment is counted by how it was learned, and its latency from its webhook", async () => {
  const [early, late] = [new Date("2026-11-25T12:00:00.000Z"), new Date("2026-11-25T12:00:02.500Z")];
  expect(await growth(() => recordSettlement(early, late))).toEqual([1, 0, 1, 2.5]);
  expect(await growth(() => recordSettlement(null, late))).toEqual([0, 1, 0, 0]);
  // The clock of the process that received the webhook was ahead.
  expect(await growth(() => recordSettlement(late, early))).toEqual([1, 0, 1, 0]);
});

test("a notified buyer is counted by page and mail, with the time since the booking", async () => {
  const series = (by: string) => `payment_notify_latency_seconds_sum{by="${by}"}`;
  const before = await Promise.all([seriesValue(series("mail")), seriesValue(series("page"))]);
  recordNotified("mail", new Date(Date.now() - 2000));
  expect((await seriesValue(series("mail"))) - before[0]!).toBeGreaterThanOrEqual(2);
  expect(await seriesValue(series("page"))).toBe(before[1]);
});

test("the dashboards' bounds of both latencies are from a quarter of a second to an hour", async () => {
  const bounds = /payment_settle_latency_seconds_bucket\{le="([^"]+)"\}/g;
  const found = [...(await metricsText()).matchAll(bounds)].map(([, bound]) => bound);
  expect(found.join(" ")).toBe("0.25 0.5 1 2 5 10 30 60 120 300 900 3600 +Inf");
});
