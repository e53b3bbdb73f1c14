import { channel } from "node:diagnostics_channel";
import type { ExtractTablesWithRelations } from "drizzle-orm";
import { drizzle, type PostgresJsDatabase, type PostgresJsTransaction } from "drizzle-orm/postgres-js";
import type { Sql } from "postgres";
import { driver } from "#app/db/driver.server.ts";
import { LIMITS, LONG_LIMITS, MEASURING_LIMITS } from "#app/db/limits.server.ts";
import { openPool } from "#app/db/pool.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { onShutdown } from "#app/platform/shutdown.server.ts";

const statements = channel("checkintelli:statement");

const options = {
  casing: "snake_case",
  logger: { logQuery: (query: string) => void (statements.hasSubscribers && statements.publish(query)) },
} as const;

const ours = openPool("checkintelli", 10, LIMITS);
/** What may take long has connections of its own: however many reports are drawn, a checkout finds one free. */
const patient = openPool("checkintelli-reports", 4, LONG_LIMITS);

/** What operators look at must not wait for those who sell, nor they for it. */
const measurers = openPool("checkintelli-metrics", 1, MEASURING_LIMITS);

/** What `db` stands on; beside it only the counting of tries (web/limits/throttle) uses it. */
export const pool = driver(ours, true);

/**
 * The database. Each connection keeps what Postgres made of a statement: the second time it costs one round trip, not two,
 * and is not parsed again. Each statement is announced on the diagnostics channel `checkintelli:statement`, so tests can count.
 */
export const db = drizzle(pool as Sql, options);

/**
 * The same database for the statements of reports and for the batches of a job. Their best plan depends on the parameters,
 * so no prepared plan is kept, and they may take longer than a request.
 */
export const adHoc = drizzle(driver(patient, false) as Sql, options);

/** The same database for what is counted for operators: one connection, and statements that may take a second. */
export const measuring = drizzle(driver(measurers, false) as Sql, options);

type NoSchema = Record<string, never>;
/** An open transaction. */
export type Tx = PostgresJsTransaction<NoSchema, ExtractTablesWithRelations<NoSchema>>;
/** The database or an open transaction: for verbs that take part in either. */
export type Db = PostgresJsDatabase<NoSchema> | Tx;

onShutdown(() => Promise.all([ours.end(5 * SECOND), patient.end(SECOND), measurers.end(0)]).then(() => {}));
