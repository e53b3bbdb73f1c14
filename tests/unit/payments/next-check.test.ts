import { expect, test } from "vitest";
import { nextCheck } from "#app/domain/charge/check-times.server.ts";
import { nextCheckUnanswered } from "#app/domain/charge/next-check-unanswered.server.ts";
import { DAY, HOUR, MINUTE } from "#app/kit/duration.ts";

const NOW = new Date("2026-11-26T12:00:00Z");
const ago = (ms: number) => new Date(NOW.getTime() - ms);
const created = (days: number) => ({ createdAt: ago(days * DAY), paymentAnnouncedAt: null });

test.each(["unknown", "in_review"] as const)(
  "a card that is %s is checked for as long as it blocks its order, after 30 days once a day",
  (status) => {
    expect(nextCheck({ status, ...created(29) }, NOW)).toEqual(ago(-6 * HOUR));
    expect(nextCheck({ status, ...created(31) }, NOW)).toEqual(ago(-DAY));
    expect(nextCheck({ status, ...created(300) }, NOW)).toEqual(ago(-DAY));
  },
);

test.each(["open", "failed", "declined"] as const)(
  "a charge that is %s is checked for three days",
  (status) => {
    expect(nextCheck({ status, ...created(2) }, NOW)).not.toBeNull();
    expect(nextCheck({ status, ...created(4) }, NOW)).toBeNull();
  },
);

test.each([
  ["half a minute", MINUTE / 2, MINUTE],
  ["five minutes", 5 * MINUTE, 5 * MINUTE],
  ["six hours", 6 * HOUR, 6 * HOUR],
  ["a day", DAY, 6 * HOUR],
])("a code of %s is checked after as long again: a minute at least, six hours at most", (_, age, pause) => {
  expect(nextCheck({ createdAt: ago(age), paymentAnnouncedAt: null }, NOW)).toEqual(ago(-pause));
});

test("the last check of a code is three days after its creation, of an announced payment 30 days after its webhook", () => {
  const code = (age: number) => nextCheck({ createdAt: ago(age), paymentAnnouncedAt: null }, NOW);
  const announced = (age: number) =>
    nextCheck({ createdAt: ago(90 * DAY), paymentAnnouncedAt: ago(age) }, NOW);
  for (const [check, limit] of [
    [code, 3 * DAY],
    [announced, 30 * DAY],
  ] as const) {
    expect(check(limit - 6 * HOUR)).toEqual(ago(-6 * HOUR));
    expect(check(limit - 6 * HOUR + 1)).toBeNull();
  }
});

/** When a payment that a webhook announced so long ago is checked again after a check without an answer. */
const pauseAfter = (age: number) => {
  const charge = { createdAt: ago(age + MINUTE), paymentAnnouncedAt: ago(age) };
  return nextCheckUnanswered(charge, NOW, nextCheck(charge, NOW))!.getTime() - NOW.getTime();
};

test.each([
  ["five minutes", 5 * MINUTE, 5 * MINUTE],
  ["an hour", HOUR, 15 * MINUTE],
  ["six hours", 6 * HOUR, 30 * MINUTE],
  ["a day", DAY, 2 * HOUR],
  ["ten days", 10 * DAY, 6 * HOUR],
])("a payment announced %s ago does not wait as long again for its provider to answer", (_, age, pause) => {
  expect(pauseAfter(age)).toBe(pause);
});

test("a code that nobody announced keeps its pauses while its provider does not answer, and one check in 30 days", () => {
  const planned = ago(-6 * HOUR);
  expect(nextCheckUnanswered(created(2), NOW, planned)).toEqual(planned);
  expect(nextCheckUnanswered(created(29), NOW, null)).toEqual(ago(-6 * HOUR));
  expect(nextCheckUnanswered(created(31), NOW, null)).toBeNull();
});
