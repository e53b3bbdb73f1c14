import { sql } from "#tests/support/database.ts";

/** What a statement took of the database, each call on average. */
export type Taken = { query: string; calls: number; pages: number };

/** What the statements of this file's database took while `run` ran, the dearest first: pages found in memory and read from the disk. */
export async function pagesOf(run: () => Promise<unknown>): Promise<Taken[]> {
  await sql`create extension if not exists pg_stat_statements`;
  await sql`select pg_stat_statements_reset(0, (select oid from pg_database where datname = current_database()))`;
  await run();
  const rows = await sql<Taken[]>`
    select regexp_replace(query, '\\s+', ' ', 'g') as query, sum(calls)::int as calls,
      ceil(sum(shared_blks_hit + shared_blks_read) / sum(calls))::int as pages
    from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())
      and query not like '%pg_stat_statements%'
    group by 1 order by 3 desc`;
  return [...rows];
}
