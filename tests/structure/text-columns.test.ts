import { expect, test } from "vitest";
import { TEXT_COLUMNS } from "#app/db/schema/text-columns.ts";
import { DATA_EXITS } from "#app/domain/identity/access/data-exits.ts";
import { schemaTables, textsOf } from "#tests/support/rows/schema-tables.ts";

/** Every text and JSON of the schema that may hold more than a constant of ours, as `table.column`. */
const texts = schemaTables.flatMap((table) => textsOf(table).map((column) => `${table.name}.${column}`));
const classified = Object.entries(TEXT_COLUMNS).flatMap(([table, columns]) =>
  Object.entries(columns).map(([column, kind]) => ({ name: `${table}.${column}`, kind })),
);
const namesOf = (kind: string) => classified.filter((one) => one.kind === kind).map(({ name }) => name);

test("every text and JSON of the schema is declared as an exit, a secret, personal or neither", () => {
  expect(texts.length).toBeGreaterThan(150);
  expect(classified.map(({ name }) => name).sort()).toEqual(texts.sort());
});

test("every exit by a column is in the list of exits, and no other", () => {
  const listed = new Set(Object.values(DATA_EXITS).flatMap(({ columns }): readonly string[] => columns));
  expect([...listed].sort()).toEqual(namesOf("exit").sort());
});

test("a column named sealed, hash or token is an exit, a secret or personal", () => {
  const open = new Set(namesOf("other"));
  expect(texts.filter((name) => /sealed|hash/i.test(name)).length).toBeGreaterThan(15);
  expect(texts.filter((name) => /sealed|hash/i.test(name) && open.has(name))).toEqual([]);
  // Public by design: what arrives at these addresses is checked before it is believed.
  const tokens = texts.filter((name) => /token$/i.test(name) && open.has(name));
  expect(tokens.sort()).toEqual(["gateway_accounts.hookToken", "mail_hooks.hookToken"]);
});
