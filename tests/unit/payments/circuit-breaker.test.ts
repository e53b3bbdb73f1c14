import { expect, test, vi } from "vitest";
import { mayTryFirst, recordAnswer, recordFailure } from "#app/domain/gateway/circuit-breaker.server.ts";
import { metricsText } from "#app/platform/metrics.server.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

test("three failures within a minute pause an account; after a minute one caller tries it", () => {
  const key = crypto.randomUUID();
  const fail = (now: number) => recordFailure(key, "pushinpay", now);
  fail(0);
  fail(1000);
  expect(mayTryFirst(key, 2000)).toBe(true);
  fail(2000);
  expect(mayTryFirst(key, 2001)).toBe(false);
  expect(mayTryFirst(key, 2000 + MINUTE - 1)).toBe(false);
  expect(mayTryFirst(key, 2000 + MINUTE)).toBe(true);
  expect(mayTryFirst(key, 2001 + MINUTE)).toBe(false);
  // One more failure is enough.
  fail(3000 + MINUTE);
  expect(mayTryFirst(key, 3000 + 2 * MINUTE - 1)).toBe(false);
  expect(mayTryFirst(key, 3000 + 2 * MINUTE)).toBe(true);
  recordAnswer(key);
  expect(mayTryFirst(key, 3001 + 2 * MINUTE)).toBe(true);
  expect(mayTryFirst(key, 3002 + 2 * MINUTE)).toBe(true);
});

test("failures that lie further apart, or are of others, pause nothing", () => {
  const key = crypto.randomUUID();
  for (const at of [0, 30_000, 60_000, 90_000]) recordFailure(key, "woovi", at);
  expect(mayTryFirst(key, 90_001)).toBe(true);
  for (let time = 0; time < 3; time++) recordFailure(crypto.randomUUID(), "woovi", 90_001);
  expect(mayTryFirst(key, 90_002)).toBe(true);
});

test("a pause is counted when it begins, however often it goes on", async () => {
  const countPauses = async () =>
    Number(/gateway_pauses_total\{provider="woovi"\} (\d+)/.exec(await metricsText())?.[1] ?? 0);
  const before = await countPauses();
  const key = crypto.randomUUID();
  for (const at of [0, 1, 2]) recordFailure(key, "woovi", at);
  expect(await countPauses()).toBe(before + 1);
  recordFailure(key, "woovi", 2 + MINUTE);
  expect(await countPauses()).toBe(before + 1);
});

test("of 10,000 accounts that fail the one is forgotten that last failed before all others", () => {
  const key = crypto.randomUUID();
  const failOthers = (count: number) => {
    for (let other = 0; other < count; other++) recordFailure(crypto.randomUUID(), "woovi", 3);
  };
  recordFailure(key, "woovi", 0);
  recordFailure(key, "woovi", 1);
  failOthers(1);
  recordFailure(key, "woovi", 2);
  failOthers(9999);
  expect(mayTryFirst(key, 4)).toBe(false);
  failOthers(1);
  expect(mayTryFirst(key, 4)).toBe(true);
});

test("a machine's clock that is set back makes no pause longer", () => {
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
  try {
    const key = crypto.randomUUID();
    for (let time = 0; time < 3; time++) recordFailure(key, "woovi");
    expect(mayTryFirst(key)).toBe(false);
    vi.setSystemTime(Date.now() - 3 * HOUR);
    vi.advanceTimersByTime(MINUTE);
    expect(mayTryFirst(key)).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});
