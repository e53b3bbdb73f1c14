import { expect, test } from "vitest";
import { listEvents } from "#app/domain/delivery/utmify/list-events.server.ts";
import { showSale } from "#app/domain/reports/show-sale.server.ts";
import { listCompletedSales } from "#app/domain/tracking/list-completed-sales.server.ts";
import { utmifyOf } from "#tests/integration/tracking/support.ts";
import { countStatements, sql } from "#tests/support/database.ts";
import { makeCharge, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { makeTracking } from "#tests/support/rows/make-tracking.ts";

/** A seller whose UTMify was notified of that many orders. */
async function delivered(orders: number) {
  const seller = await makeSeller();
  await makeTracking(seller);
  const { id: saleId } = await makeSale(await makeProduct(seller), { status: "completed" });
  const utmify = await utmifyOf(seller.id);
  await sql.begin(async (tx) => {
    // They are sent: no trigger has to schedule them.
    await tx`set local session_replication_role = replica`;
    await tx`insert into deliveries (destination_id, seller_id, sale_id, subject_id, about_id, event, status, reason, attempts, attempted_at)
      select ${utmify}, ${seller.id}, ${saleId}, ${saleId}, gen_random_uuid(), 'sale.paid', 'sent', 'taken', 1, now()
      from generate_series(1, ${orders}::int)`;
  });
  return seller;
}

test("the log walks an index to its last 50 lines, however many orders there are, of this seller and of others", async () => {
  const seller = await delivered(2000);
  for (let others = 0; others < 4; others++) await delivered(2000);
  await sql`analyze deliveries`;
  const { result, statements, values } = await countStatements(() => listEvents(seller.id));
  expect(result).toHaveLength(50);
  const at = statements.findIndex((statement) => statement.includes('from "deliveries"'));
  const lines = await sql.unsafe(`explain (analyze, timing off) ${statements[at]}`, values[at] as string[]);
  const plan = lines.map((line) => line["QUERY PLAN"]).join("\n");
  expect(plan).toMatch(/Index Scan using deliveries_log_idx on deliveries .* rows=50(\.00)? /);
  expect(plan).not.toMatch(/Seq Scan on deliveries|Sort Key: deliveries/);
});

test("the debug names the payment of a sale by the id that its page and the API name", async () => {
  const seller = await makeSeller();
  const sale = await makeSale(await makeProduct(seller), { status: "completed" });
  await makeCharge(sale, { status: "paid", paidAt: new Date() });
  const early = new Date(Date.now() - 60_000);
  // Paid before, and booked after.
  await makeCharge(sale, { status: "paid", paidAt: early, overpaidAt: new Date() });
  const [listed] = (await listCompletedSales(seller.id, { limit: 10 })).items;
  const { sale: shown } = await showSale(seller.id, sale.id);
  expect(listed!.transactionId).toBe(shown.transactionId);
});
