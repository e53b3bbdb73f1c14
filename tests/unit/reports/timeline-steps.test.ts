import { expect, test } from "vitest";
import type { TimelineEntry } from "#app/domain/reports/read-timeline.server.ts";
import { spanWords, timelineSteps } from "#app/domain/reports/timeline-steps.ts";

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 22, 12) + seconds * 1000);
const placed = {
  id: "s1",
  at: at(0),
  chargeId: null,
  source: "sale",
  cause: "buyer",
  kind: "placed",
  data: { via: "checkout" },
} as const;
const paid = {
  id: "c1",
  at: at(75),
  chargeId: "c",
  source: "charge",
  cause: "provider",
  kind: "paid",
  data: { amountCents: 9700, feeCents: 35 },
} as const;
const news = (seconds: number, chargeId = "c") =>
  ({
    id: "n1",
    at: at(seconds),
    chargeId,
    source: "news",
    kind: "news",
    data: { word: "paid", state: "paid" },
  }) as const;
const texts = (timeline: TimelineEntry[]) => timelineSteps(timeline).map(({ text }) => text);

test("each step tells how long after the one before it came", () => {
  const atOnce = { ...placed, id: "s2" };
  expect(timelineSteps([placed, atOnce, paid]).map(({ after }) => after)).toEqual([null, null, "1 min"]);
});

test("news that come after the payment was booked tell how late they are", () => {
  expect(texts([placed, paid, news(80)]).at(-1)).toBe(
    "O provedor avisou: está pago, 5,0 s depois de confirmarmos",
  );
});

test("news that come first, or are about another code, are not late", () => {
  for (const timeline of [
    [placed, news(74), paid],
    [placed, paid, news(80, "other")],
  ])
    expect(texts(timeline).join()).not.toContain("depois de confirmarmos");
});

test.each([
  [400, "0,4 s"],
  [12_900, "12 s"],
  [3 * 60_000, "3 min"],
  [5 * 3_600_000, "5 h"],
  [30 * 3_600_000, "1 dia"],
  [50 * 3_600_000, "2 dias"],
])("%i ms is %s", (ms, words) => {
  expect(spanWords(ms)).toBe(words);
});
