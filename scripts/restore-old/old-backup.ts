import { runMigrations } from "graphile-worker";
import type pg from "pg";
import { recordBaseline } from "#app/db/migrate.server.ts";
import { nodePostgresAddress } from "#app/platform/postgres-address.server.ts";
import { conversion, oldMigrations } from "#scripts/restore-old/old-migrations.ts";

/** Whether a backup with this newest migration was made before 1.0. */
export function isOld(migration: number): boolean {
  return oldMigrations().some(({ when }) => when === migration);
}

/** Creates the tables of such a backup in a database without tables, within the transaction of `client`. */
export async function makeOldTables(
  databaseUrl: string,
  client: pg.Client,
  migration: number,
): Promise<void> {
  await runMigrations({ connectionString: nodePostgresAddress(databaseUrl), logger: undefined });
  for (const { when, text } of oldMigrations()) if (when <= migration) await client.query(text);
}

/** Converts those tables, once filled, to the schema of 1.0. */
export async function convertOldTables(client: pg.Client, migration: number): Promise<void> {
  for (const { when, text } of oldMigrations()) if (when > migration) await client.query(text);
  for (const text of conversion()) await client.query(text);
  await recordBaseline((statement) => client.query(statement));
}
