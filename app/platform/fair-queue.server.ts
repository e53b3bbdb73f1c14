import { AsyncResource } from "node:async_hooks";
import { SECOND } from "#app/kit/duration.ts";

/** How long a client's requests count, at most. One window for all, as in `countInWindow`. */
const WINDOW = 10 * SECOND;

/**
 * Turns of the event loop per task. In one turn a new connection is accepted, in the next its request is read: with a task in
 * each, a cached page would wait for two of them.
 */
const TURNS = 3;

type Waiting = { client: string; task: () => void };

/**
 * Starts tasks at once, but only one in three turns of the event loop: what others have begun goes on in between. Of those
 * that wait, the one whose client has started the fewest is next, then the one that waits longest, and so on: a flood, even
 * from hundreds of addresses, makes a new client wait for two tasks, and nobody waits for ever.
 */
export function fairQueue(): (client: string, task: () => void) => void {
  const waiting: Waiting[] = [];
  let started = new Map<string, number>();
  let windowEnd = 0;
  let isTaken = false;
  let isOldestNext = false;
  const start = ({ client, task }: Waiting) => {
    const now = performance.now();
    if (now > windowEnd) {
      started = new Map();
      windowEnd = now + WINDOW;
    }
    started.set(client, countOf(client) + 1);
    isTaken = true;
    afterTurns(TURNS);
    task();
  };
  const afterTurns = (left: number) => {
    setImmediate(left === 1 ? startNext : () => afterTurns(left - 1));
  };
  const countOf = (client: string) => started.get(client) ?? 0;
  const startNext = () => {
    isTaken = false;
    if (waiting.length === 0) return;
    const [next] = waiting.splice(isOldestNext ? 0 : fewest(), 1);
    isOldestNext = !isOldestNext;
    start(next!);
  };
  const fewest = () => {
    let found = 0;
    for (const [at, { client }] of waiting.entries())
      if (countOf(client) < countOf(waiting[found]!.client)) found = at;
    return found;
  };
  return (client, task) => {
    if (!isTaken) return start({ client, task });
    // Keeps the request's own context, from which its log lines get its id.
    waiting.push({ client, task: AsyncResource.bind(task) });
  };
}
