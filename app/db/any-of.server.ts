import { type AnyColumn, type SQL, sql } from "drizzle-orm";

/** Whether a column holds one of these ids (UUIDs). The statement is the same for any number of them, so its plan is kept. */
export function anyOf(column: AnyColumn, ids: string[]): SQL {
  return sql`${column} = any(${`{${ids.join(",")}}`}::uuid[])`;
}
