import { globSync, readFileSync } from "node:fs";
import { PgDialect } from "drizzle-orm/pg-core";
import { expect, test } from "vitest";
import { schemaTables } from "#tests/support/rows/schema-tables.ts";

/** The condition of an index of pending rows: docs/decisions/rows-are-their-own-queue.md. */
const WAITING = /status = '(?:queued|attempting)'|status <> 'sent'/;

test("an index of pending rows is only used by statements that filter by a column it names", () => {
  const dialect = new PgDialect();
  const waiting = schemaTables
    .flatMap(({ indexes }) => indexes)
    .map(({ config: { name, where } }) => ({ name, where: where ? dialect.sqlToQuery(where).sql : "" }))
    .filter(({ where }) => WAITING.test(where));
  expect(waiting.map(({ name }) => name)).toContain("deliveries_scheduled_at_idx");
  expect(waiting.filter(({ where }) => !/\b(?!status)\w+ is not null/.test(where))).toEqual([]);
});

test("when a row is due, and since when it is unused, is written by the clock that is asked: the database's", () => {
  const lines = globSync("app/**/*.ts").flatMap((file) => readFileSync(file, "utf8").split("\n"));
  const writing = lines.filter((line) => /\b(scheduledAt|nextAttemptAt|touchedAt|sendAt): /.test(line));
  expect(writing.length).toBeGreaterThan(20);
  expect(writing.filter((line) => /new Date\(\)|Date\.now\(/.test(line))).toEqual([]);
});
