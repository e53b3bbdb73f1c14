import pLimit from "p-limit";

/** How many times as long as the last task a pause is. */
const PAUSE = 3;
/** The longest pause, in milliseconds: a task that only waited used no processor. */
const MAX_PAUSE = 50;

/**
 * Runs tasks that block the thread for milliseconds, such as rendering a page, one at a time, and lets the event loop
 * serve other work in between. While others wait, the next one starts only after a pause three times as long as the last
 * task: a flood gets a quarter of the thread, and a buyer, whose order needs several short tasks, waits for one or two of
 * them in all.
 * @param needsPause whether anybody needs the thread meanwhile; always by default
 */
export function serialQueue(needsPause = () => true): <T>(task: () => T | Promise<T>) => Promise<T> {
  const limit = pLimit(1);
  return <T>(task: () => T | Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      void limit(async () => {
        await new Promise(setImmediate);
        const startedAt = performance.now();
        await Promise.resolve().then(task).then(resolve, reject);
        if (limit.pendingCount > 0 && needsPause())
          await new Promise((resume) =>
            setTimeout(resume, Math.min(PAUSE * (performance.now() - startedAt), MAX_PAUSE)),
          );
      });
    });
}
