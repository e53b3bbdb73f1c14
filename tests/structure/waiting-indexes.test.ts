import { readdirSync } from "node:fs";
import { is } from "drizzle-orm";
import { getTableConfig, PgDialect, PgTable } from "drizzle-orm/pg-core";
import { expect, test } from "vitest";

/** What an index says of rows that wait for a worker: docs/decisions/rows-are-their-own-queue.md. */
const WAITING = /status = '(?:queued|attempting)'|status <> 'sent'/;

test("an index of rows that wait for a worker is of use only to statements that ask by a column it names", async () => {
  const dialect = new PgDialect();
  const files = readdirSync("app/db/schema").filter((name) => name.endsWith(".server.ts"));
  const modules = await Promise.all(files.map((name) => import(`#app/db/schema/${name}`)));
  const tables = modules.flatMap((one) => Object.values(one)).filter((one) => is(one, PgTable));
  const waiting = tables
    .flatMap((table) => getTableConfig(table).indexes)
    .map(({ config: { name, where } }) => ({ name, where: where ? dialect.sqlToQuery(where).sql : "" }))
    .filter(({ where }) => WAITING.test(where));
  expect(waiting.map(({ name }) => name)).toContain("outbox_due_at_idx");
  expect(waiting.filter(({ where }) => !/\b(?!status)\w+ is not null/.test(where))).toEqual([]);
});
