import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";

/** The `set` of an `on conflict do update`: each column but `except` to the value of the row that conflicted. */
export function excluded(table: PgTable, { except }: { except: readonly string[] }): Record<string, SQL> {
  const names = Object.keys(getTableColumns(table)).filter((name) => !except.includes(name));
  const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(names.map((name) => [name, sql`excluded.${sql.identifier(snake(name))}`]));
}
