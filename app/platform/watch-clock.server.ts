import { SECOND } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";
import { gauge } from "#app/platform/metrics.server.ts";

/** More is logged. */
const MAX_OFFSET = 5 * SECOND;

/**
 * Measures how far this process's clock is ahead of the database's, in a gauge, and logs once that it is far off.
 * @param onScrape called at each scrape, for a process that compares its clock at no other time
 * @returns compares the clocks
 */
export function watchClock(
  name: "web_clock_offset_seconds" | "worker_clock_offset_seconds",
  onScrape = () => {},
): (readDatabaseMs: () => Promise<number>) => Promise<void> {
  let offset = 0;
  let isLogged = false;
  gauge(
    name,
    "How far this process's clock is ahead of Postgres' (negative: behind), as of the last comparison.",
    [],
    (metric) => {
      metric.set(offset / SECOND);
      onScrape();
    },
  );
  return async (readDatabaseMs) => {
    const before = Date.now();
    const databaseMs = await readDatabaseMs();
    const after = Date.now();
    // Postgres read its clock at some moment between.
    offset = before > databaseMs ? before - databaseMs : Math.min(0, after - databaseMs);
    const isOff = Math.abs(offset) > MAX_OFFSET;
    if (isOff && !isLogged)
      log.error({ aheadSeconds: offset / SECOND }, "this machine's clock is not the database's");
    isLogged = isOff;
  };
}
