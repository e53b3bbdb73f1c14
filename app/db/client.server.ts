import { channel } from "node:diagnostics_channel";
import type { ExtractTablesWithRelations } from "drizzle-orm";
import { drizzle, type PostgresJsDatabase, type PostgresJsTransaction } from "drizzle-orm/postgres-js";
import postgres, { type Sql, type TransactionSql } from "postgres";
import { env } from "#app/platform/env.server.ts";
import { onShutdown } from "#app/platform/shutdown.server.ts";

const statements = channel("checkintelli:statement");

/** The pool under `db` and `adHoc`; beside them only the counting of tries (web/throttle) uses it. */
export const pool = postgres(env.DATABASE_URL, {
  max: 10,
  idle_timeout: 60,
  connect_timeout: 5,
  onnotice: () => {},
  connection: { application_name: "checkintelli" },
});

const options = {
  casing: "snake_case",
  logger: { logQuery: (query: string) => void (statements.hasSubscribers && statements.publish(query)) },
} as const;

/**
 * The database. Each connection keeps what Postgres made of a statement: the second time it costs one round trip, not two,
 * and is not parsed again. Each statement is announced on the diagnostics channel `checkintelli:statement`, so tests can count.
 */
export const db = drizzle(keepingPlans(pool), options);

/** The same database for statements of reports, whose best plan hangs on what is asked: nothing is kept of them. */
export const adHoc = drizzle(pool, options);

type Client = Sql | TransactionSql;

/** Drizzle tells the driver to keep nothing of a statement it has no name for; the driver finds one by its text. */
function keepingPlans<T extends Client>(client: T): T {
  return new Proxy(client, {
    get(target, name) {
      if (name === "unsafe")
        return (text: string, values: never[]) => target.unsafe(text, values, { prepare: true });
      const own = Reflect.get(target as object, name);
      if (name !== "begin" && name !== "savepoint") return own;
      return (work: (inner: TransactionSql) => unknown) =>
        own((inner: TransactionSql) => work(keepingPlans(inner)));
    },
  });
}

type NoSchema = Record<string, never>;
/** An open transaction. */
export type Tx = PostgresJsTransaction<NoSchema, ExtractTablesWithRelations<NoSchema>>;
/** The database or an open transaction: for verbs that take part in either. */
export type Db = PostgresJsDatabase<NoSchema> | Tx;

onShutdown(() => pool.end({ timeout: 5 }));
