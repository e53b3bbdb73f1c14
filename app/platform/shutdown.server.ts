import { SECOND } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";
import { STOP_TIMEOUT } from "#app/platform/stop-timeout.ts";

/** How long nothing may be in flight before the process ends. */
const IDLE_BEFORE_EXIT = SECOND / 2;

/** A counter, not a set: entries of a long-lived table survive garbage collection longer. */
let unfinished = 0;
let onIdle: (() => void) | undefined;
type Task = () => void | Promise<void>;
const stoppingTasks = new Set<Task>();
const shutdownTasks = new Set<Task>();
let drainTime = 0;
let draining = false;
let stopping = false;
let listening = false;

/**
 * Runs `task` after the process was asked to stop (SIGTERM, SIGINT) and its work is finished: for closing connections.
 * @returns removes the task
 */
export function onShutdown(task: Task): () => void {
  return register(shutdownTasks, task);
}

/** Runs `task` as soon as the process is asked to stop: for what never ends by itself, such as an event stream. */
export function onStopping(task: Task): () => void {
  return register(stoppingTasks, task);
}

function register(tasks: Set<Task>, task: Task): () => void {
  if (!listening) {
    // For as long as the process runs: a signal that nobody listens for ends it at once, in the middle of an order.
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, stop);
    process.on("SIGUSR2", beginDrain);
  }
  listening = true;
  tasks.add(task);
  return () => void tasks.delete(task);
}

/**
 * Makes a stop by SIGUSR2, the image's stop signal, begin with a drain: for this time `/healthz` and `/readyz` report
 * that the process goes, while it still serves, so that a proxy sends new requests elsewhere.
 */
export function drainBeforeStop(milliseconds: number): void {
  drainTime = milliseconds;
}

/** Whether the process is draining: nothing new should be sent to it. */
export function isDraining(): boolean {
  return draining || stopping;
}

function beginDrain(): void {
  if (isDraining()) return;
  draining = true;
  // The signal: the server stops accepting connections on it.
  setTimeout(() => process.kill(process.pid, "SIGTERM"), drainTime);
}

/** Whether the process was asked to stop. */
export function isStopping(): boolean {
  return stopping;
}

/** Registers work that a stop waits for, so that a request in the middle of a payment is finished. */
export function trackWork<T>(work: Promise<T>): Promise<T> {
  unfinished += 1;
  const done = () => {
    unfinished -= 1;
    if (unfinished === 0) onIdle?.();
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
  }, STOP_TIMEOUT);
  await Promise.all([...stoppingTasks].map(run));
  // The server stops accepting connections on the same signal, but open ones may still bring a request. So work must be
  // idle for a moment, in which the last answers are sent too.
  do {
    if (unfinished > 0) await new Promise<void>((resolve) => (onIdle = resolve));
    await new Promise((resolve) => setTimeout(resolve, IDLE_BEFORE_EXIT));
  } while (unfinished > 0);
  // Newest first, one by one: what depends on the database stops before its connections close.
  for (const task of [...shutdownTasks].reverse()) await run(task);
  clearTimeout(deadline);
  process.exit(0);
}

function run(task: Task): Promise<void> {
  return Promise.resolve()
    .then(task)
    .catch((err) => log.error({ err }, "shutdown task failed"));
}
