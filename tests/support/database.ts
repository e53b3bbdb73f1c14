import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import postgres, { type TransactionSql } from "postgres";
import type { SentStatement } from "#app/db/client.server.ts";
import { until } from "#tests/support/until.ts";

/** This test file's own database, past Drizzle: for checks and for rows without a factory. */
export const sql = postgres(process.env.DATABASE_URL!, { max: 4, onnotice: () => {} });

const counted = new AsyncLocalStorage<SentStatement[]>();

/**
 * What `run` returns, and the statements it caused (without begin and commit), with the values of their parameters.
 * Statements left by an earlier test do not count: files that share a process would otherwise see each other's.
 * @param everywhere also counts what others send meanwhile: for work of a listener, not of `run` itself
 */
export async function countStatements<T>(
  run: () => Promise<T>,
  { everywhere = false } = {},
): Promise<{ result: T; statements: string[]; values: unknown[][]; count: number }> {
  const sent: SentStatement[] = [];
  const note = (message: unknown) => {
    if (everywhere || counted.getStore() === sent) sent.push(message as SentStatement);
  };
  subscribe("checkintelli:statement", note);
  try {
    const result = await counted.run(sent, run);
    return {
      result,
      statements: sent.map(({ text }) => text),
      values: sent.map(({ values }) => values),
      count: sent.length,
    };
  } finally {
    unsubscribe("checkintelli:statement", note);
  }
}

/** Runs `lock` in a transaction that stays open, e.g. a `select … for update`, until `release` is called. */
export async function holdLock(
  lock: (tx: TransactionSql) => Promise<unknown>,
): Promise<{ release: () => Promise<void> }> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: held, resolve: hold, reject } = Promise.withResolvers<void>();
  const done = sql
    .begin(async (tx) => {
      await lock(tx);
      hold();
      await released;
    })
    .then(() => undefined);
  done.catch(reject);
  await held;
  return {
    release: () => {
      release();
      return done;
    },
  };
}

/** Waits until `count` connections of this file's database wait for a lock. */
export async function untilLockedOut(count = 1): Promise<void> {
  await until(
    async () => {
      const [row] = await sql<{ waiting: number }[]>`
        select count(*)::int as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      return row!.waiting >= count;
    },
    { what: `${count} waiting for a lock` },
  );
}

/** The plans of statements where no table may be read as a whole: an index that a plan does not name cannot be used for it. */
export async function plansByIndex(statements: string[]): Promise<string[]> {
  return sql.begin(async (tx) => {
    await tx`set local enable_seqscan = off`;
    const plans: string[] = [];
    for (const statement of statements) {
      const rows = await tx.unsafe(`explain ${statement}`);
      plans.push(rows.map((row) => row["QUERY PLAN"]).join("\n"));
    }
    return plans;
  });
}

/** The database cost of a statement, the average of its calls. */
export type StatementCost = { query: string; calls: number; pages: number };

/**
 * The cost of this file's statements while `run` ran, the dearest first: pages found in memory and read from the
 * disk.
 */
export async function pagesOf(run: () => Promise<unknown>): Promise<StatementCost[]> {
  await sql`create extension if not exists pg_stat_statements`;
  await sql`select pg_stat_statements_reset(0, (select oid from pg_database where datname = current_database()))`;
  await run();
  const rows = await sql<StatementCost[]>`
    select regexp_replace(query, '\\s+', ' ', 'g') as query, sum(calls)::int as calls,
      ceil(sum(shared_blks_hit + shared_blks_read) / sum(calls))::int as pages
    from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())
      and query not like '%pg_stat_statements%'
    group by 1 order by 3 desc`;
  return [...rows];
}
