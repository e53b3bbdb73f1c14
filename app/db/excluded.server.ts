import { type SQL, sql } from "drizzle-orm";

/** The `set` of an `on conflict do update`: each named column to the value of the row that conflicted. */
export function excluded<K extends string>(columns: readonly K[]): Record<K, SQL> {
  const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(
    columns.map((name) => [name, sql`excluded.${sql.identifier(snake(name))}`]),
  ) as Record<K, SQL>;
}
