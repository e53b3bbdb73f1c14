import { expect, test } from "vitest";
import { countProducts, listProducts } from "#app/domain/catalog/list-products.server.ts";
import { makeManyProducts } from "#tests/integration/catalog/make-products.ts";
import { countStatements, sql } from "#tests/support/database.ts";
import { makeProduct, makeSeller } from "#tests/support/make.ts";
import { longTest } from "#tests/support/run/ways.ts";

test("pages go from the newest to the oldest and back without gaps", async () => {
  const seller = await makeSeller();
  await makeManyProducts(seller, 7);
  const names = (page: { items: { name: string }[] }) => page.items.map((p) => p.name.slice(8)).join("");
  const first = await listProducts(seller.id, { limit: 3 });
  expect([names(first), first.newer]).toEqual(["765", null]);
  const second = await listProducts(seller.id, { limit: 3, before: first.older! });
  expect(names(second)).toBe("432");
  const last = await listProducts(seller.id, { limit: 3, before: second.older! });
  expect([names(last), last.older]).toEqual(["1", null]);
  const back = await listProducts(seller.id, { limit: 3, after: last.newer! });
  expect(names(back)).toBe("432");
  const start = await listProducts(seller.id, { limit: 3, after: back.newer! });
  expect([names(start), start.newer]).toEqual(["765", null]);
});

test("search matches part of a name, ignoring case and accents, with % and _ as literals", async () => {
  const seller = await makeSeller();
  for (const name of ["Curso de Violão", "CULINÁRIA ÁGIL", "100% prático", "a_b"])
    await makeProduct(seller, { name });
  const found = async (search: string) =>
    (await listProducts(seller.id, { limit: 10, search })).items.map((p) => p.name);
  expect(await found("violao")).toEqual(["Curso de Violão"]);
  expect(await found(" ÁGIL ")).toEqual(["CULINÁRIA ÁGIL"]);
  expect(await found("culinaria")).toEqual(["CULINÁRIA ÁGIL"]);
  expect(await found("0%")).toEqual(["100% prático"]);
  expect(await found("%")).toEqual(["100% prático"]);
  expect(await found("_")).toEqual(["a_b"]);
  expect(await found("\\")).toEqual([]);
  expect(await found("")).toHaveLength(4);
  // What is typed beyond a hundred characters is not searched for.
  await makeProduct(seller, { name: "x".repeat(100) });
  expect(await found(`${"x".repeat(100)}y`)).toEqual(["x".repeat(100)]);
});

test("other sellers' and deleted products are neither listed nor counted", async () => {
  const [a, b] = [await makeSeller(), await makeSeller()];
  await makeProduct(b);
  await makeProduct(a, { archivedAt: new Date() });
  await makeProduct(a, { name: "Meu" });
  await makeProduct(a, { name: "Meu parado", deactivatedAt: new Date() });
  await makeProduct(a, { name: "Meu também" });
  const { items } = await listProducts(a.id, { limit: 10 });
  expect(items.map((p) => [p.name, p.active])).toEqual([
    ["Meu também", true],
    ["Meu parado", false],
    ["Meu", true],
  ]);
  expect(await countProducts(a.id)).toEqual({ active: 2, total: 3 });
});

test("2,000 products open as ten do: one statement that walks the seller's index and sorts nothing", async () => {
  const seller = await makeSeller();
  await makeManyProducts(seller, 2000);
  for (let others = 0; others < 4; others++) await makeManyProducts(await makeSeller(), 1000);
  const [row] =
    await sql`select id::int, created_at from products where name = 'Produto 1000' and seller_id = ${seller.id}`;
  const cursor = { id: row!.id, createdAt: row!.created_at };
  const values = [row!.created_at.toISOString(), row!.id];
  for (const [page, inPage] of [
    [{}, []],
    [{ before: cursor }, values],
    [{ after: cursor }, values],
  ] as const) {
    const { result, statements } = await countStatements(() =>
      listProducts(seller.id, { limit: 24, ...page }),
    );
    expect([result.items.length, statements.length]).toEqual([24, 1]);
    const plan = await planOf(statements[0]!, [seller.id, ...inPage, 25]);
    expect(plan).toMatch(/Index Scan (Backward )?using products_seller_idx on products .* rows=25(\.00)? /);
    expect(plan).not.toMatch(/Seq Scan|Sort|Bitmap|Removed by Filter/);
  }
});

longTest("a search among 10,000 reads that seller's products alone", async () => {
  const seller = await makeSeller();
  await makeManyProducts(seller, 10_000);
  for (let others = 0; others < 10; others++) await makeManyProducts(await makeSeller(), 2000);
  const search = () => listProducts(seller.id, { limit: 24, search: "Produto 1" });
  const { result, statements } = await countStatements(search);
  expect([result.items.length, statements.length]).toEqual([24, 1]);
  const none = await planOf(statements[0]!, [seller.id, "Á", "a", "%nada%", 25]);
  expect(none).toContain("products_seller_idx");
  expect(none).not.toContain("Seq Scan");
  expect(Number(/Rows Removed by Filter: (\d+)/.exec(none)![1])).toBe(10_000);
});

/** How Postgres ran a statement with these values. */
async function planOf(statement: string, values: (string | number)[]): Promise<string> {
  const lines = await sql.unsafe(`explain (analyze, timing off) ${statement}`, values);
  return lines.map((line) => line["QUERY PLAN"]).join("\n");
}
