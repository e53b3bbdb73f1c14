import { SECOND } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";

/** How long a stop may take: a little more than the longest call to a provider. */
const STOP_WITHIN = 20 * SECOND;

const unfinished = new Set<Promise<unknown>>();
const tasks = new Set<() => void | Promise<void>>();
let stopping = false;
let listening = false;

/**
 * Runs `task` when the process is asked to stop (SIGTERM, SIGINT): open streams and connections end there.
 * @returns a function that takes the task back
 */
export function onShutdown(task: () => void | Promise<void>): () => void {
  if (!listening) for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, stop);
  listening = true;
  tasks.add(task);
  return () => void tasks.delete(task);
}

/** Whether the process has been asked to stop. */
export function isStopping(): boolean {
  return stopping;
}

/** Marks work that a stop waits for: a request that is half way to a payment is finished, not cut. */
export function finish<T>(work: Promise<T>): Promise<T> {
  unfinished.add(work);
  const done = () => void unfinished.delete(work);
  work.then(done, done);
  return work;
}

async function stop() {
  if (stopping) return;
  stopping = true;
  const deadline = setTimeout(() => process.exit(0), STOP_WITHIN);
  // The server itself stops taking requests on the same signal; those under way may lead to more.
  while (unfinished.size > 0) await Promise.allSettled(unfinished);
  // A moment for the last answers to leave.
  await new Promise((resolve) => setTimeout(resolve, SECOND / 4));
  // Newest first, each after the other: what stands on the database ends before the database's connections do.
  for (const task of [...tasks].reverse())
    await Promise.resolve()
      .then(task)
      .catch((err) => log.error({ err }, "shutdown task failed"));
  clearTimeout(deadline);
  process.exit(0);
}
