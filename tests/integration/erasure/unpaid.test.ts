import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { customerVersion, editCustomer } from "#app/domain/access/correction/edit-customer.server.ts";
import { correctEmail } from "#app/domain/buyer/correct-email.server.ts";
import {
  confirmEmailCorrection,
  findCorrectablePurchase,
  requestEmailCorrection,
} from "#app/domain/buyer/request-email-correction.server.ts";
import { anonymizeUnpaidOrders } from "#app/domain/erasure/anonymize-unpaid-orders.server.ts";
import { showSale } from "#app/domain/reports/show-sale.server.ts";
import { crontab } from "#app/jobs/crontab.server.ts";
import { DAY } from "#app/kit/duration.ts";
import { backlogReadings } from "#app/metrics/backlog-metrics.server.ts";
import { log } from "#app/platform/log.server.ts";
import * as customerRoute from "#app/routes/api/sales/customer.ts";
import { findTexts } from "#tests/integration/erasure/support.ts";
import { countStatements, holdLock, sql } from "#tests/support/database.ts";
import { makeCharge, makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";
import { mailsWithTexts, makeMail, opened } from "#tests/support/rows/make-mail.ts";

const run = () => anonymizeUnpaidOrders.handle({}, { number: 1, last: false });
const product = await makeProduct(await makeSeller());

function ordered(daysAgo: number, fields: Parameters<typeof makeSale>[1] = {}) {
  const createdAt = new Date(Date.now() - daysAgo * 86_400_000);
  return makeSale(product, { status: "cancelled", createdAt, ...fields });
}

const nameOf = async (id: string) =>
  (await sql`select customer_name from sales where id = ${id}`)[0]!.customer_name as string | null;

async function overdue(): Promise<number[]> {
  return (await backlogReadings.ordersPendingAnonymization!()).map(({ values }) => values[0]![1]);
}

test("an unpaid order loses its person after 30 days, whatever became of it, and keeps its sums", async () => {
  const email = `uma-${randomUUID()}@exemplo.com.br`;
  const old = [];
  for (const status of ["pending", "failed", "cancelled"] as const)
    old.push(await ordered(30.01, { status, customerEmail: email, customerIp: "198.51.100.9" }));
  await makeMail({ recipient: email, saleId: old[0]!.id });
  const young = await ordered(29.99);
  const paid = await ordered(400, { status: "completed" });
  const [before] = await overdue();
  expect(before).toBe(3);
  await run();
  for (const { id } of old) {
    const [row] =
      await sql`select customer_name, amount_cents, anonymized_at, anonymized_as from sales where id = ${id}`;
    expect(row).toMatchObject({
      customer_name: null,
      amount_cents: 9700,
      anonymized_at: expect.any(Date),
      anonymized_as: null,
    });
  }
  expect(await findTexts([email, "198.51.100.9"])).toEqual([]);
  for (const { id } of [young, paid]) expect(await nameOf(id)).toBe("Beatriz Compradora");
  expect(await overdue()).toEqual([0, 0]);
});

test("an order that lost its person gets no e-mail again, which nothing would remove", async () => {
  const old = await ordered(40, { status: "pending" });
  await run();
  await expect(correctEmail(old.id, "bia@exemplo.com.br")).rejects.toThrow(
    "Os dados deste pedido foram apagados. Faça um novo pedido na página do produto.",
  );
  const [row] = await sql`select customer_email from sales where id = ${old.id}`;
  expect(row!.customer_email).toBeNull();
});

test("neither its seller, by page or API, nor who ordered, by form or mailed link, gives it an e-mail again", async () => {
  const seller = await makeSeller();
  const own = await makeProduct(seller);
  const late = { status: "pending", createdAt: new Date(Date.now() - 40 * DAY) } as const;
  const { id } = await makeSale(own, late);
  const parent = await makeSale(own, { status: "completed", createdAt: late.createdAt });
  const upsell = await makeSale(own, { ...late, parentSaleId: parent.id });
  const to = "bia-outra@exemplo.com.br";
  // Requested before, and confirmed afterwards.
  await requestEmailCorrection(await findCorrectablePurchase(id), to);
  const [mail] = opened(
    await sql`select body_sealed from ${mailsWithTexts()} where kind = 'correct-email' order by created_at desc limit 1`,
  );
  const [, token] = /\/purchase-email\/[^/"]+\/([^"]+)"/.exec(mail!.payload.html)!;
  await run();
  const changes = {
    form: async () => requestEmailCorrection(await findCorrectablePurchase(id), to),
    link: () => confirmEmailCorrection(id, token!),
    browser: () => correctEmail(id, to),
    page: () => editCustomer(seller.id, id, { name: "Bia", email: to }),
  };
  for (const [by, change] of Object.entries(changes))
    await expect(change(), by).rejects.toMatchObject({ kind: "conflict" });
  const answer = await call(customerRoute, `/api/sales/${id}/customer`, {
    ...{ method: "PUT", params: { saleId: id }, headers: await signedIn(seller) },
    body: { customer_name: "Bia", customer_email: to },
  });
  expect(answer.status).toBe(409);
  // Corrections of the purchase that it belongs to leave it as it is.
  await editCustomer(seller.id, parent.id, { name: "Bia", email: to });
  await correctEmail(parent.id, `de-novo-${to}`);
  const rows = await sql`select customer_email from sales where id in (${id}, ${upsell.id})`;
  expect(rows).toEqual([{ customer_email: null }, { customer_email: null }]);
});

test("an order that was paid after it lost its person gets an e-mail from its seller, and the access with it", async () => {
  const seller = await makeSeller();
  const own = await makeProduct(seller);
  const createdAt = new Date(Date.now() - 40 * DAY);
  const { id } = await makeSale(own, { status: "pending", createdAt });
  await run();
  await sql`update sales set status = 'completed', completed_at = clock_timestamp() where id = ${id}`;
  const page = async () => showSale(seller.id, id);
  expect((await page()).sale).toMatchObject({ anonymizedReason: "unpaid", isPaidAnonymous: true });
  const email = `uma-${randomUUID()}@exemplo.com.br`;
  await editCustomer(seller.id, id, { name: "Uma", email }, customerVersion((await page()).sale));
  expect((await page()).sale).toMatchObject({ customerEmail: email, isPaidAnonymous: false });
  expect(await sql`select kind, recipient from mails where sale_id = ${id}`).toEqual([
    { kind: "access", recipient: email },
  ]);
});

test("a purchase that its buyer gave up with their data gets no e-mail from its seller", async () => {
  const seller = await makeSeller();
  const sale = await makeSale(await makeProduct(seller), { status: "completed", customerEmail: null });
  await sql`update sales set anonymized_at = clock_timestamp(), anonymized_as = gen_random_uuid(), customer_name = null
    where id = ${sale.id}`;
  expect((await showSale(seller.id, sale.id)).sale.isPaidAnonymous).toBe(false);
  const edit = editCustomer(seller.id, sale.id, { name: "Uma", email: "uma@exemplo.com.br" });
  await expect(edit).rejects.toMatchObject({ kind: "conflict" });
});

test("an order that can be paid now, or holds money, keeps its person until that has ended", async () => {
  const [payable, stray] = [await ordered(40, { status: "pending" }), await ordered(40)];
  const [begun, announced] = [await ordered(40, { status: "pending" }), await ordered(40)];
  const soon = new Date(Date.now() + 60_000);
  const charge = await makeCharge(payable, { expiresAt: soon });
  const money = await makeCharge(stray, { status: "mispaid", paidAt: new Date(), paidCents: 5000 });
  const uncreated = await makeCharge(begun, { status: "creating", providerId: null, creatingUntil: soon });
  const expired = await makeCharge(announced, { status: "expired" });
  await sql`insert into payment_webhooks (provider, seller_id, charge_id, dedupe_key, provider_id, state, provider_status)
    values ('pushinpay', ${product.sellerId}, ${expired.id}, ${expired.id}, ${expired.providerId}, 'paid', 'paid')`;
  await run();
  for (const { id } of [payable, stray, begun, announced]) expect(await nameOf(id)).not.toBeNull();
  expect(await overdue()).toEqual([0, 0]);
  await sql`update charges set expires_at = now() - interval '1 second' where id = ${charge.id}`;
  await sql`insert into refunds (charge_id, seller_id, amount_cents, status, origin, ended_at)
    values (${money.id}, (select seller_id from charges where id = ${money.id}), 5000, 'done', 'recorded', now())`;
  await sql`update charges set creating_until = now() - interval '1 second' where id = ${uncreated.id}`;
  await sql`update payment_webhooks set handled_at = now() where charge_id = ${expired.id}`;
  await run();
  for (const { id } of [payable, stray, begun, announced]) expect(await nameOf(id)).toBeNull();
});

test("it continues past a batch and past a locked order, and two at once anonymize each order once", async () => {
  const orders = [];
  for (let n = 0; n < 120; n++) orders.push(await ordered(31 + n));
  const [held] = [orders.at(-1)!];
  const lock = await holdLock((tx) => tx`select 1 from sales where id = ${held.id} for no key update`);
  await Promise.all([run(), run()]);
  const left = await sql`select id from sales where anonymized_at is null and customer_name is not null
    and id = any(${orders.map(({ id }) => id)})`;
  expect(left.map(({ id }) => id)).toEqual([held.id]);
  expect((await overdue())[0]).toBe(1);
  await lock.release();
  await run();
  expect(await nameOf(held.id)).toBeNull();
});

test("the log counts the orders that a run anonymized, where there were any", async () => {
  for (let n = 0; n < 2; n++) await ordered(31);
  const lines: unknown[][] = [];
  const spy = vi.spyOn(log, "info").mockImplementation((...line: unknown[]) => void lines.push(line));
  await run();
  await run();
  spy.mockRestore();
  const text = "persons taken out of unpaid orders";
  expect(lines.filter((line) => line.includes(text))).toEqual([[{ orders: 2 }, text]]);
});

test("a batch takes as many statements as one order, and uses the index", async () => {
  await ordered(31);
  const one = await countStatements(run);
  for (let n = 0; n < 30; n++) await ordered(31);
  const many = await countStatements(run);
  expect(many.count).toBe(one.count);
  // As many others as a shop may have: paid ones, and young ones. Their statistics decide, and no trigger.
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`insert into sales (seller_id, product_id, amount_cents, order_key, status, created_at, completed_at)
      select ${product.sellerId}, ${product.id}, 100, 'x', case when n % 2 = 0 then 'completed' else 'pending' end,
        case when n % 2 = 0 then now() - interval '1 year' else now() end, case when n % 2 = 0 then now() end
      from generate_series(1, 4000) n`;
  });
  await sql`analyze sales`;
  const [plan] = await sql.unsafe(`explain (format json) ${many.statements[0]}`, [
    2592000,
    "-infinity",
    "-infinity",
    randomUUID(),
    50,
  ]);
  expect(JSON.stringify(plan)).toContain("sales_pending_anonymization_idx");
});

test("it runs every hour", () => {
  expect(crontab).toMatch(/^\d+ \* \* \* \* empty-unpaid /m);
});
