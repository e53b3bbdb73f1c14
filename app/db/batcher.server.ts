type Pending<T, R> = { item: T; resolve: (result: R) => void; reject: (error: unknown) => void };

type BatchOptions = {
  /** Concurrent groups, 3 by default: one that waits for a lock delays no other. One, where all write the same row. */
  concurrency?: number;
  /** How long the first item waits for others, in milliseconds; by default only for those of the same tick. */
  waitMs?: number;
};

/**
 * Combines concurrent calls into few statements: calls of one tick form a group; those that come while groups are running
 * wait and form the next. If a group fails, each item is run alone, so that none fails because of another.
 * @param work returns one result per item, in their order
 */
export function batch<T, R>(
  maxSize: number,
  work: (items: T[]) => Promise<R[]>,
  { concurrency = 3, waitMs = 0 }: BatchOptions = {},
): (item: T) => Promise<R> {
  const pending: Pending<T, R>[] = [];
  let inFlight = 0;
  let isFlushScheduled = false;

  function scheduleFlush(): void {
    isFlushScheduled = true;
    const flush = () => {
      isFlushScheduled = false;
      if (inFlight < concurrency) void drain();
    };
    if (waitMs > 0) setTimeout(flush, waitMs);
    else setImmediate(flush);
  }

  async function drain(): Promise<void> {
    inFlight += 1;
    for (let chunk = pending.splice(0, maxSize); chunk.length > 0; chunk = pending.splice(0, maxSize))
      await process(chunk);
    inFlight -= 1;
  }

  async function process(chunk: Pending<T, R>[]): Promise<void> {
    try {
      const results = await work(chunk.map(({ item }) => item));
      for (const [at, { resolve }] of chunk.entries()) resolve(results[at]!);
    } catch (error) {
      if (chunk.length === 1) chunk[0]!.reject(error);
      else await Promise.all(chunk.map((pendingItem) => process([pendingItem])));
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      pending.push({ item, resolve, reject });
      if (!isFlushScheduled && inFlight < concurrency) scheduleFlush();
    });
}
