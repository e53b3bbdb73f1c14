/** So many failures one after another have another cause than their items: a service or the database is away. */
const MAX_FAILURES_IN_A_ROW = 100;

/**
 * Handles each item and goes on after one that fails: it is tried again with the job, and holds up no other.
 * @throws an AggregateError of the failures, also of listing the items, at the end
 */
export async function runEach<T>(
  items: Iterable<T> | AsyncIterable<T>,
  handle: (item: T) => Promise<unknown>,
  message: string,
): Promise<void> {
  const failures: unknown[] = [];
  let failuresInARow = 0;
  try {
    for await (const item of items) {
      try {
        await handle(item);
        failuresInARow = 0;
      } catch (error) {
        failures.push(error);
        failuresInARow += 1;
        if (failuresInARow === MAX_FAILURES_IN_A_ROW) break;
      }
    }
  } catch (error) {
    // Those that follow could not be listed.
    failures.push(error);
  }
  if (failures.length > 0) throw new AggregateError(failures, message);
}

/**
 * Handles batches of ids as `runEach` its items. After a batch that fails each of its ids is tried by itself.
 * @throws as `runEach`
 */
export async function runBatches(
  batches: AsyncIterable<string[]>,
  handle: (ids: string[]) => Promise<unknown>,
  message: string,
): Promise<void> {
  const handleBatch = (ids: string[]) => handle(ids).catch(() => runEach(ids, (id) => handle([id]), message));
  await runEach(batches, handleBatch, message);
}
