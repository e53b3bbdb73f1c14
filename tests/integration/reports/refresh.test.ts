import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { correctEmail } from "#app/domain/buyer/correct-email.server.ts";
import { countCustomers } from "#app/domain/reports/figures/count-customers.server.ts";
import { periodOf } from "#app/domain/reports/figures/period.ts";
import { readDays } from "#app/domain/reports/figures/read-days.server.ts";
import { showStats } from "#app/domain/reports/figures/show-stats.server.ts";
import { readFunnelFilter } from "#app/domain/reports/funnel/funnel-filter.ts";
import { readFunnel } from "#app/domain/reports/funnel/read-funnel.server.ts";
import { refreshFunnels } from "#app/domain/reports/funnel/refresh-funnel.server.ts";
import { holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeSeller, markPaid } from "#tests/support/make.ts";
import { refresh } from "#tests/support/rows/make-reports.ts";

async function stats(sellerId: string) {
  const period = periodOf("7d", new Date());
  return showStats(sellerId, period, await readDays(sellerId, period));
}

test("a sale that changes while the days are counted is counted again", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const sale = await makeSale(product, { status: "completed", amountCents: 100 });
  const open = await holdLock(
    (tx) => tx`update sales set status = 'refunded', refunded_at = now() where id = ${sale.id}`,
  );
  await refresh();
  expect((await stats(seller.id)).sales).toBe(1);
  await open.release();
  expect(await stats(seller.id)).toMatchObject({ sales: 0, customers: 0 });
  await refresh();
  expect(await stats(seller.id)).toMatchObject({ sales: 0, customers: 0 });
  // The same buyer buys again.
  await makeSale(product, { status: "completed", customerEmail: sale.customerEmail });
  expect(await stats(seller.id)).toMatchObject({ sales: 1, customers: 1 });
  await refresh();
  expect(await stats(seller.id)).toMatchObject({ sales: 1, customers: 1 });
});

const soldOf = {
  report_days: async (sellerId: string) => (await stats(sellerId)).sales,
  funnel_orders: async (sellerId: string) =>
    (await readFunnel(sellerId, readFunnelFilter(new URLSearchParams(), new Date()))).total.paid,
};

test.each([
  ["report_days", refresh],
  ["funnel_orders", refreshFunnels],
] as const)("two that write a seller's %s do so one after the other", async (table, write) => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  await makeSale(product, { status: "completed" });
  await refresh();
  await makeSale(product, { status: "completed" });
  // The first has read the marks, and cannot replace what is stored yet; the next sale leaves a mark for the second.
  const held = await holdLock((tx) => tx`select from ${tx(table)} where seller_id = ${seller.id} for update`);
  const first = write();
  await untilLockedOut();
  await makeSale(product, { status: "completed" });
  const second = write();
  await untilLockedOut(2);
  await held.release();
  await Promise.all([first, second]);
  expect(await soldOf[table](seller.id)).toBe(3);
});

test("counting at once and twice counts once", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  for (let n = 0; n < 5; n++)
    await makeSale(product, {
      status: "completed",
      amountCents: 100,
      customerEmail: `p${n % 2}@exemplo.com.br`,
    });
  await Promise.all(Array.from({ length: 4 }, refresh));
  expect(await stats(seller.id)).toMatchObject({ sales: 5, revenueCents: 500, customers: 2 });
  await sql`insert into report_marks (seller_id, day, email)
    select seller_id, current_date, customer_email from sales where seller_id = ${seller.id}`;
  await Promise.all(Array.from({ length: 4 }, refresh));
  expect(await stats(seller.id)).toMatchObject({ sales: 5, revenueCents: 500, customers: 2 });
});

test("changes that no figure shows leave no mark", async () => {
  const seller = await makeSeller();
  const sale = await makeSale(await makeProduct(seller), { status: "completed" });
  await refresh();
  await db
    .update(sales)
    .set({ customerName: "Outro", customerPhone: "+5511987654321" })
    .where(eq(sales.id, sale.id));
  expect(await sql`select 1 from report_marks where seller_id = ${seller.id}`).toEqual([]);
});

test("a deleted seller's stored days are deleted too, and remaining marks do no harm", async () => {
  const seller = await makeSeller();
  const sale = await makeSale(await makeProduct(seller), { status: "completed" });
  await refresh();
  await sql`delete from sales where id = ${sale.id}`;
  await sql`delete from products where seller_id = ${seller.id}`;
  await sql`delete from sellers where id = ${seller.id}`;
  await refresh();
  expect(await sql`select 1 from report_marks where seller_id = ${seller.id}`).toEqual([]);
  expect(await sql`select 1 from report_days where seller_id = ${seller.id}`).toEqual([]);
});

test("payments of one seller that settle at once do not wait for each other's marks", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const [first, second] = [await makeSale(product), await makeSale(product)];
  const open = await holdLock(
    (tx) => tx`update sales set status = 'completed', completed_at = now() where id = ${first.id}`,
  );
  await sql`update sales set status = 'completed', completed_at = now() where id = ${second.id}`;
  await open.release();
  expect((await stats(seller.id)).sales).toBe(2);
});

test("a buyer who was anonymized, paid late and gave an e-mail again is one customer", async () => {
  const seller = await makeSeller();
  const sale = await makeSale(await makeProduct(seller));
  await sql`update sales set anonymized_at = now() - interval '1 day', anonymized_as = 'alguem', customer_name = null,
    customer_email = null where id = ${sale.id}`;
  await markPaid(sale.id);
  const customers = () => countCustomers(seller.id, periodOf("7d", new Date()));
  const counted = [await customers()];
  await refresh();
  counted.push(await customers());
  await correctEmail(sale.id, "ana@exemplo.com.br");
  counted.push(await customers());
  await refresh();
  counted.push(await customers());
  expect(counted).toEqual([1, 1, 1, 1]);
});
