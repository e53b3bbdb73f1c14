import { type SQL, sql } from "drizzle-orm";
import { type AnyPgColumn, check } from "drizzle-orm/pg-core";

/** A CHECK that a text column holds one of a list's words. */
export function oneOf(name: string, column: AnyPgColumn, words: readonly string[]) {
  return check(name, sql`${column} in (${sql.raw(words.map((word) => `'${word}'`).join(", "))})`);
}

/** A CHECK that two conditions hold together or not at all. */
export function exactlyWhen(name: string, one: SQL, other: SQL) {
  return check(name, sql`(${one}) = (${other})`);
}
