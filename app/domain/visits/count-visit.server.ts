import { type AddedViews, addViews } from "#app/domain/visits/add-views.server.ts";
import type { Visit } from "#app/domain/visits/read-visit.server.ts";
import { dayOf } from "#app/kit/dates.ts";
import { SECOND } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";
import { counter } from "#app/platform/metrics.server.ts";
import { onShutdown } from "#app/platform/shutdown.server.ts";

/** How long counts are in memory alone: a process that is killed loses so much, and never a sale. */
const EVERY = 5 * SECOND;

/** Counts held at once, and campaigns of one checkout among them: whatever strangers send, memory does not grow. */
const MOST = 20_000;
const MOST_CAMPAIGNS = 200;

const lost = counter(
  "funnel_views_lost_total",
  "Views of checkouts that were not added up: too many at once, or no database.",
);

let counts = new Map<string, AddedViews>();
/** Of each checkout, kind of device and day. */
let campaigns = new Map<string, number>();
let timer: NodeJS.Timeout | undefined;
let adding: Promise<void> = Promise.resolve();

/** Counts what a buyer's script told, in memory. It is added to the table within seconds, with all that came meanwhile. */
export function countVisit(visit: Visit, now = new Date()): void {
  const count = countOf(visit, dayOf(now));
  if (!count) return void lost.inc();
  count[visit.step] += 1;
  timer ??= setTimeout(flushViews, EVERY).unref();
}

/** Where a visit is counted: beyond so many campaigns of one checkout with all further ones; null where nothing more fits. */
function countOf({ product, device, campaign }: Visit, day: string): AddedViews | null {
  const checkout = JSON.stringify([day, product, device]);
  const keyOf = (name: Visit["campaign"]) => JSON.stringify([checkout, name]);
  const known = counts.get(keyOf(campaign));
  if (known) return known;
  if (counts.size >= MOST) return counts.get(keyOf("others")) ?? null;
  const isNamed = campaign !== "others" && campaign.some((part) => part !== null);
  const names = (campaigns.get(checkout) ?? 0) + Number(isNamed);
  const name = isNamed && names > MOST_CAMPAIGNS ? "others" : campaign;
  campaigns.set(checkout, names);
  const count = counts.get(keyOf(name)) ?? { day, product, campaign: name, device, seen: 0, begun: 0 };
  counts.set(keyOf(name), count);
  return count;
}

/** How many counts are in memory. */
export function countsHeld(): number {
  return counts.size;
}

/** Adds to the table what was counted since the last time. One after the other. */
export function flushViews(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  adding = adding.then(flush);
  return adding;
}

async function flush(): Promise<void> {
  const views = [...counts.values()];
  if (views.length === 0) return;
  counts = new Map();
  campaigns = new Map();
  try {
    await addViews(views);
  } catch (error) {
    // It may have been done, and only the answer was lost: rather some views too few than twice.
    lost.inc(views.reduce((sum, { seen }) => sum + seen, 0));
    log.warn({ err: error, counts: views.length }, "views of checkouts not added up");
  }
}

// What was counted last is added before the connections end: tasks run newest first, and `addViews` has opened them.
onShutdown(flushViews);
