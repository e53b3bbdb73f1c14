import { type AnyColumn, type SQL, sql } from "drizzle-orm";

/**
 * Whether a column is one of these ids (UUIDs). The statement is the same for any number of them, and Postgres cannot see
 * their number while it plans: it assumes ten elements for an array, would find a custom plan for fewer cheaper, and replan
 * each call. Joined with rows from JSON, which it estimates at a hundred, it would read the whole table.
 */
export function anyOf(column: AnyColumn, ids: string[]): SQL {
  return sql`${column} = any(array(select unnest(${`{${ids.join(",")}}`}::uuid[])))`;
}
