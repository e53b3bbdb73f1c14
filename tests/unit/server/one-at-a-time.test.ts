import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { serialQueue } from "#app/server/limits/serial-queue.server.ts";
import { until } from "#tests/support/until.ts";

/** Holds the thread, as rendering does. */
function work() {
  for (const end = performance.now() + 4; performance.now() < end; );
}

test("a caller that needs many short turns of the thread gets several between two queued tasks", async () => {
  const run = serialQueue();
  let ended = 0;
  const tasks = Array.from({ length: 60 }, () =>
    run(() => {
      work();
      ended++;
    }),
  );
  const PASSES = 40;
  for (let pass = 0; pass < PASSES; pass++) await new Promise((done) => setImmediate(done));
  expect(ended).toBeLessThan(PASSES / 2);
  await Promise.all(tasks);
  expect(ended).toBe(60);
});

test("the next task waits while the thread is busy with what the last one began, but not for ever", async () => {
  const run = serialQueue();
  const startOrder = async () => {
    const order: string[] = [];
    // What a request does whenever its rows arrive.
    const goOn = (left: number) => {
      work();
      order.push("step");
      if (left > 1) setImmediate(goOn, left - 1);
    };
    const begun = run(() => void setImmediate(goOn, 4));
    const next = run(() => void order.push("second"));
    await Promise.all([begun, next]);
    return order;
  };
  // Where the machine leaves the process no core for 50 ms, the next task is right to start.
  await until(async () => (await startOrder()).join(" ") === "step step step step second", { seconds: 10 });
  // A thread that is never free.
  let isEnded = false;
  const busy = () => {
    work();
    if (!isEnded) setTimeout(busy);
  };
  busy();
  await Promise.all([run(() => {}), run(() => {})]);
  isEnded = true;
});

test("nobody waits after a task that was alone, nor where nobody needs the thread", async () => {
  const startsSoon = async (run: ReturnType<typeof serialQueue>) => {
    let hasStarted = false;
    const next = run(() => {
      hasStarted = true;
    });
    for (let pass = 0; pass < 5; pass++) await nextTurn();
    const isSoon = hasStarted;
    await next;
    return isSoon;
  };
  const alone = serialQueue();
  await alone(work);
  await nextTurn();
  expect(await startsSoon(alone)).toBe(true);
  const unneeded = serialQueue(() => false);
  const first = unneeded(work);
  const second = startsSoon(unneeded);
  await first;
  expect(await second).toBe(true);
});

test("a failing task fails only for its caller", async () => {
  const run = serialQueue();
  const results = await Promise.allSettled([
    run(() => 1),
    run(() => {
      throw new Error("broken");
    }),
    run(async () => 3),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
});
