import { logDatabaseFailure } from "#app/db/database-away.server.ts";
import { listen, whenHearing } from "#app/db/listen.server.ts";
import { MINUTE } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";
import { gauge } from "#app/platform/metrics.server.ts";
import { forRequest, newRequestId, readRequestId } from "#app/platform/request-id.server.ts";
import { finish, isStopping, onStopping } from "#app/platform/shutdown.server.ts";
import type { Ids } from "#app/queue/job.server.ts";

/**
 * Work whose rows are their own queue: a row says when it is due, and taking it moves that moment on by a lease. Whoever
 * dies with rows in hand gives them back by the lease's end; whoever wakes up after that finds that the row is no longer
 * as they took it (docs/decisions/rows-are-their-own-queue.md).
 */
export type Pump<T> = {
  /** What is told on the channel `due` when a row is due at once. */
  name: string;
  /** Rows handled at once. */
  atOnce: number;
  /** How often it looks though nobody told it anything, in milliseconds. */
  every: number;
  /** After a look that found something the next waits so long for others to come, in milliseconds: 10 where not said. */
  gather?: number;
  /** Takes rows that are due, the longest due first, for a lease. */
  claim(most: number): Promise<T[]>;
  /**
   * Where it throws, the row is due again when its lease ends. May tell in how many milliseconds to look again: for a row
   * that it gave back until then, or at once for others that became due by what it did.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: most have nothing to tell
  handle(item: T): Promise<number | void>;
  /** Ids for the log. */
  about(item: T): Ids;
  /** The id of the request that made the row due, where one did. */
  request?(item: T): string | null;
};

/** Declares a pump. */
export function definePump<T>(pump: Pump<T>): Pump<T> {
  return pump;
}

/** A pump of any rows, as the worker holds it. */
// biome-ignore lint/suspicious/noExplicitAny: each pump knows what it takes
export type AnyPump = Pump<any>;

/** Those who come at once are taken together. */
const GATHER = 10;
const TOGETHER = 50;
const FAR = 10 * MINUTE;

/** What is under way in this process. */
const underWay = new Map<string, number>();

gauge(
  "work_under_way",
  "Rows that are being handled: questions to the provider, mails, reminders, pictures, stamps, erasures, news for webhooks, pixels, member areas and UTMify.",
  ["work"],
  (metric) => {
    for (const [work, count] of underWay) metric.set({ work }, count);
  },
);

/** Looks for due rows and handles them until the process is told to stop; what is under way then is finished. */
export function runPumps(pumps: AnyPump[]): void {
  const looks = new Map(pumps.map((pump) => [pump.name, startPump(pump)]));
  listen("due", (name) => looks.get(name)?.());
  // What was told before anybody heard.
  whenHearing(() => {
    for (const look of looks.values()) look();
  });
}

/** @returns looks at once */
function startPump<T>(pump: Pump<T>): () => void {
  const held = new Set<Promise<void>>();
  let isLooking = false;
  let mayBeMore = false;
  underWay.set(pump.name, 0);

  async function look(): Promise<void> {
    mayBeMore = true;
    if (isLooking) return;
    isLooking = true;
    while (mayBeMore && held.size < pump.atOnce && !isStopping()) {
      mayBeMore = false;
      const places = pump.atOnce - held.size;
      const taken = await finish(take(places));
      if (taken === 0) continue;
      mayBeMore ||= taken === places;
      await new Promise((resolve) => setTimeout(resolve, pump.gather ?? GATHER));
    }
    isLooking = false;
  }

  async function take(places: number): Promise<number> {
    try {
      const items = await pump.claim(places);
      for (const item of items) hold(item);
      return items.length;
    } catch (err) {
      logDatabaseFailure(err, "work not taken", { work: pump.name });
      return 0;
    }
  }

  function hold(item: T): void {
    const work = finish(handle(item)).then((again) => {
      held.delete(work);
      underWay.set(pump.name, held.size);
      // All places were taken: what waits for one is taken now.
      if (mayBeMore || again === 0) void look();
      else if (again) lookIn(again);
    });
    held.add(work);
    underWay.set(pump.name, held.size);
  }

  // biome-ignore lint/suspicious/noConfusingVoidType: as `Pump` says
  function handle(item: T): Promise<number | void> {
    return forRequest(readRequestId(pump.request?.(item)) ?? newRequestId(), async () => {
      try {
        return await pump.handle(item);
      } catch (err) {
        log.error({ err, work: pump.name, ids: pump.about(item) }, "work failed");
      }
    });
  }

  const awaited = new Set<number>();
  /** Looks that would come at almost the same time are one; one that is far off is left to the usual looks. */
  function lookIn(ms: number): void {
    const at = Math.ceil((performance.now() + ms) / TOGETHER) * TOGETHER;
    if (ms > FAR || awaited.has(at)) return;
    awaited.add(at);
    setTimeout(() => {
      awaited.delete(at);
      void look();
    }, at - performance.now()).unref();
  }

  const timer = setInterval(look, pump.every);
  onStopping(() => clearInterval(timer));
  void look();
  return look;
}
