import { getTableConfig } from "drizzle-orm/pg-core";
import { expect, test } from "vitest";
import { BUYER_COLUMNS, OF_NO_BUYER } from "#app/domain/erasure/columns.ts";
import { SELLER_COLUMNS } from "#app/domain/erasure/empty-shop.server.ts";
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

/** Columns that may hold what somebody typed: texts, JSON and lists of texts, but for those with words of ours alone. */

test("every table is known to keep something of a buyer or nothing, and one that hangs on a sale does", () => {
  const known = [...Object.keys(BUYER_COLUMNS), ...Object.keys(SELLER_COLUMNS), ...OF_NO_BUYER];
  expect(schemaTables.map(({ name }) => name).sort()).toEqual([...new Set(known)].sort());
  expect(known).toHaveLength(new Set(known).size);
  expect(ofASale().length).toBeGreaterThan(12);
  expect(ofASale().filter((name) => !(name in BUYER_COLUMNS))).toEqual([]);
});

test("every text and all JSON kept with an order is emptied with its buyer, or says why it stays", () => {
  for (const table of schemaTables.filter(({ name }) => name in BUYER_COLUMNS))
    expect(Object.keys(BUYER_COLUMNS[table.name]!).sort(), table.name).toEqual(textsOf(table).sort());
});

test("so is what a seller keeps, with the seller", () => {
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
