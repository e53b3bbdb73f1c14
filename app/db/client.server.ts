import { channel } from "node:diagnostics_channel";
import type { ExtractTablesWithRelations } from "drizzle-orm";
import { drizzle, type PostgresJsDatabase, type PostgresJsTransaction } from "drizzle-orm/postgres-js";
import type { Sql } from "postgres";
import { type Driver, driver } from "#app/db/driver.server.ts";
import { LIMITS, LONG_LIMITS, MEASURING_LIMITS } from "#app/db/limits.server.ts";
import { openPool } from "#app/db/pool.server.ts";
import { writeSqlFaster } from "#app/db/write-sql.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { onShutdown } from "#app/platform/shutdown.server.ts";

const statements = channel("checkintelli:statement");

const options = {
  casing: "snake_case",
  logger: {
    logQuery: (text: string, values: unknown[]) =>
      void (statements.hasSubscribers && statements.publish({ text, values } satisfies SentStatement)),
  },
} as const;

/** A statement as it is sent, and the values of its parameters. */
export type SentStatement = { text: string; values: unknown[] };

/** A database of Drizzle's over our driver. */
export function openDrizzle(client: Driver): PostgresJsDatabase<NoSchema> {
  return writeSqlFaster(drizzle(client as Sql, options));
}

const mainPool = openPool("checkintelli", 10, LIMITS);
/** Long statements have connections of their own, so that reports leave the checkout free ones. */
export const batchPool = openPool("checkintelli-reports", 4, LONG_LIMITS);

/** Metrics and sales must not wait for each other. */
export const metricsPool = openPool("checkintelli-metrics", 1, MEASURING_LIMITS);

/** The pool of `db`; beside it only the rate limiters use it (`app/server/limits/rate-limiters.server.ts`). */
export const pool = driver(mainPool, true);

/**
 * The database. Each connection caches prepared statements: from the second time on, one costs one round trip instead of two
 * and is not parsed again. Each statement is published on the diagnostics channel `checkintelli:statement`, so tests can
 * count.
 */
export const db = openDrizzle(pool);

/**
 * The same database for batches of a job, and for lists whose rows are acted on. Their best plan depends on the parameters, so
 * statements are not prepared, and they may take longer than a request. Reports use `reportsDb`.
 */
export const batchDb = openDrizzle(driver(batchPool, false));

type NoSchema = Record<string, never>;
/** An open transaction. */
export type Tx = PostgresJsTransaction<NoSchema, ExtractTablesWithRelations<NoSchema>>;
/** The database or an open transaction: for functions that take part in either. */
export type Db = PostgresJsDatabase<NoSchema> | Tx;

onShutdown(() =>
  Promise.all([mainPool.end(5 * SECOND), batchPool.end(SECOND), metricsPool.end(0)]).then(() => {}),
);
