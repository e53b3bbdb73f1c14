import { type AnyColumn, type SQL, sql } from "drizzle-orm";

/**
 * Whether a column holds one of these ids (UUIDs). The statement is the same for any number of them, and Postgres is not let
 * see how many they are while it plans: it would find few cheaper than the ten it takes an array for, and plan anew each time.
 * Beside a join with rows made of JSON it keeps Postgres, which takes those for a hundred, from reading the whole table.
 */
export function anyOf(column: AnyColumn, ids: string[]): SQL {
  return sql`${column} = any(array(select unnest(${`{${ids.join(",")}}`}::uuid[])))`;
}
