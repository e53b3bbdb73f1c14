import { addViews, type ViewCount } from "#app/domain/visit-counts/add-views.server.ts";
import type { Visit } from "#app/domain/visit-counts/read-visit.server.ts";
import { dayOf } from "#app/kit/dates.ts";
import { SECOND } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";
import { counter } from "#app/platform/metrics.server.ts";
import { onShutdown } from "#app/platform/shutdown.server.ts";

/** How long counts are only in memory: a process that is killed loses this much, and never a sale. */
const FLUSH_INTERVAL = 5 * SECOND;

/** Counts in memory, and campaigns of one checkout among them: limits memory, whatever is sent. */
const MAX_COUNTS = 20_000;
const MAX_CAMPAIGNS = 200;

const lostViews = counter(
  "funnel_views_lost_total",
  "Checkout views that were lost: too many at once, or the database was unavailable.",
);

let counts = new Map<string, ViewCount>();
/** By checkout, kind of device and day. */
let campaigns = new Map<string, number>();
let timer: NodeJS.Timeout | undefined;
let lastFlush: Promise<void> = Promise.resolve();

/** Counts a visit in memory. It is added to the table within seconds, together with others. */
export function countVisit(visit: Visit, now = new Date()): void {
  const count = findCount(visit, dayOf(now));
  if (!count) return void lostViews.inc();
  count[visit.step] += 1;
  timer ??= setTimeout(flushVisitCounts, FLUSH_INTERVAL).unref();
}

/** The count for a visit: campaigns beyond the limit of a checkout share one; null where the memory limit is reached. */
function findCount({ product, device, campaign }: Visit, day: string): ViewCount | null {
  const checkout = JSON.stringify([day, product, device]);
  const keyOf = (name: Visit["campaign"]) => JSON.stringify([checkout, name]);
  const known = counts.get(keyOf(campaign));
  if (known) return known;
  if (counts.size >= MAX_COUNTS) return counts.get(keyOf("others")) ?? null;
  const isNamed = campaign !== "others" && campaign.some((part) => part !== null);
  const names = (campaigns.get(checkout) ?? 0) + Number(isNamed);
  const name = isNamed && names > MAX_CAMPAIGNS ? "others" : campaign;
  campaigns.set(checkout, names);
  const count = counts.get(keyOf(name)) ?? { day, product, campaign: name, device, seen: 0, begun: 0 };
  counts.set(keyOf(name), count);
  return count;
}

/** How many counts are in memory. */
export function heldCountsSize(): number {
  return counts.size;
}

/** Writes the counts since the last flush to the table. Flushes run one after the other. */
export function flushVisitCounts(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  lastFlush = lastFlush.then(flush);
  return lastFlush;
}

async function flush(): Promise<void> {
  const views = [...counts.values()];
  if (views.length === 0) return;
  counts = new Map();
  campaigns = new Map();
  try {
    await addViews(views);
  } catch (error) {
    // It may have been written and only the answer lost. Too few views are better than views counted twice.
    lostViews.inc(views.reduce((sum, { seen }) => sum + seen, 0));
    log.warn({ err: error, counts: views.length }, "checkout views not stored");
  }
}

// The last counts are written before the connections close: shutdown tasks run newest first, and `addViews` opened them.
onShutdown(flushVisitCounts);
