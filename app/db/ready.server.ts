import { sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { newestMigration } from "#app/db/newest-migration.server.ts";

const newest = newestMigration();

/** Whether the database has every migration of this version. @throws where Postgres does not answer */
export async function isCurrent(): Promise<boolean> {
  const [row] = await db.execute<{ at: string | null }>(
    sql`select max(created_at) as at from drizzle.__drizzle_migrations`,
  );
  return Number(row?.at ?? 0) >= newest;
}
