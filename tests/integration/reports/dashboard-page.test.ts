import { expect, test } from "vitest";
import { loader } from "#app/routes/seller/dashboard/dashboard.tsx";
import { countStatements, sql } from "#tests/support/database.ts";
import { makeGateway, makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";

/** What grows with a shop. Marks and action items are few at any time, and have their own indexes. */
const LARGE = ["sales", "sale_lines", "products", "charges", "report_days"];

test("the dashboard uses ten statements, whatever a shop holds, and none scans a large table", async () => {
  const seller = await makeSeller();
  await makeGateway(seller);
  const product = await makeProduct(seller);
  for (let n = 0; n < 10; n++) await makeSale(product, { status: n % 2 ? "completed" : "pending" });
  const request = new Request("http://localhost:3000/dashboard", { headers: await signedIn(seller) });
  const { statements, result } = await countStatements(() =>
    loader({ request, params: {}, context: {} } as never),
  );
  expect(result.unpayable).toBeNull();
  expect(statements.length, statements.join("\n")).toBeLessThanOrEqual(10);
  await sql.begin(async (tx) => {
    await tx`set local enable_seqscan = off`;
    for (const statement of statements) {
      const plan = await tx.unsafe(`explain (generic_plan) ${statement}`);
      const text = plan.map((row) => String(row["QUERY PLAN"])).join("\n");
      for (const table of LARGE) expect(text, statement).not.toMatch(new RegExp(`Seq Scan on ${table}\\b`));
    }
  });
});

test("the dashboard's sales are the newest six, paid or not, and its line ends today", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller, { priceCents: 9700 });
  for (let n = 0; n < 8; n++)
    await makeSale(product, {
      status: n === 0 ? "pending" : "completed",
      createdAt: new Date(Date.now() - n * 60_000),
      customerName: `Cliente ${n}`,
    });
  const request = new Request("http://localhost:3000/dashboard", { headers: await signedIn(seller) });
  const view = await loader({ request, params: {}, context: {} } as never);
  expect(view.sales.map(({ buyer, status }) => [buyer, status])).toEqual([
    ["Cliente 0", "pending"],
    ...[1, 2, 3, 4, 5].map((n) => [`Cliente ${n}`, "completed"]),
  ]);
  expect(view.figures.points).toHaveLength(30);
  expect(view.figures.points.at(-1)).toMatchObject({ sales: 7, revenueCents: 7 * 9700 });
  expect(view.figures.stats.today).toEqual({ count: 7, totalCents: 7 * 9700 });
  expect(view.steps).toBeNull();
  expect(view.unpayable).toContain("ainda não recebem pagamentos");
});
