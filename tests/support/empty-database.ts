import postgres from "postgres";
import { until } from "#tests/support/until.ts";

/** Takes every row out of a database on which an app runs, and tells the app that no page it keeps is true any more. */
export async function emptyDatabase(url: string): Promise<void> {
  const client = postgres(url, { max: 1, onnotice: () => {} });
  const tables = await client<{ schema: string; name: string }[]>`
    select schemaname as schema, tablename as name from pg_tables
    where schemaname = 'public' or tablename in ('_private_jobs', '_private_job_queues')`;
  const all = tables.map(({ schema, name }) => `"${schema}"."${name}"`).join(", ");
  const empty = () =>
    client.begin(async (tx) => {
      await tx`select pg_notify('storefront', id::text) from products`;
      await tx`select pg_notify('storefront', 'seller:' || id) from sellers`;
      await tx.unsafe(`truncate ${all}`);
      return true;
    });
  // Work that an earlier test left behind may hold what this wants.
  await until(() => empty().catch(isDeadlock), { what: "the database to be empty" });
  await client.end();
}

/** @returns false, where it is one @throws what it is otherwise */
function isDeadlock(error: unknown): false {
  if (error instanceof postgres.PostgresError && error.code === "40P01") return false;
  throw error;
}
