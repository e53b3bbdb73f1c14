import { stat } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { hashPassword, isPassword, refuseWhenBusy } from "#app/domain/identity/password.server.ts";
import { Refusal } from "#app/kit/refusal.ts";

test("of a crowd as many wait as can be served soon; the others are told to retry, and later succeed", async () => {
  const stored = await hashPassword("senha-de-teste-1");
  const crowd = await Promise.allSettled(
    Array.from({ length: 100 }, (_, i) => isPassword(i % 2 ? "senha-de-teste-1" : "errada", stored)),
  );
  const served = crowd.flatMap((one, i) => (one.status === "fulfilled" ? [[i, one.value] as const] : []));
  expect(served.length).toBeGreaterThanOrEqual(20);
  expect(served.length).toBeLessThan(30);
  expect(served.every(([i, right]) => right === (i % 2 === 1))).toBe(true);
  const refusals = crowd.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  expect(refusals.every((reason) => reason instanceof Refusal && reason.kind === "unavailable")).toBe(true);
  expect(refusals[0].retryAfter).toBe(5);
  expect(refuseWhenBusy).not.toThrow();
  expect(await isPassword("senha-de-teste-1", stored)).toBe(true);
});

test("while as many passwords are hashed as there are threads, a file is read before the first is done", async () => {
  // A read that waits for a hashing thread never finishes first; one that finds a free thread may be late by chance.
  const before: number[] = [];
  while (before.length < 20 && !before.includes(0)) {
    let computed = 0;
    const crowd = Array.from({ length: 8 }, () => hashPassword("senha").then(() => computed++));
    // They begin one after the other, before anything else does.
    await setImmediate();
    await stat("package.json");
    before.push(computed);
    await Promise.all(crowd);
  }
  expect(before, "passwords computed before the file was looked up, round by round").toContain(0);
});
