import type { Ids } from "#app/queue/job.server.ts";

/**
 * Rows that are their own queue: a row has a due time, and claiming it moves that on by a lease. The rows of a worker that
 * died are due again when the lease ends; a worker that resumes after that finds its claim gone
 * (docs/decisions/rows-are-their-own-queue.md).
 */
export type Queue<T> = {
  /** The payload on the channel `due` when a row is due at once. */
  name: string;
  /** Rows handled at once. */
  concurrency: number;
  /** How often it polls without a notification, in milliseconds. */
  pollInterval: number;
  /**
   * The delay before the next poll after one that found rows, so that more come together, in milliseconds: 10 by default.
   */
  batchDelay?: number;
  /** Claims due rows, the longest due first, for a lease. */
  claim(max: number): Promise<T[]>;
  /**
   * If it throws, the row is due again when its lease ends. May return in how many milliseconds to poll again: for a row
   * that it released until then, or 0 for others that became due.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: most return nothing
  handle(item: T): Promise<number | void>;
  /** Ids for the log. */
  logIds(item: T): Ids;
  /** The id of the HTTP request that made the row due, if any. */
  requestIdOf?(item: T): string | null;
};

/** Declares a queue, which `runQueues` polls once it is listed in `app/jobs/catalogue.server.ts`. */
export function defineQueue<T>(queue: Queue<T>): Queue<T> {
  return queue;
}

/** A queue of any rows. */
// biome-ignore lint/suspicious/noExplicitAny: each queue knows its rows
export type AnyQueue = Queue<any>;
