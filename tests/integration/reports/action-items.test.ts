import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { findPaymentSummary } from "#app/domain/charge/find-payment-summary.server.ts";
import { moveRefund, openRefund } from "#app/domain/charge/move-refund.server.ts";
import { recordDecision } from "#app/domain/refund/record-dispute.server.ts";
import { findActionItems } from "#app/domain/reports/find-action-items.server.ts";
import { pagesOf, sql } from "#tests/support/database.ts";
import { makeCharge, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { writeMail } from "#tests/support/rows/make-reports.ts";
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
  for (const kind of ["counts", "contested", "surplus", "mispaid"])
    for (const steps of REFUNDS) {
      const seller = await makeSeller();
      const product = await makeProduct(seller, { priceCents: 9700 });
      const sale = await makeSale(product, { status: kind === "contested" ? "chargedback" : "completed" });
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

test("a payment that its bank took back waits for nobody, although its refund was never confirmed", async () => {
  const sale = await makeSale(await makeProduct(await makeSeller()), { status: "completed" });
  const { id: chargeId } = await makeCharge(sale, { status: "paid", paidAt: new Date() });
  const { sellerId } = sale;
  const refund = { sellerId, chargeId, amountCents: 9700, status: "pending" } as const;
  const id = await openRefund(db, { ...refund, origin: "requested" }, "seller");
  await moveRefund(db, { ...refund, id }, { to: "unconfirmed" }, "system");
  expect(await findActionItems(sellerId)).toMatchObject([{ kind: "refund-unconfirmed" }]);
  await recordDecision(sellerId, sale.id, "lost");
  expect(await findActionItems(sellerId)).toEqual([]);
  expect((await findPaymentSummary({ saleId: sale.id }))!.actionItems).toEqual([]);
});

test("each payment of a sale that waits is a row of its own, with its amount", async () => {
  const sale = await makeSale(await makeProduct(await makeSeller()), { status: "completed" });
  const paid = { status: "paid", paidAt: new Date() } as const;
  await makeCharge(sale, paid);
  const extra = [];
  for (const paidCents of [9700, 9500])
    extra.push(
      (await makeCharge(sale, { ...paid, amountCents: paidCents, paidCents, overpaidAt: new Date() })).id,
    );
  for (const paidCents of [100, 200])
    extra.push((await makeCharge(sale, { ...paid, status: "mispaid", paidCents })).id);
  const items = (await findActionItems(sale.sellerId)).flatMap((item) => ("saleId" in item ? [item] : []));
  expect(new Set(items.map(({ chargeId }) => chargeId))).toEqual(new Set(extra));
  expect(items.map(({ kind, amountCents }) => `${kind} ${amountCents}`).sort()).toEqual([
    ...["mispaid 100", "mispaid 200"],
    ...["surplus 9500", "surplus 9700"],
  ]);
});

/** A sale of R$ 97,00 whose payment has no refund yet. */
async function paid() {
  const sale = await makeSale(await makeProduct(await makeSeller()), { status: "completed" });
  const { id } = await makeCharge(sale, { status: "paid" });
  const kinds = async () => (await findActionItems(sale.sellerId)).map(({ kind }) => kind);
  return { sale, chargeId: id, kinds };
}

test("of two refunds that were requested in the same moment the one with the higher id counts", async () => {
  for (const [lower, higher] of [
    ["refused", "unconfirmed"],
    ["unconfirmed", "refused"],
  ] as const) {
    const { sale, chargeId, kinds } = await paid();
    const at = new Date();
    const refundOf = (first: string, status: string) => ({
      ...{ id: first + randomUUID().slice(1), charge_id: chargeId, seller_id: sale.sellerId },
      ...{ amount_cents: 9700, status, origin: "requested", requested_at: at, ended_at: at },
    });
    await sql`insert into refunds ${sql([refundOf("0", lower), refundOf("f", higher)])}`;
    expect(await kinds()).toEqual([`refund-${higher}`]);
  }
});

test("a refused refund whose request is left to the seller's bank waits once, as what is done by hand", async () => {
  const { sale, chargeId, kinds } = await paid();
  await refund(chargeId, [["refused", 1]], 9700);
  expect(await kinds()).toEqual(["refund-refused"]);
  await sql`insert into refund_requests (sale_id, seller_id, kind, failed_at)
    values (${sale.id}, ${sale.sellerId}, 'right', now())`;
  expect(await kinds()).toEqual(["refund-by-hand"]);
  // While it is tried again it is not left to them.
  await sql`update refund_requests set next_attempt_at = now() where sale_id = ${sale.id}`;
  expect(await kinds()).toEqual(["refund-refused"]);
});

/** A seller with 22 sales of R$ 10,01, R$ 10,02 and so on, each with a PIX. @returns the seller's id */
async function makeManySales(): Promise<string> {
  const { id, sellerId } = await makeProduct(await makeSeller());
  await sql`insert into sales (seller_id, product_id, amount_cents, order_key, customer_email, status, completed_at)
    select ${sellerId}, ${id}, 1000 + n, ${randomUUID()} || n, n::text || '@exemplo.com.br', 'completed', now()
    from generate_series(1, 22) n`;
  await sql`insert into charges (sale_id, seller_id, provider, reference, provider_id, amount_cents, status)
    select id, seller_id, 'pushinpay', id::text, id::text, amount_cents, 'open' from sales where seller_id = ${sellerId}`;
  return sellerId;
}

/** For how long a row has been waiting: the first for two minutes, the next for three. */
const since = () => sql`now() - (amount_cents - 999) * interval '1 minute'`;

/** What makes each of a seller's sales wait. */
const WAITING = {
  surplus: (
    seller: string,
  ) => sql`update charges set status = 'paid', paid_cents = amount_cents, paid_at = ${since()},
    overpaid_at = now() where seller_id = ${seller}`,
  "news-waiting": (seller: string) => sql`insert into payment_webhooks
    (provider, charge_id, seller_id, dedupe_key, provider_id, state, provider_status, received_at)
    select provider, id, seller_id, reference, provider_id, 'paid', 'paid', ${since()} from charges where seller_id = ${seller}`,
  "refund-question": (
    seller: string,
  ) => sql`insert into refund_requests (sale_id, seller_id, kind, created_at)
    select id, seller_id, 'question', ${since()} from sales where seller_id = ${seller}`,
  disputed: (seller: string) => sql`insert into disputes (sale_id, seller_id, amount_cents, origin, opened_at)
    select id, seller_id, amount_cents, 'seller', ${since()} from sales where seller_id = ${seller}`,
  "cancelled-after-paid": (seller: string) =>
    sql`update sales set cancelled_since = ${since()} where seller_id = ${seller}`,
  "refund-by-hand": (seller: string) => sql`insert into refund_requests (sale_id, seller_id, kind, failed_at)
    select id, seller_id, 'right', ${since()} from sales where seller_id = ${seller}`,
  "access-undelivered": (seller: string) => sql`insert into mails
    (seller_id, sale_id, kind, recipient, idempotency_key, status, failure, failed_at, created_at)
    select seller_id, id, 'access', customer_email, 'access/' || id, 'failed', 'refused', now(), ${since()}
    from sales where seller_id = ${seller}`,
};

/** Kind and amount of each item, as they are shown. */
const listed = async (sellerId: string) =>
  (await findActionItems(sellerId)).map((item) => [item.kind, "amountCents" in item && item.amountCents]);

test.each(Object.entries(WAITING))(
  "of many sales with %s the newest twenty are shown",
  async (kind, wait) => {
    const sellerId = await makeManySales();
    await wait(sellerId);
    expect(await listed(sellerId)).toEqual(Array.from({ length: 20 }, (_, at) => [kind, 1001 + at]));
  },
);

test("of all kinds together the newest twenty are shown", async () => {
  const sellerId = await makeManySales();
  await WAITING.disputed(sellerId);
  await WAITING["refund-question"](sellerId);
  expect((await listed(sellerId)).map(([, cents]) => cents)).toEqual(
    Array.from({ length: 20 }, (_, at) => 1001 + Math.floor(at / 2)),
  );
});

test("refused access mails are read back to the hundredth, however many were sent again", async () => {
  const product = await makeProduct(await makeSeller());
  const [missed, sentAgain] = [
    await makeSale(product, { status: "completed" }),
    await makeSale(product, { status: "completed" }),
  ];
  const refused = { kind: "access", status: "failed", failure: "refused" } as const;
  await writeMail(missed, { ...refused, createdAt: new Date(Date.now() - 3_600_000) });
  await sql`insert into mails (seller_id, sale_id, kind, recipient, idempotency_key, status, failure, failed_at)
    select seller_id, id, 'access', customer_email, 'access/' || id || n, 'failed', 'refused', now()
    from sales, generate_series(1, 99) n where id = ${sentAgain.id}`;
  await writeMail(sentAgain, { kind: "access", status: "sent", createdAt: new Date(Date.now() + 3_600_000) });
  expect(await listed(product.sellerId)).toEqual([["access-undelivered", 9700]]);
  await writeMail(sentAgain, refused);
  expect(await listed(product.sellerId)).toEqual([]);
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

test("an overpayment waits, however many payments were taken back by their bank since", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const paidAt = new Date(Date.now() - 86_400_000);
  const overpaid = await makeSale(product, { status: "completed" });
  await makeCharge(overpaid, { status: "paid", paidAt, overpaidAt: new Date() });
  for (let n = 0; n < 20; n++) {
    const sale = await makeSale(product, { status: "completed" });
    const { id } = await makeCharge(sale, { status: "paid", paidAt: new Date() });
    await sql`insert into refunds (charge_id, seller_id, amount_cents, status, origin, requested_at, ended_at)
      values (${id}, ${seller.id}, 9700, 'refused', 'requested', now(), now())`;
    await recordDecision(seller.id, sale.id, "lost");
  }
  const kinds = async () => (await findActionItems(seller.id)).map(({ kind }) => kind);
  expect(await kinds()).toEqual(["surplus"]);
  await recordDecision(seller.id, overpaid.id, "lost");
  expect(await kinds()).toEqual(["surplus"]);
});
