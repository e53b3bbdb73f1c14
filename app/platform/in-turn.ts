const ends = new Map<string, Promise<void>>();

/**
 * Does what has one key one after the other in this process, in the order it came. What must wait for a lock in the
 * database waits here first: so one key holds one connection, however often it is asked for.
 */
export function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const mine = (ends.get(key) ?? Promise.resolve()).then(work);
  const end: Promise<void> = mine.then(noop, noop).then(() => {
    if (ends.get(key) === end) ends.delete(key);
  });
  ends.set(key, end);
  return mine;
}

function noop(): void {}
