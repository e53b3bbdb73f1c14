import { AsyncLocalStorage } from "node:async_hooks";

/** What reads a report, and from when the data is that it read. Milliseconds since 1970. */
export type Reading = {
  /** What was committed until then has to be seen. */
  readonly notBefore: number;
  /** The oldest data read so far; infinite as long as only the primary was read. */
  dataTime: number;
};

const readings = new AsyncLocalStorage<Reading>();

/** A reading that has to see what was committed until `notBefore`. */
export function startReading(notBefore = 0): Reading {
  return { notBefore, dataTime: Number.POSITIVE_INFINITY };
}

/**
 * Runs `work`, which may read the replica: everything else reads the primary. Awaited inside, since a statement of Drizzle's
 * is sent only then.
 */
export function readWith<T>(reading: Reading, work: () => PromiseLike<T>): Promise<T> {
  return readings.run(reading, async () => await work());
}

/** The reading that the current statement belongs to; undefined if it must be sent to the primary. */
export function currentReading(): Reading | undefined {
  return readings.getStore();
}
