import { getTableConfig } from "drizzle-orm/pg-core";
import { expect, test } from "vitest";
import { SELLER_COLUMNS } from "#app/domain/erasure/anonymize-shop.server.ts";
import { BUYER_COLUMNS, TABLES_WITHOUT_BUYER } from "#app/domain/erasure/buyer-columns.ts";
import { type SchemaTable, schemaTables, textsOf } from "#tests/support/rows/schema-tables.ts";

const parentsOf = ({ foreignKeys }: SchemaTable) =>
  foreignKeys.map((key) => getTableConfig(key.reference().foreignTable).name);

/** The tables from which foreign keys lead to a sale. */
function ofASale(): string[] {
  const found = new Set(["sales"]);
  for (let before = 0; before < found.size; ) {
    before = found.size;
    for (const table of schemaTables)
      if (parentsOf(table).some((name) => found.has(name))) found.add(table.name);
  }
  return [...found];
}

/** Columns that may hold user input: texts, JSON and lists of texts, except those with fixed values. */

test("every table is known to store something of a buyer or nothing, and one that belongs to a sale does", () => {
  const known = [...Object.keys(BUYER_COLUMNS), ...Object.keys(SELLER_COLUMNS), ...TABLES_WITHOUT_BUYER];
  expect(schemaTables.map(({ name }) => name).sort()).toEqual([...new Set(known)].sort());
  expect(known).toHaveLength(new Set(known).size);
  expect(ofASale().length).toBeGreaterThan(12);
  expect(ofASale().filter((name) => !(name in BUYER_COLUMNS))).toEqual([]);
});

test("every text and all JSON stored with an order is anonymized with its buyer, or states why it stays", () => {
  for (const table of schemaTables.filter(({ name }) => name in BUYER_COLUMNS))
    expect(Object.keys(BUYER_COLUMNS[table.name]!).sort(), table.name).toEqual(textsOf(table).sort());
});

test("likewise what a seller stores, with the seller", () => {
  for (const table of schemaTables.filter(({ name }) => name in SELLER_COLUMNS)) {
    const fate = SELLER_COLUMNS[table.name]!;
    if (fate !== "deleted") expect(Object.keys(fate).sort(), table.name).toEqual(textsOf(table).sort());
  }
});

test("no table of other things has a column that sounds like a buyer's", () => {
  const strange = schemaTables
    .filter(({ name }) => !(name in BUYER_COLUMNS))
    .flatMap((table) => textsOf(table).map((column) => `${table.name}.${column}`))
    .filter((name) => /customer|buyer|recipient|document/i.test(name));
  expect(strange).toEqual([]);
});
