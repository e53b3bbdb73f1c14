import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

type Columns = { columns: (string | { expression: string })[] };
type Table = {
  name: string;
  columns: Record<string, { primaryKey: boolean }>;
  indexes: Record<string, Columns>;
  compositePrimaryKeys: Record<string, Columns>;
  uniqueConstraints: Record<string, Columns>;
};

const FOLDER = "drizzle/meta";
const newest = readdirSync(FOLDER)
  .filter((name) => name.endsWith("_snapshot.json"))
  .sort()
  .at(-1)!;
const tables = Object.values<Table>(JSON.parse(readFileSync(join(FOLDER, newest), "utf8")).tables);

const begins = ({ columns: [first] }: Columns) => (typeof first === "string" ? first : first!.expression);

test("docs/scale.md says of every table whether its primary key contains the seller, and which keys do not begin with it", () => {
  const page = readFileSync("docs/scale.md", "utf8");
  const rows = page
    .slice(page.indexOf("## Keys and the seller"))
    .matchAll(/^\| `(\w+)` \| (.*) \| ?(.*)\|$/gm);
  const written = [...rows].map(([, name, primaryKey, others]) => ({
    name,
    hasSeller: primaryKey === "yes",
    others: [...others!.matchAll(/`(\w+)`/g)].map(([, key]) => key).sort(),
  }));
  const actual = tables
    .map((table) => {
      const primaryKey = [
        ...Object.entries(table.columns).flatMap(([column, { primaryKey }]) => (primaryKey ? [column] : [])),
        ...Object.values(table.compositePrimaryKeys).flatMap(({ columns }) => columns),
      ];
      const keys = Object.entries({ ...table.indexes, ...table.uniqueConstraints });
      const others = keys.flatMap(([name, key]) => (begins(key) === "seller_id" ? [] : [name]));
      return {
        name: table.name,
        hasSeller: primaryKey.includes("seller_id"),
        others: "seller_id" in table.columns ? others.sort() : [],
      };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  expect(written).toEqual(actual);
  expect(actual.length).toBeGreaterThan(50);
});
