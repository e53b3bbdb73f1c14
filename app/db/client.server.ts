import { channel } from "node:diagnostics_channel";
import type { ExtractTablesWithRelations } from "drizzle-orm";
import { drizzle, type PostgresJsDatabase, type PostgresJsTransaction } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { env } from "#app/platform/env.server.ts";
import { onShutdown } from "#app/platform/shutdown.server.ts";

const statements = channel("checkintelli:statement");

/** The pool under `db`; only LISTEN and streaming reads use it directly. */
export const pool = postgres(env.DATABASE_URL, {
  max: 10,
  idle_timeout: 60,
  connect_timeout: 5,
  onnotice: () => {},
  connection: { application_name: "checkintelli" },
});

/** The database. Each statement is announced on the diagnostics channel `checkintelli:statement`, so tests can count. */
export const db = drizzle(pool, {
  casing: "snake_case",
  logger: { logQuery: (query) => void (statements.hasSubscribers && statements.publish(query)) },
});

type NoSchema = Record<string, never>;
/** An open transaction. */
export type Tx = PostgresJsTransaction<NoSchema, ExtractTablesWithRelations<NoSchema>>;
/** The database or an open transaction: for verbs that take part in either. */
export type Db = PostgresJsDatabase<NoSchema> | Tx;

onShutdown(() => pool.end({ timeout: 5 }));
