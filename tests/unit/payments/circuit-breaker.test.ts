import { expect, test } from "vitest";
import { mayTryFirst, recordAnswer, recordFailure } from "#app/domain/gateway/circuit-breaker.server.ts";

const MINUTE = 60_000;

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
  for (const at of [0, 31_000, 62_000, 93_000]) recordFailure(key, "woovi", at);
  expect(mayTryFirst(key, 93_001)).toBe(true);
  for (let time = 0; time < 3; time++) recordFailure(crypto.randomUUID(), "woovi", 93_001);
  expect(mayTryFirst(key, 93_002)).toBe(true);
});
