import { globSync, readdirSync, readFileSync } from "node:fs";
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

/** The files with such a condition and no seller in the characters before it. */
const withoutSeller = (condition: RegExp, characters: number) =>
  globSync("app/{domain,jobs,metrics,routes,server}/**/*.{ts,tsx}")
    .filter((file) => {
      const text = readFileSync(file, "utf8");
      return [...text.matchAll(condition)].some(
        ({ index }) => !/seller_?id/i.test(text.slice(Math.max(0, index - characters), index)),
      );
    })
    .sort();

/** A condition on the sale or charge of a row, or its key, whose index begins with the seller. */
const OF_SALE =
  /(?:eq|inArray|anyOf)\((?:charges|saleLines|saleEvents|chargeEvents|refunds|disputes|refundRequests|paymentWebhooks|mails|deliveries|upsellShowings)\.(?:saleId|chargeId), |\b(?:sale_id|charge_id|dedupe_key) (?:= |in )/g;

/** Files with such a condition and no seller before it, each with why. */
const WITHOUT_SELLER: Record<string, string> = {
  "app/domain/access/open-download.server.ts": "a line, found by its id",
  "app/domain/access/open-item.server.ts": "a line, found by its id; downloads, which have an index by sale",
  "app/domain/delivery/sending/end-delivery.server.ts": "deliveries, found by destination and subject",
  "app/domain/erasure/anonymize-related.server.ts": "stamped copies, which have an index by sale",
  "app/domain/settlement/paced-check-queue.server.ts": "a row, found by its ctid",
  "app/domain/settlement/store-webhook.server.ts": "rows of the same statement",
  "app/domain/stamped-copy/delete-stamped-copies.server.ts": "stamped copies, which have an index by sale",
};

test("a query for the rows of a sale or charge says the seller first, as their indexes do", () => {
  expect(withoutSeller(OF_SALE, 140)).toEqual(Object.keys(WITHOUT_SELLER).sort());
});

/** The same on the product of a row. */
const OF_PRODUCT = /(?:eq|inArray|anyOf)\((?:orderBumps|upsells|offers)\.productId, /g;

test("a query for the order bumps, upsells or offers of a product says the seller first, too", () => {
  // An upsell, found by its id.
  expect(withoutSeller(OF_PRODUCT, 80)).toEqual(["app/domain/order/accept-upsell.server.ts"]);
});
