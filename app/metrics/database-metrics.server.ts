import { sql } from "drizzle-orm";
import { logDatabaseFailure } from "#app/db/database-away.server.ts";
import { metricsDb } from "#app/db/replica/read-clients.server.ts";
import { readWith, startReading } from "#app/db/replica/reading.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { backlogReadings } from "#app/metrics/backlog-metrics.server.ts";
import { measureReplica } from "#app/metrics/measure-replica.server.ts";
import { log } from "#app/platform/log.server.ts";
import { formatReadings, type GaugeReading } from "#app/platform/metrics.server.ts";

/** Readings are cached this long, however many scrapes there are. */
const CACHE_TIME = 5 * SECOND;
/** Prometheus times out after ten seconds. Readings not done by then are left out. */
const READ_TIMEOUT = 3 * SECOND;
/** Older data is not measured: on a replica that lags, what was done long ago would seem to wait. */
const MAX_DATA_AGE = 5 * SECOND;

let cached: { text: Promise<string>; until: number } | undefined;

/**
 * The backlog metrics in Prometheus' text format, from the replica if there is one. If the primary does not answer, only
 * `database_up` is reported: 0.
 */
export function databaseMetrics(): Promise<string> {
  if (!cached || cached.until < performance.now())
    cached = { text: readDatabase().then(formatReadings), until: performance.now() + CACHE_TIME };
  return cached.text;
}

async function readDatabase(): Promise<GaugeReading[]> {
  const state: ReadState = { isUp: false, isOver: false, found: [] };
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, READ_TIMEOUT);
  });
  await Promise.race([read(state), over]);
  clearTimeout(timer);
  state.isOver = true;
  const help = "1 where Postgres answered, 0 where it did not.";
  return [{ name: "database_up", help, values: [[{}, state.isUp ? 1 : 0]] }, ...state.found];
}

type ReadState = { isUp: boolean; isOver: boolean; found: GaugeReading[] };

/** Reads one after the other, on one connection. One that times out is left out alone. */
async function read(state: ReadState): Promise<void> {
  try {
    await metricsDb.execute(sql`select 1`);
    state.isUp = true;
  } catch (err) {
    return logDatabaseFailure(err, "database not measured");
  }
  const reading = startReading(Date.now() - MAX_DATA_AGE);
  for (const [what, readOne] of Object.entries({ replica: measureReplica, ...backlogReadings })) {
    if (state.isOver) return;
    await readWith(reading, readOne).then(
      (found) => void state.found.push(...found),
      (err) => log.warn({ err, what }, "not measured"),
    );
  }
}
