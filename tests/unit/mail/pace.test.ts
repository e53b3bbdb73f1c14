import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { notePace, takeTurn } from "#app/domain/mail/outbox/senders/take-turn.server.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** How long each of several turns taken at once had to wait, in milliseconds. */
async function waits(key: string, count: number): Promise<number[]> {
  const begun = Date.now();
  const turns = Array.from({ length: count }, () => takeTurn(key).then(() => Date.now() - begun));
  await vi.runAllTimersAsync();
  return Promise.all(turns);
}

const limits = (limit: number, remaining: number, reset = 1) => ({
  "ratelimit-limit": String(limit),
  "ratelimit-remaining": String(remaining),
  "ratelimit-reset": String(reset),
});

test("before an account's first answer mails leave three a second", async () => {
  expect(await waits("re_new", 4)).toEqual([0, 300, 600, 900]);
});

test("an account that allows more is asked more often", async () => {
  notePace("re_paid", limits(50, 49));
  expect(await waits("re_paid", 4)).toEqual([0, 20, 40, 60]);
});

test("where nothing is left of this second the next one is waited for, of this account alone", async () => {
  notePace("re_used_up", limits(5, 0));
  expect(await waits("re_used_up", 2)).toEqual([1000, 1200]);
  expect((await waits("re_other", 1))[0]).toBe(0);
});

test("answers without limits, and absurd ones, change nothing much", async () => {
  notePace("re_odd", null);
  notePace("re_odd", { "ratelimit-limit": "muitos" });
  expect(await waits("re_odd", 2)).toEqual([0, 300]);
  notePace("re_slow", limits(5, 0, 86_400));
  expect((await waits("re_slow", 1))[0]).toBe(10_000);
});
