import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import pLimit from "p-limit";

/** How many times as long as the last task a pause is, at least. */
const PAUSE = 3;
/** The longest pause, in milliseconds: a task that only waited used no processor. */
const MAX_PAUSE = 50;
/** The share of the time since the last task began in which the thread may have been busy when the next one starts. */
const MAX_BUSY = 0.5;
/** How often a pause looks again, in milliseconds. */
const POLL = 2;

/**
 * Runs tasks that block the thread for milliseconds, such as rendering a page, one at a time, and lets the event loop
 * serve other work in between. While others wait, the next one starts only after a pause three times as long as the last
 * task, and while the thread is busy, with what the last task has begun or with anything else, up to 50 ms later: a flood
 * gets the time that is left over, and a buyer, whose order needs several short tasks, waits for one or two of them in all.
 * @param needsPause whether anybody needs the thread meanwhile; always by default
 */
export function serialQueue(needsPause = () => true): <T>(task: () => T | Promise<T>) => Promise<T> {
  const limit = pLimit(1);
  return <T>(task: () => T | Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      void limit(async () => {
        await new Promise(setImmediate);
        const startedAt = performance.now();
        const before = performance.eventLoopUtilization();
        await Promise.resolve().then(task).then(resolve, reject);
        if (limit.pendingCount === 0 || !needsPause()) return;
        const pauseEnd = performance.now() + MAX_PAUSE;
        await sleep(Math.min(PAUSE * (performance.now() - startedAt), MAX_PAUSE));
        while (
          performance.now() < pauseEnd &&
          needsPause() &&
          performance.eventLoopUtilization(before).utilization > MAX_BUSY
        )
          await sleep(POLL);
      });
    });
}
