import { SECOND } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";

/** How long a stop may take: a little more than the longest call to a provider. */
const STOP_WITHIN = 20 * SECOND;

/** So long nothing may be under way before a process ends. */
const QUIET = SECOND / 2;

/** Counted, not kept: what is in a table of what is under way outlives its end. */
let unfinished = 0;
let whenFinished: (() => void) | undefined;
type Task = () => void | Promise<void>;
const atOnce = new Set<Task>();
const atLast = new Set<Task>();
let leaveWithin = 0;
let leaving = false;
let stopping = false;
let listening = false;

/**
 * Runs `task` when the process was asked to stop (SIGTERM, SIGINT) and its work is finished: connections end there.
 * @returns a function that takes the task back
 */
export function onShutdown(task: Task): () => void {
  return keep(atLast, task);
}

/** The same, but at once: for what would never end by itself, as a stream of events. */
export function onStopping(task: Task): () => void {
  return keep(atOnce, task);
}

function keep(tasks: Set<Task>, task: Task): () => void {
  if (!listening) {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, stop);
    process.once("SIGUSR2", leave);
  }
  listening = true;
  tasks.add(task);
  return () => void tasks.delete(task);
}

/**
 * Makes a stop by SIGUSR2, the image's stop signal, begin with a farewell: so long `/healthz` and `/readyz` say that this
 * process goes, while it serves as before, so that a proxy sends new requests to others before the server takes none.
 */
export function sayFarewell(milliseconds: number): void {
  leaveWithin = milliseconds;
}

/** Whether the process goes soon: nothing new should be sent to it. */
export function isLeaving(): boolean {
  return leaving || stopping;
}

function leave(): void {
  leaving = true;
  setTimeout(() => process.kill(process.pid, "SIGTERM"), leaveWithin);
}

/** Whether the process has been asked to stop. */
export function isStopping(): boolean {
  return stopping;
}

/** Marks work that a stop waits for: a request that is half way to a payment is finished, not cut. */
export function finish<T>(work: Promise<T>): Promise<T> {
  unfinished += 1;
  const done = () => {
    unfinished -= 1;
    if (unfinished === 0) whenFinished?.();
  };
  work.then(done, done);
  return work;
}

async function stop() {
  if (stopping) return;
  stopping = true;
  const deadline = setTimeout(() => {
    log.warn({ unfinished }, "stopped before all work was finished");
    process.exit(0);
  }, STOP_WITHIN);
  await Promise.all([...atOnce].map(run));
  // The server itself stops taking connections on the same signal; on those it has, a request may still come. So work must
  // have ended for a moment, in which the last answers leave, too.
  do {
    if (unfinished > 0) await new Promise<void>((resolve) => (whenFinished = resolve));
    await new Promise((resolve) => setTimeout(resolve, QUIET));
  } while (unfinished > 0);
  // Newest first, each after the other: what stands on the database ends before the database's connections do.
  for (const task of [...atLast].reverse()) await run(task);
  clearTimeout(deadline);
  process.exit(0);
}

function run(task: Task): Promise<void> {
  return Promise.resolve()
    .then(task)
    .catch((err) => log.error({ err }, "shutdown task failed"));
}
