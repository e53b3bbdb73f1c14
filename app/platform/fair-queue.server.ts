import { AsyncResource } from "node:async_hooks";
import { SECOND } from "#app/kit/duration.ts";

/** How long a client's requests count, at most. One window for all, as in `countInWindow`. */
const WINDOW = 10 * SECOND;

/**
 * Turns of the event loop per task. In one turn a new connection is accepted, in the next its request is read: with a task in
 * each, a cached page would wait for two of them.
 */
const TURNS = 3;

/** Light tasks that start together: they cost about as much as one other task, and write in one statement what they write. */
const LIGHT_AT_ONCE = 8;

type Waiting = { client: string; task: () => void; isLight: boolean };

/**
 * Starts tasks at once, but only one in three turns of the event loop: what others have begun goes on in between. Of those
 * that wait, the one whose client has started the fewest is next, then the one that waits longest, and so on: a flood, even
 * from hundreds of addresses, makes a new client wait for two tasks, and nobody waits for ever. With a light one start other
 * light ones that wait.
 */
export function fairQueue(): (client: string, task: () => void, isLight?: boolean) => void {
  const waiting: Waiting[] = [];
  let started = new Map<string, number>();
  let windowEnd = 0;
  let isTaken = false;
  let isOldestNext = false;
  const countOf = (client: string) => started.get(client) ?? 0;
  const run = ({ client, task }: Waiting) => {
    const now = performance.now();
    if (now > windowEnd) {
      started = new Map();
      windowEnd = now + WINDOW;
    }
    started.set(client, countOf(client) + 1);
    task();
  };
  const start = (first: Waiting) => {
    isTaken = true;
    afterTurns(TURNS);
    run(first);
    for (let count = 1; first.isLight && count < LIGHT_AT_ONCE; count++) {
      const next = takeNext(
        waiting.filter(({ isLight }) => isLight),
        count % 2 === 0,
      );
      if (!next) return;
      run(next);
    }
  };
  const afterTurns = (left: number) => {
    setImmediate(left === 1 ? startNext : () => afterTurns(left - 1));
  };
  const startNext = () => {
    isTaken = false;
    const next = takeNext(waiting, isOldestNext);
    if (!next) return;
    isOldestNext = !isOldestNext;
    start(next);
  };
  const takeNext = (candidates: Waiting[], isOldest: boolean): Waiting | undefined => {
    const [oldest] = candidates;
    if (!oldest) return undefined;
    const next = isOldest ? oldest : fewest(candidates);
    waiting.splice(waiting.indexOf(next), 1);
    return next;
  };
  const fewest = (candidates: Waiting[]) =>
    candidates.reduce((found, one) => (countOf(one.client) < countOf(found.client) ? one : found));
  return (client, task, isLight = false) => {
    if (!isTaken) return start({ client, task, isLight });
    // Keeps the request's own context, from which its log lines get its id.
    waiting.push({ client, task: AsyncResource.bind(task), isLight });
  };
}
