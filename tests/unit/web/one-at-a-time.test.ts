import { expect, test } from "vitest";
import { oneAtATime } from "#app/web/limits/one-at-a-time.ts";

/** Holds the thread, as rendering does. */
function work() {
  for (const end = performance.now() + 4; performance.now() < end; );
}

test("whoever needs many short turns of the thread gets several between two tasks that wait for each other", async () => {
  const run = oneAtATime();
  let ended = 0;
  const tasks = Array.from({ length: 60 }, () =>
    run(() => {
      work();
      ended++;
    }),
  );
  const TURNS = 40;
  for (let turn = 0; turn < TURNS; turn++) await new Promise((done) => setImmediate(done));
  expect(ended).toBeLessThan(TURNS / 2);
  await Promise.all(tasks);
  expect(ended).toBe(60);
});

test("a task that fails fails for who asked for it alone", async () => {
  const run = oneAtATime();
  const results = await Promise.allSettled([
    run(() => 1),
    run(() => {
      throw new Error("broken");
    }),
    run(async () => 3),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
});
