import { SECOND } from "#app/kit/duration.ts";

/** The same as the timeout for a free connection. */
const ACQUIRE_TIMEOUT = 5 * SECOND;

/** The last pending work of each key. */
const tails = new Map<string, Promise<void>>();

/** The work before did not end in time. */
class MutexTimeout extends Error {
  readonly code = "MUTEX_TIMEOUT";
  constructor() {
    super(`mutex not acquired within ${ACQUIRE_TIMEOUT / SECOND} s`);
    this.name = "NoTurn";
  }
}

/**
 * Queues work that needs the same database lock before it takes a connection. Otherwise those waiting for one lock (a buyer
 * who retries while a frozen process holds their order) use up all connections. Between processes the lock itself decides.
 * @throws MutexTimeout where those before take too long
 */
export async function keyedMutex<T>(key: string, work: () => Promise<T>): Promise<T> {
  const previous = tails.get(key);
  const { promise: done, resolve: release } = Promise.withResolvers<void>();
  const tail = (previous ?? Promise.resolve()).then(() => done);
  tails.set(key, tail);
  try {
    if (previous) await withTimeout(previous);
    return await work();
  } finally {
    release();
    void tail.then(() => tails.get(key) === tail && tails.delete(key));
  }
}

function withTimeout(previous: Promise<void>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => reject(new MutexTimeout()), ACQUIRE_TIMEOUT);
  void previous.then(resolve);
  return promise.finally(() => clearTimeout(timer));
}
