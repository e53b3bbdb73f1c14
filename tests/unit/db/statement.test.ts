import { sql } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import { expect, test } from "vitest";
import { type Cte, Statement } from "#app/db/statement.server.ts";

const textOf = (statement: ReturnType<Statement["select"]>) => new PgDialect().sqlToQuery(statement).sql;

test("CTEs are in the order in which they were added, by the names that were made for them", () => {
  const statement = new Statement();
  const moved = statement.add<"id">("moved", sql`select 1 as id`);
  const noted = statement.add("noted", sql`select id from ${moved}`);
  statement.notify("sale", "a sale", noted);
  expect(textOf(statement.selectFrom(moved, sql`id`))).toBe(
    'with "moved" as (select 1 as id), "noted" as (select id from "moved") ' +
      'select id, (select pg_notify($1, $2) from "noted" limit 1) from "moved"',
  );
});

test("a CTE may be computed once, and what is read of it ordered and limited", () => {
  const statement = new Statement();
  const moved = statement.add<"id">("moved", sql`select 1 as id`, "materialized");
  expect(textOf(statement.selectFrom(moved, sql`id`, sql`order by id limit 1`))).toBe(
    'with "moved" as materialized (select 1 as id) select id from "moved" order by id limit 1',
  );
});

test("a label that is used twice gives two names", () => {
  const statement = new Statement();
  const first = statement.add("moved", sql`select 1 as id`);
  const second = statement.add("moved", sql`select id + 1 as id from ${first}`);
  expect(textOf(statement.selectFrom(second, sql`id`))).toBe(
    'with "moved" as (select 1 as id), "moved_2" as (select id + 1 as id from "moved") select id from "moved_2"',
  );
});

test("a CTE without the columns that another reads does not compile", () => {
  const read = (_: Cte<"id" | "sale_id">) => {};
  const statement = new Statement();
  read(statement.add<"id" | "sale_id" | "provider">("all", sql`select 1`));
  // @ts-expect-error it has no `sale_id`
  read(statement.add<"id">("some", sql`select 1`));
  // @ts-expect-error nothing of that name was added
  expect(() => read(missing)).toThrow("missing is not defined");
});
