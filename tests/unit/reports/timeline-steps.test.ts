import { expect, test } from "vitest";
import type { TimelineEntry } from "#app/domain/reports/read-timeline.server.ts";
import { formatSpan, toTimelineSteps } from "#app/domain/reports/timeline-steps.ts";

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
  isCard: false,
  byProvider: "pela PushInPay",
  cause: "provider",
  kind: "paid",
  data: { amountCents: 9700, feeCents: 35 },
} as const;
const webhookAt = (seconds: number, chargeId = "c") =>
  ({
    id: "n1",
    at: at(seconds),
    chargeId,
    source: "news",
    kind: "news",
    data: { word: "paid", state: "paid" },
  }) as const;
const texts = (timeline: TimelineEntry[]) => toTimelineSteps(timeline).map(({ text }) => text);

test("each step shows how long after the one before it came", () => {
  const atOnce = { ...placed, id: "s2" };
  expect(toTimelineSteps([placed, atOnce, paid]).map(({ after }) => after)).toEqual([null, null, "1 min"]);
});

test("a webhook after the payment was booked shows its delay", () => {
  expect(texts([placed, paid, webhookAt(80)]).at(-1)).toBe(
    "O provedor avisou: está pago, 5,0 s depois de confirmarmos",
  );
});

test("a webhook that comes first, or is about another code, has no delay", () => {
  for (const timeline of [
    [placed, webhookAt(74), paid],
    [placed, paid, webhookAt(80, "other")],
  ])
    expect(texts(timeline).join()).not.toContain("depois de confirmarmos");
});

test("a webhook is late from the event that booked its payment, whichever that was", () => {
  const made = { ...paid, id: "c0", at: at(10), kind: "made", data: { tookMs: 100 } } as const;
  const booked = { ...paid, data: { amountCents: 9600, expectedCents: 9700, feeCents: null } };
  for (const kind of ["paid", "surplus", "mispaid"] as const)
    expect(texts([placed, made, { ...booked, kind }, webhookAt(80)]).at(-1), kind).toBe(
      "O provedor avisou: está pago, 5,0 s depois de confirmarmos",
    );
});

test("only a webhook of a payment is late: neither one of another state nor our own question is", () => {
  const refunded = { ...webhookAt(80), data: { word: "refunded", state: "refunded" } };
  const asked = {
    ...paid,
    id: "c2",
    at: at(80),
    kind: "asked",
    data: { state: "paid", word: "", tookMs: 9 },
  };
  for (const last of [refunded, asked as TimelineEntry])
    expect(texts([placed, paid, last]).at(-1)).not.toContain("depois de confirmarmos");
});

test("a tenth of a second is the shortest time that a step shows", () => {
  const after = (ms: number) => ({ ...placed, id: `s${ms}`, at: new Date(placed.at.getTime() + ms) });
  expect(toTimelineSteps([placed, after(99)])[1]!.after).toBeNull();
  expect(toTimelineSteps([placed, after(100)])[1]!.after).toBe("0,1 s");
});

test.each([
  [400, "0,4 s"],
  [10_000, "10 s"],
  [12_900, "12 s"],
  [60_000, "1 min"],
  [3 * 60_000, "3 min"],
  [3_600_000, "1 h"],
  [5 * 3_600_000, "5 h"],
  [24 * 3_600_000, "1 dia"],
  [30 * 3_600_000, "1 dia"],
  [50 * 3_600_000, "2 dias"],
])("%i ms is %s", (ms, words) => {
  expect(formatSpan(ms)).toBe(words);
});
