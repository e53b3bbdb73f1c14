import { SECOND } from "#app/kit/duration.ts";

/** As long as somebody waits for a free connection. */
const TURN_WITHIN = 5 * SECOND;

/** The end of what goes on under each key. */
const lines = new Map<string, Promise<void>>();

/** Those before had not ended after as long as we wait. */
class NoTurn extends Error {
  readonly code = "NO_TURN";
  constructor() {
    super(`no turn within ${TURN_WITHIN / SECOND} s`);
    this.name = "NoTurn";
  }
}

/**
 * Lets work that needs the same lock in the database wait here, before it takes a connection. Else those who wait for one
 * lock (a buyer who tries again and again while a frozen process holds their order) take every connection there is, and
 * nobody is served. Processes still take turns by the lock itself.
 * @throws NoTurn where those before take too long
 */
export async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = lines.get(key);
  const { promise: done, resolve: end } = Promise.withResolvers<void>();
  const mine = (before ?? Promise.resolve()).then(() => done);
  lines.set(key, mine);
  try {
    if (before) await atMost(before);
    return await work();
  } finally {
    end();
    void mine.then(() => lines.get(key) === mine && lines.delete(key));
  }
}

function atMost(turn: Promise<void>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => reject(new NoTurn()), TURN_WITHIN);
  void turn.then(resolve);
  return promise.finally(() => clearTimeout(timer));
}
