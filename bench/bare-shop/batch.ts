type Waiting<T, R> = { item: T; done: (result: R) => void; fail: (error: unknown) => void };

/** Groups that are at work at the same time. */
const AT_ONCE = 3;
const MAX_SIZE = 50;

/**
 * Combines calls of the same moment into one, as many as arrive while earlier groups are at work.
 * @param work returns a result for each item, in their order
 */
export function batch<T, R>(work: (items: T[]) => Promise<R[]>): (item: T) => Promise<R> {
  const waiting: Waiting<T, R>[] = [];
  let running = 0;
  let isScheduled = false;

  async function run(): Promise<void> {
    running++;
    for (let group = waiting.splice(0, MAX_SIZE); group.length > 0; group = waiting.splice(0, MAX_SIZE)) {
      try {
        const results = await work(group.map(({ item }) => item));
        group.forEach(({ done }, at) => {
          done(results[at]!);
        });
      } catch (error) {
        for (const { fail } of group) fail(error);
      }
    }
    running--;
  }

  return (item) =>
    new Promise((done, fail) => {
      waiting.push({ item, done, fail });
      if (isScheduled || running >= AT_ONCE) return;
      isScheduled = true;
      setImmediate(() => {
        isScheduled = false;
        if (running < AT_ONCE) void run();
      });
    });
}
