import { type SQL, sql } from "drizzle-orm";
import { type AnyPgColumn, check } from "drizzle-orm/pg-core";

/** A CHECK that a text column holds one of a list's values. */
export function oneOf(name: string, column: AnyPgColumn, values: readonly string[]) {
  return check(name, sql`${column} in (${sql.raw(values.map((value) => `'${value}'`).join(", "))})`);
}

/** A CHECK that two conditions hold together or not at all. */
export function ifAndOnlyIf(name: string, one: SQL, other: SQL) {
  return check(name, sql`(${one}) = (${other})`);
}
