import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { findPaymentSummary } from "#app/domain/charge/find-payment-summary.server.ts";
import { findActionItems } from "#app/domain/reports/find-action-items.server.ts";
import { pagesOf, sql } from "#tests/support/database.ts";
import { makeCharge, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { longTest } from "#tests/support/run/ways.ts";

/** Refunds of a charge, oldest first: status and share of the payment. */
const REFUNDS: [string, number][][] = [
  [],
  [["pending", 1]],
  [["done", 0.5]],
  [["done", 1]],
  [["refused", 1]],
  [["unconfirmed", 1]],
  [
    ["unconfirmed", 1],
    ["pending", 1],
  ],
  [
    ["unconfirmed", 1],
    ["done", 0.5],
  ],
  [
    ["done", 0.5],
    ["unconfirmed", 0.5],
  ],
  [
    ["unconfirmed", 1],
    ["refused", 1],
  ],
];

async function refund(chargeId: string, steps: [string, number][], cents: number): Promise<void> {
  for (const [at, [status, share]] of steps.entries())
    await sql`insert into refunds (charge_id, seller_id, amount_cents, status, origin, requested_at, ended_at)
      values (${chargeId}, (select seller_id from charges where id = ${chargeId}), ${cents * share}, ${status}, 'requested', now() + ${at} * interval '1 second',
        case when ${status} <> 'pending' then now() end)`;
}

test("the dashboard lists exactly the payments that the sale's own page shows as waiting", async () => {
  const wrong: unknown[] = [];
  for (const kind of ["counts", "surplus", "mispaid"])
    for (const steps of REFUNDS) {
      const seller = await makeSeller();
      const product = await makeProduct(seller, { priceCents: 9700 });
      const sale = await makeSale(product, { status: "completed" });
      const { id } = await makeCharge(sale, {
        status: kind === "mispaid" ? "mispaid" : "paid",
        paidAt: new Date(),
        paidCents: 9700,
        overpaidAt: kind === "surplus" ? new Date() : null,
      });
      await refund(id, steps, 9700);
      const hands = (await findActionItems(seller.id)).map(({ kind: actionItem }) => actionItem);
      const stands = (await findPaymentSummary({ saleId: sale.id }))!.actionItems.map(
        ({ kind: actionItem }) => actionItem,
      );
      if (hands.join() !== stands.join()) wrong.push({ kind, steps, hands, stands });
    }
  expect(wrong).toEqual([]);
});

longTest("what waits for other sellers costs a dashboard nothing", async () => {
  const [seller, other] = [await makeSeller(), await makeSeller()];
  const product = await makeProduct(seller);
  const sale = await makeSale(product, { status: "completed" });
  await makeCharge(sale, { status: "mispaid", paidAt: new Date(), paidCents: 100 });
  const foreign = await makeProduct(other);
  const cost = async () => {
    await sql.unsafe("vacuum analyze");
    for (let i = 0; i < 6; i++) await findActionItems(seller.id);
    const taken = await pagesOf(() => findActionItems(seller.id));
    return taken.reduce((sum, { pages }) => sum + pages, 0);
  };
  await waitFor(other.id, foreign.id, 300);
  const few = await cost();
  await waitFor(other.id, foreign.id, 3_000);
  const many = await cost();
  expect(await findActionItems(seller.id)).toMatchObject([
    { kind: "mispaid", saleId: sale.id, amountCents: 100 },
  ]);
  expect(many / few, `${few} pages, then ${many}`).toBeLessThan(1.25);
});

/** Overpaid, with a refund without an answer, and announced without one: that many sales of each. */
async function waitFor(sellerId: string, productId: number, many: number): Promise<void> {
  const name = randomUUID();
  await sql`insert into sales (seller_id, product_id, amount_cents, order_key, status, completed_at)
    select ${sellerId}, ${productId}, 9700, ${name} || n, 'completed', now() from generate_series(1, ${many * 3}::int) n`;
  await sql`insert into charges (sale_id, seller_id, provider, reference, provider_id, amount_cents, status, paid_at, paid_cents, overpaid_at)
    select s.id, s.seller_id, 'pushinpay', s.id::text, s.id::text, 9700, case n % 3 when 2 then 'open' else 'paid' end,
      case when n % 3 < 2 then now() end, case when n % 3 < 2 then 9700 end, case n % 3 when 0 then now() end
    from (select id, seller_id, row_number() over () as n from sales where order_key like ${`${name}%`}) s`;
  await sql`insert into refunds (charge_id, seller_id, amount_cents, status, origin, ended_at)
    select c.id, c.seller_id, 9700, 'unconfirmed', 'requested', now() from charges c inner join sales s on s.id = c.sale_id
    where s.order_key like ${`${name}%`} and c.status = 'paid' and c.overpaid_at is null`;
  await sql`insert into payment_webhooks (provider, charge_id, seller_id, dedupe_key, provider_id, state, provider_status, received_at)
    select 'pushinpay', c.id, c.seller_id, c.reference, c.provider_id, 'paid', 'paid', now() - interval '1 hour'
    from charges c inner join sales s on s.id = c.sale_id where s.order_key like ${`${name}%`} and c.status = 'open'`;
}
