import { runMigrations } from "graphile-worker";
import type pg from "pg";
import { recordBaseline } from "#app/db/migrate.server.ts";
import { conversion, oldMigrations } from "#scripts/restore-old/old-migrations.ts";

/** Whether a backup whose newest migration was made then is of before 1.0. */
export function isOld(migration: number): boolean {
  return oldMigrations().some(({ when }) => when === migration);
}

/** Makes the tables that such a backup was made of, in a database that has none, within the transaction of `client`. */
export async function makeOldTables(
  databaseUrl: string,
  client: pg.Client,
  migration: number,
): Promise<void> {
  await runMigrations({ connectionString: databaseUrl, logger: undefined });
  for (const { when, text } of oldMigrations()) if (when <= migration) await client.query(text);
}

/** Makes them, filled, those of 1.0. */
export async function convertOldTables(client: pg.Client, migration: number): Promise<void> {
  for (const { when, text } of oldMigrations()) if (when > migration) await client.query(text);
  for (const text of conversion()) await client.query(text);
  await recordBaseline((statement) => client.query(statement));
}
