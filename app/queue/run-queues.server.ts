import { logDatabaseFailure } from "#app/db/database-away.server.ts";
import { listen, onListening } from "#app/db/listen.server.ts";
import { MINUTE } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";
import { counter, gauge } from "#app/platform/metrics.server.ts";
import { forRequest, newRequestId, readRequestId } from "#app/platform/request-id.server.ts";
import { isStopping, onStopping, trackWork } from "#app/platform/shutdown.server.ts";
import type { AnyQueue, Queue } from "#app/queue/define-queue.server.ts";

/** Rows that become due together are claimed together. */
const BATCH_DELAY = 10;
const POLL_GRANULARITY = 50;
const MAX_POLL_DELAY = 10 * MINUTE;

/** Rows in flight in this process. */
const inFlight = new Map<string, number>();

gauge(
  "worker_in_flight",
  "Rows being handled: charge checks, mails, reminders, pictures, stamped copies, erasures, deliveries to webhooks, pixels, member areas and UTMify, tests of webhooks.",
  ["work"],
  (metric) => {
    for (const [work, count] of inFlight) metric.set({ work }, count);
  },
);

const failures = counter(
  "work_failures_total",
  "Rows whose handling ended by an unexpected error; each is due again.",
  ["work"],
);

/** Claims due rows and handles them until the process is stopped; rows in flight are finished. */
export function runQueues(queues: AnyQueue[]): void {
  const polls = new Map(queues.map((queue) => [queue.name, startQueue(queue)]));
  listen("due", (name) => polls.get(name)?.());
  // Notifications sent before listening began were missed.
  onListening(() => {
    for (const poll of polls.values()) poll();
  });
}

/** @returns polls at once */
function startQueue<T>(queue: Queue<T>): () => void {
  const running = new Set<Promise<void>>();
  let isPolling = false;
  let mayBeMore = false;
  inFlight.set(queue.name, 0);
  failures.inc({ work: queue.name }, 0);

  async function poll(): Promise<void> {
    mayBeMore = true;
    if (isPolling) return;
    isPolling = true;
    while (mayBeMore && running.size < queue.concurrency && !isStopping()) {
      mayBeMore = false;
      const freeSlots = queue.concurrency - running.size;
      const claimedCount = await trackWork(claimItems(freeSlots));
      if (claimedCount === 0) continue;
      mayBeMore ||= claimedCount === freeSlots;
      await new Promise((resolve) => setTimeout(resolve, queue.batchDelay ?? BATCH_DELAY));
    }
    isPolling = false;
  }

  async function claimItems(freeSlots: number): Promise<number> {
    try {
      const items = await queue.claim(freeSlots);
      for (const item of items) startItem(item);
      return items.length;
    } catch (err) {
      logDatabaseFailure(err, "work not claimed", { work: queue.name });
      return 0;
    }
  }

  function startItem(item: T): void {
    const work = trackWork(handle(item)).then((retryIn) => {
      running.delete(work);
      inFlight.set(queue.name, running.size);
      // All slots were taken: claim the next rows now.
      if (mayBeMore || retryIn === 0) void poll();
      else if (retryIn) pollIn(retryIn);
    });
    running.add(work);
    inFlight.set(queue.name, running.size);
  }

  // biome-ignore lint/suspicious/noConfusingVoidType: as in `Queue`
  function handle(item: T): Promise<number | void> {
    return forRequest(readRequestId(queue.requestIdOf?.(item)) ?? newRequestId(), async () => {
      try {
        return await queue.handle(item);
      } catch (err) {
        failures.inc({ work: queue.name });
        log.error({ err, work: queue.name, ids: queue.logIds(item) }, "work failed");
      }
    });
  }

  const scheduledPolls = new Set<number>();
  /** Merges polls at almost the same time; one that is far off is left to the regular polls. */
  function pollIn(ms: number): void {
    const at = Math.ceil((performance.now() + ms) / POLL_GRANULARITY) * POLL_GRANULARITY;
    if (ms > MAX_POLL_DELAY || scheduledPolls.has(at)) return;
    scheduledPolls.add(at);
    setTimeout(() => {
      scheduledPolls.delete(at);
      void poll();
    }, at - performance.now()).unref();
  }

  const timer = setInterval(poll, queue.pollInterval);
  onStopping(() => clearInterval(timer));
  void poll();
  return poll;
}
