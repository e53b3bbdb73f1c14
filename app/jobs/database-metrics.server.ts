import { sql } from "drizzle-orm";
import { measuring } from "#app/db/client.server.ts";
import { logDatabaseFailure } from "#app/db/database-away.server.ts";
import { readings } from "#app/jobs/what-waits.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";
import { type Reading, readingsText } from "#app/platform/metrics.server.ts";

/** However many look at once and how often, the database is asked once in so long. */
const KEPT_FOR = 5 * SECOND;
/** Prometheus waits for ten. What was not read by then is left out. */
const WITHIN = 3 * SECOND;

let kept: { text: Promise<string>; until: number } | undefined;

/** What waits in the database, in Prometheus' text format. Where Postgres does not answer only `database_up` is told: 0. */
export function databaseMetrics(): Promise<string> {
  if (!kept || kept.until < performance.now())
    kept = { text: look().then(readingsText), until: performance.now() + KEPT_FOR };
  return kept.text;
}

async function look(): Promise<Reading[]> {
  const seen: Look = { isUp: false, isOver: false, found: [] };
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, WITHIN);
  });
  await Promise.race([read(seen), over]);
  clearTimeout(timer);
  seen.isOver = true;
  const help = "1 where Postgres answered, 0 where it did not.";
  return [{ name: "database_up", help, values: [[{}, seen.isUp ? 1 : 0]] }, ...seen.found];
}

type Look = { isUp: boolean; isOver: boolean; found: Reading[] };

/** One statement after the other, on one connection. One that takes too long costs its own figures alone. */
async function read(seen: Look): Promise<void> {
  try {
    await measuring.execute(sql`select 1`);
    seen.isUp = true;
  } catch (err) {
    return logDatabaseFailure(err, "database not measured");
  }
  for (const [what, readOne] of Object.entries(readings)) {
    if (seen.isOver) return;
    await readOne().then(
      (found) => void seen.found.push(...found),
      (err) => log.warn({ err, what }, "not measured"),
    );
  }
}
