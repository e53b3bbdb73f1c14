import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { anonymizeUnpaidOrders } from "#app/domain/erasure/anonymize-unpaid-orders.server.ts";
import { requestErasure } from "#app/domain/erasure/request-erasure.server.ts";
import { remindBuyer } from "#app/domain/reminder/remind-buyer.server.ts";
import { stopReminders } from "#app/domain/reminder/stop-reminders.server.ts";
import * as stopPage from "#app/routes/buyer/stop-reminders.tsx";
import { runErasurePass } from "#tests/integration/erasure/support.ts";
import { buy, openShop } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeProduct, makeSale } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";
import { attempt, mailRow, makeMail, stopLinkTo } from "#tests/support/rows/make-mail.ts";

const app = await startApp({ web: 0, worker: 0 });

/** A buyer with a purchase, and an order whose PIX is open. */
async function buyerWithOpenOrder() {
  const { product, seller, bump } = await openShop();
  const email = `zoe-${randomUUID()}@exemplo.com.br`;
  const customer = { name: "Zoe", email, phone: null, document: null };
  const { saleId } = await buy(product.id, { customer });
  const order = () => buy(product.id, { customer, bumpIds: [bump.id] });
  // Of another product: who has bought this one is not reminded of it anyway.
  await makeSale(await makeProduct(seller), { status: "completed", customerEmail: email });
  return { saleId, sellerId: seller.id, email, order };
}

async function remind(saleId: string) {
  await remindBuyer({ saleId, number: 1, since: new Date() });
  return sql`select id from mails where sale_id = ${saleId} and kind = 'reminder'`;
}

const stop = ({ saleId, email }: { saleId: string; email: string }) =>
  stopReminders(stopLinkTo(saleId, email));

test.each([false, true])(
  "who asked for erasure is not reminded of an order that waits for it, whether they stopped reminders (%s) or not",
  async (isStopped) => {
    const { saleId, email } = await buyerWithOpenOrder();
    if (isStopped) await stop({ saleId, email });
    await requestErasure(email);
    expect(await runErasurePass(email)).toBe(true);
    expect(await sql`select from sales where customer_email = ${email}`).toHaveLength(1);
    expect(await remind(saleId)).toEqual([]);
  },
);

const NOTHING_TO_STOP = "Não encontramos neste pedido o e-mail que recebeu este link";

test("a reminder that waits is not sent once its buyer asked for erasure", async () => {
  const { saleId, email } = await buyerWithOpenOrder();
  const [{ id }] = (await remind(saleId)) as unknown as [{ id: string }];
  await requestErasure(email);
  expect(await attempt(id)).toBe("done");
  expect((await mailRow(id)).error).toBe("Não enviado: quem comprou pediu para apagar os seus dados.");
  expect(await app.sandbox.emails(email)).toEqual([]);
});

test("who stopped reminders is not reminded of what they order after their erasure either, while the shop knows them", async () => {
  const { saleId, email, order, sellerId } = await buyerWithOpenOrder();
  await stop({ saleId, email });
  await requestErasure(email);
  const later = await order();
  await sql`update sales set created_at = created_at + interval '1 minute' where id = ${later.saleId}`;
  expect(await runErasurePass(email)).toBe(true);
  expect(await remind(later.saleId)).toEqual([]);
  await sql`update sales set customer_email = null where seller_id = ${sellerId}`;
  await runErasurePass(email);
  expect(await sql`select from reminder_opt_outs where seller_id = ${sellerId}`).toEqual([]);
});

test("the stop link of an order that was anonymized by its age is valid, and says that no reminders of it are left", async () => {
  const { saleId, email, order } = await buyerWithOpenOrder();
  const newer = await order();
  await sql`update sales set customer_email = null, customer_name = null, anonymized_at = now() where id = ${saleId}`;
  const { path, signature } = stopLinkTo(saleId, email);
  for (const method of ["GET", "POST"]) {
    const params = { saleId, signature };
    const answer = await call(stopPage, path, { method, params });
    expect(answer.status).toBe(200);
    const page = await answer.text();
    expect(page).toContain(NOTHING_TO_STOP);
    expect(page).not.toContain("<form");
  }
  expect(await remind(saleId)).toEqual([]);
  expect(await remind(newer.saleId)).toHaveLength(1);
  await stop({ ...newer, email });
});

test("a stop link whose address is of nobody says nothing of data that was deleted", async () => {
  const { saleId, email } = await buyerWithOpenOrder();
  const { path, signature } = stopLinkTo(saleId, `outra-${email}`);
  for (const method of ["GET", "POST"]) {
    const page = await (await call(stopPage, path, { method, params: { saleId, signature } })).text();
    expect(page).toContain(NOTHING_TO_STOP);
    expect(page).not.toMatch(/apagad|Você não recebe mais|<form/);
  }
  expect(await remind(saleId)).toHaveLength(1);
});

test("who called a mail spam is not reminded of a later order either, once the order of that mail was anonymized", async () => {
  const { product, seller } = await openShop();
  const [complained, other] = [randomUUID(), randomUUID()].map((id) => `rui-${id}@exemplo.com.br`);
  for (const customerEmail of [complained!, other!]) {
    const { id: saleId } = await makeSale(product, { status: "cancelled", customerEmail });
    const mail = await makeMail({ kind: "pix", saleId, recipient: customerEmail, sellerId: seller.id });
    await sql`update mails set status = 'sent', complained_at = ${customerEmail === complained ? new Date() : null}
      where id = ${mail}`;
    await sql`update sales set created_at = now() - interval '31 days' where id = ${saleId}`;
  }
  await anonymizeUnpaidOrders.handle({}, { number: 1, last: false });
  expect(await sql`select from sales where seller_id = ${seller.id} and customer_email is not null`).toEqual(
    [],
  );
  const orderAs = (email: string) =>
    buy(product.id, { customer: { name: "Rui", email, phone: null, document: null } });
  expect(await remind((await orderAs(complained!)).saleId)).toEqual([]);
  expect(await remind((await orderAs(other!)).saleId)).toHaveLength(1);
});
