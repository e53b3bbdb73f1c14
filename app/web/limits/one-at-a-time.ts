import pLimit from "p-limit";

/**
 * A limiter of tasks that hold the thread for milliseconds, such as rendering a page: each runs once those before it have
 * ended, and between two of them the event loop serves whatever else came. So a buyer waits for one of them at most,
 * however many are asked for at once.
 */
export function oneAtATime(): <T>(task: () => T | Promise<T>) => Promise<T> {
  const turns = pLimit(1);
  return (task) =>
    turns(async () => {
      await new Promise(setImmediate);
      return task();
    });
}
