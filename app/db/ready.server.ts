import { sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { firstMigration, newestMigration } from "#app/db/newest-migration.server.ts";
import { OldDatabase } from "#app/db/old-database.server.ts";

const newest = newestMigration();

/** Whether the database has every migration of this version. @throws where Postgres does not answer */
export async function isMigrated(): Promise<boolean> {
  const [row] = await db.execute<{ at: string | null }>(
    sql`select max(created_at) as at from drizzle.__drizzle_migrations`,
  );
  return Number(row?.at ?? 0) >= newest;
}

/** Exits the process on a database from before 1.0. If PostgreSQL does not answer, or has no tables yet, it goes on. */
export async function leaveOldDatabase(): Promise<void> {
  const rows = await db
    .execute(sql`select from drizzle.__drizzle_migrations where created_at < ${firstMigration()} limit 1`)
    .catch(() => []);
  if (rows.length === 0) return;
  process.stderr.write(`${new OldDatabase().message}\n`);
  process.exit(1);
}
