import { sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { databaseTime } from "#app/db/columns.server.ts";
import { logDatabaseFailure } from "#app/db/database-away.server.ts";
import { watchClock } from "#app/platform/watch-clock.server.ts";

/**
 * Measures how far this web's clock is ahead of the database's: each scrape begins a comparison and does not wait for it, so the
 * next one has the result.
 * @returns compares the clocks now
 */
export function watchWebClock(): () => Promise<void> {
  let comparing: Promise<void> | undefined;
  const compareNow = () => {
    comparing ??= compare(readDatabaseMs)
      .catch((err) => logDatabaseFailure(err, "this web's clock was not compared"))
      .finally(() => {
        comparing = undefined;
      });
    return comparing;
  };
  // Once the scrape has read the others: it would be among the requests that wait for a connection.
  const compareSoon = () => void setImmediate(() => void compareNow());
  const compare = watchClock("web_clock_offset_seconds", compareSoon);
  return compareNow;
}

async function readDatabaseMs(): Promise<number> {
  const [row] = await db.execute<{ ms: number }>(sql`select ${databaseTime} as ms`);
  return row!.ms;
}
