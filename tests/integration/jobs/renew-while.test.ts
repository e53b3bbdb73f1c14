import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SECOND } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";
import { renewWhile } from "#app/queue/renew-while.server.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Lets time pass, and what waits for it happen. */
async function pass(ms: number): Promise<void> {
  vi.advanceTimersByTime(ms);
  await nextTurn();
}

test("a lease is renewed each third of it, and what follows the work waits for the last renewal", async () => {
  const [working, renewing] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()];
  const ends: string[] = [];
  const renew = vi.fn(() => renewing.promise.then(() => ends.push("renewal")));
  const all = renewWhile(3 * SECOND, renew, () => working.promise).then((result) => ends.push(result));
  await pass(SECOND - 1);
  expect(renew).not.toHaveBeenCalled();
  await pass(1);
  expect(renew).toHaveBeenCalledOnce();
  working.resolve("work");
  await nextTurn();
  expect(ends).toEqual([]);
  renewing.resolve();
  await all;
  expect(ends).toEqual(["renewal", "work"]);
  await pass(3 * SECOND);
  expect(renew).toHaveBeenCalledOnce();
});

test("a renewal that fails is logged, and the next one is made", async () => {
  const warn = vi.spyOn(log, "warn").mockImplementation(() => {});
  const working = Promise.withResolvers<void>();
  const renew = vi.fn(() => Promise.reject(new Error("away")));
  const all = renewWhile(3 * SECOND, renew, () => working.promise);
  await pass(SECOND);
  await pass(SECOND);
  working.reject(new Error("broken"));
  await expect(all).rejects.toThrow("broken");
  expect(renew).toHaveBeenCalledTimes(2);
  expect(warn).toHaveBeenCalledTimes(2);
  expect(vi.getTimerCount()).toBe(0);
});
