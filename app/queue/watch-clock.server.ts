import type { Sql } from "postgres";
import { SECOND } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";
import { gauge } from "#app/platform/metrics.server.ts";

/** More is logged. */
const MAX_OFFSET = 5 * SECOND;

let offset = 0;
let isLogged = false;

gauge(
  "worker_clock_offset_seconds",
  "How far this process's clock is ahead of Postgres' (negative: behind), as of the last heartbeat.",
  [],
  (metric) => metric.set(offset / SECOND),
);

/** Compares this process's clock with the database's. */
export async function watchClock(client: Sql): Promise<void> {
  const before = Date.now();
  const [row] = await client<
    { now: number }[]
  >`select extract(epoch from clock_timestamp())::float8 * 1000 as now`;
  const after = Date.now();
  // Postgres read its clock at some moment between.
  offset = before > row!.now ? before - row!.now : Math.min(0, after - row!.now);
  const isOff = Math.abs(offset) > MAX_OFFSET;
  if (isOff && !isLogged)
    log.error({ aheadSeconds: offset / SECOND }, "this machine's clock is not the database's");
  isLogged = isOff;
}
