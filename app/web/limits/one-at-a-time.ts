import pLimit from "p-limit";

/** The longest rest, in milliseconds: a task that waited for something else took no processor. */
const LONGEST_REST = 50;

/**
 * A limiter of tasks that hold the thread for milliseconds, such as rendering a page: each runs once those before it have
 * ended, and between two of them the event loop serves whatever else came. While others wait, the next one comes only after
 * a rest as long as the task: a flood of them takes half of the thread, and a buyer, whose order takes several short turns
 * of it, waits for one or two tasks and not for one at each turn.
 */
export function oneAtATime(): <T>(task: () => T | Promise<T>) => Promise<T> {
  const turns = pLimit(1);
  return <T>(task: () => T | Promise<T>) =>
    new Promise<T>((done, fail) => {
      void turns(async () => {
        await new Promise(setImmediate);
        const since = performance.now();
        await Promise.resolve().then(task).then(done, fail);
        if (turns.pendingCount > 0)
          await new Promise((rested) =>
            setTimeout(rested, Math.min(performance.now() - since, LONGEST_REST)),
          );
      });
    });
}
