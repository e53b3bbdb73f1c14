import { drizzle } from "drizzle-orm/postgres-js";
import { migrate as runDrizzle } from "drizzle-orm/postgres-js/migrator";
import { runMigrations } from "graphile-worker";
import postgres from "postgres";
import { MIGRATION_LIMITS, settingLimits } from "#app/db/limits.server.ts";
import { env } from "#app/platform/env.server.ts";

/** Brings the database to this version. Several processes may call it at once: an advisory lock lets one work. */
export async function migrate(): Promise<void> {
  const client = postgres(env.DATABASE_URL, { max: 1, onnotice: () => {} });
  try {
    await client.unsafe(settingLimits(MIGRATION_LIMITS));
    await client`select pg_advisory_lock(hashtext('checkintelli:migrate'))`;
    await runDrizzle(drizzle(client), { migrationsFolder: "drizzle" });
    await runMigrations({ connectionString: env.DATABASE_URL, logger: undefined });
  } finally {
    await client.end();
  }
}
