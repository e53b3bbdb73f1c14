import { type AnyColumn, type SQL, sql } from "drizzle-orm";

/**
 * Whether a column holds one of these ids (UUIDs). The statement is the same for any number of them, so its plan is kept. Beside a
 * join with rows made of JSON it keeps Postgres, which takes those for a hundred, from reading the whole table.
 */
export function anyOf(column: AnyColumn, ids: string[]): SQL {
  return sql`${column} = any(${`{${ids.join(",")}}`}::uuid[])`;
}
