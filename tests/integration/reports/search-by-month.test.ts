import { expect, test } from "vitest";
import { periodOf } from "#app/domain/reports/figures/period.ts";
import { listSales } from "#app/domain/reports/list-sales.server.ts";
import { readSalesFilter, type SaleCursor, type SalesFilter } from "#app/domain/reports/sales-filter.ts";
import { countStatements } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";

const on = (day: string) => new Date(`2026-${day}T00:00:00Z`);
/** From the tenth of March to the nineteenth of April, in UTC. */
const SPRING = { ...periodOf("90d", on("04-19")), from: on("03-10"), to: on("04-20") };
const ANA: SalesFilter = {
  ...readSalesFilter(new URLSearchParams("search=ana"), on("04-19")),
  period: SPRING,
};

/** Three sales to Ana in the period: two in the first moment of its newer month, one in the period's own first moment. */
async function makeSpring() {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const ana = { customerName: "Ana", customerEmail: "ana@exemplo.com.br" };
  const made = (day: string) => makeSale(product, { ...ana, createdAt: on(day) });
  const newer = [await made("04-01"), await made("04-01")].map(({ id }) => id).sort();
  const older = (await made("03-10")).id;
  // In its months, but before and after it; and somebody else's.
  for (const day of ["03-09", "04-20"]) await made(day);
  for (const day of ["03-15", "04-02"])
    await makeSale(product, { customerName: "Maria", createdAt: on(day) });
  const list = (
    limit: number,
    fields: Partial<SalesFilter> = {},
    before: SaleCursor | null = null,
    after: SaleCursor | null = null,
  ) => listSales(seller.id, { ...ANA, ...fields }, { limit, before, after });
  return { newer, older, list };
}

const idsOf = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id);

test("a name is found in all of the period, and neither before nor after it", async () => {
  const { newer, older, list } = await makeSpring();
  expect(idsOf(await list(25))).toEqual([...newer, older]);
  expect(idsOf(await list(25, { period: { ...SPRING, from: on("04-01") } }))).toEqual(newer);
  expect(idsOf(await list(25, { search: "" }))).toHaveLength(5);
});

test("pages of a name go on within the first moment of a month, and in the month before", async () => {
  const { newer, older, list } = await makeSpring();
  const seen: string[] = [];
  let before: SaleCursor | null = null;
  do {
    const page: Awaited<ReturnType<typeof list>> = await list(1, {}, before);
    seen.push(...idsOf(page));
    before = page.older;
  } while (before && seen.length < 9);
  expect(seen).toEqual([...newer, older]);
  // The newer month fills this page exactly, and the older one follows.
  expect((await list(2)).older?.id).toBe(newer[1]);
});

test("a name that fills a page from one month, or is searched in one, costs one statement", async () => {
  const { list } = await makeSpring();
  const count = async (limit: number, period = SPRING) =>
    (await countStatements(() => list(limit, { period }))).count;
  expect(await count(1)).toBe(1);
  expect(await count(25)).toBe(2);
  expect(await count(25, { ...SPRING, from: on("04-01"), to: on("05-01") })).toBe(1);
});

test("a page's time outside of the period adds no months to look in", async () => {
  const { newer, list } = await makeSpring();
  const april = { period: { ...SPRING, from: on("04-01"), to: on("05-01") } };
  const at = (time: number) => ({ createdAt: new Date(time), id: newer[0]! });
  const first = await countStatements(() => list(25, april, at(99_999_999_999_999)));
  const last = await countStatements(() => list(25, april, null, at(0)));
  for (const { result, count } of [first, last]) {
    expect(idsOf(result).sort()).toEqual(expect.arrayContaining(newer));
    expect(count).toBe(1);
  }
});
