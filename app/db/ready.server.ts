import { sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { loginRefusalReason } from "#app/db/errors.server.ts";
import { firstMigration, newestMigration } from "#app/db/newest-migration.server.ts";
import { OldDatabase } from "#app/db/old-database.server.ts";

const newest = newestMigration();

/** Fails as a statement that writes would, so that the connection is replaced: see `openSession`. */
const REFUSE_READ_ONLY = sql`do $$ begin
  if current_setting('transaction_read_only')::bool then raise read_only_sql_transaction; end if;
end $$`;

/** Whether the database has every migration of this version. @throws where Postgres does not answer, or may only read */
export async function isMigrated(): Promise<boolean> {
  await db.execute(REFUSE_READ_ONLY);
  const [row] = await db.execute<{ at: string | null }>(
    sql`select max(created_at) as at from drizzle.__drizzle_migrations`,
  );
  return Number(row?.at ?? 0) >= newest;
}

/**
 * Exits the process on a database from before 1.0, and where it refuses the login. If PostgreSQL does not answer, or has no
 * tables yet, it goes on.
 */
export async function leaveUnusableDatabase(): Promise<void> {
  const problem = await findProblem().catch(loginRefusalReason);
  if (problem === null) return;
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}

async function findProblem(): Promise<string | null> {
  const rows = await db.execute(
    sql`select from drizzle.__drizzle_migrations where created_at < ${firstMigration()} limit 1`,
  );
  return rows.length === 0 ? null : new OldDatabase().message;
}
