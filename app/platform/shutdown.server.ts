import { SECOND } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";

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

async function stop() {
  if (stopping) return;
  stopping = true;
  const deadline = setTimeout(() => process.exit(0), 8 * SECOND);
  // A moment for requests under way: the server itself stops taking new ones on the same signal.
  await new Promise((resolve) => setTimeout(resolve, SECOND / 4));
  const results = await Promise.allSettled([...tasks].map((task) => task()));
  for (const r of results) if (r.status === "rejected") log.error({ err: r.reason }, "shutdown task failed");
  clearTimeout(deadline);
  process.exit(0);
}
