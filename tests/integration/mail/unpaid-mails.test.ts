import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { resendToBuyer } from "#app/domain/access/resend-access.server.ts";
import { correctEmail } from "#app/domain/buyer/correct-email.server.ts";
import { claimMails } from "#app/domain/mail/sending/claim-mails.server.ts";
import { sendMail } from "#app/domain/mail/sending/send-mail.server.ts";
import { placeSale } from "#app/domain/order/place-sale.server.ts";
import { remindBuyer } from "#app/domain/reminder/remind-buyer.server.ts";
import { renderMail } from "#app/domain/sale/mails/render-mail.server.ts";
import { buy, openShop, order } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeProduct, makeSeller, markPaid } from "#tests/support/make.ts";
import { markSent } from "#tests/support/rows/make-mail.ts";

const app = await startApp({ web: 0, worker: 0 });
const shops = [await openShop(), await openShop()];

/** Sends scheduled mails, as workers do. */
async function send() {
  for (const claimed of await claimMails(50))
    await sendMail(
      { ...claimed, slotAt: new Date(), slotInMs: 0, claimedTime: performance.now() },
      renderMail,
    );
}
const mailsOf = (saleIds: string[]) =>
  sql`select * from mails where sale_id in ${sql(saleIds)} order by created_at`;

/** Orders of one address at two sellers, each from a client of its own. */
async function orders(many: number, email: string) {
  const customer = { name: "Bia", email, phone: null, document: null };
  const bought = await Promise.all(
    Array.from({ length: many }, (_, i) =>
      buy(shops[i % 2]!.product.id, {
        customer,
        buyerContext: { client: randomUUID(), userAgent: "test", placedSaleIds: [] },
      }),
    ),
  );
  return bought.map(({ saleId }) => saleId);
}

test("an address that paid for nothing gets five mails an hour, however many orders use it at once", async () => {
  const email = `alvo-${randomUUID()}@exemplo.com.br`;
  const saleIds = await orders(8, email);
  await Promise.all([send(), send()]);
  const mails = await mailsOf(saleIds);
  expect(mails).toHaveLength(8);
  const [sent, stored] = [
    mails.filter((m) => m.status === "sent"),
    mails.filter((m) => m.status === "failed"),
  ];
  expect([sent.length, stored.length]).toEqual([5, 3]);
  for (const mail of stored)
    expect(mail.error).toBe(
      "Não enviado: este endereço já recebeu 5 e-mails de pedidos não pagos na última hora.",
    );
  expect(stored.map((mail) => mail.attempts)).toEqual([0, 0, 0]);
  const inOrder =
    await sql`select status from mails where sale_id in ${sql(saleIds)} order by created_at, id`;
  expect(inOrder.map(({ status }) => status)).toEqual([...Array(5).fill("sent"), ...Array(3).fill("failed")]);
  expect(await app.sandbox.emails(email)).toHaveLength(5);
  // An order without a PIX mail gets no reminder; one with it does, within the same five.
  for (const saleId of saleIds) await remindBuyer({ saleId, number: 1, since: new Date() });
  const reminders = async () =>
    sql`select sale_id, status from mails where sale_id in ${sql(saleIds)} and kind = 'reminder'`;
  expect((await reminders()).map((m) => m.sale_id).sort()).toEqual(sent.map((m) => m.sale_id).sort());
  await send();
  expect((await reminders()).map((m) => m.status)).toEqual(Array(5).fill("failed"));
});

test.each([
  ["ran out", "update charges set expires_at = now() - interval '1 minute', status = 'expired'"],
  ["was cancelled", "update charges set status = 'cancelled'"],
  ["brought another amount", "update charges set status = 'mispaid', paid_cents = 100, paid_at = now()"],
  [
    "is said to be paid",
    `insert into payment_webhooks (provider, charge_id, seller_id, dedupe_key, provider_id, state, provider_status)
      select provider, id, seller_id, id::text, provider_id, 'paid', 'paid' from charges`,
  ],
])("no mail requests payment of a code that %s", async (_, change) => {
  const [saleId] = await orders(1, `tarde-${randomUUID()}@exemplo.com.br`);
  await sql.unsafe(`${change} where sale_id = $1`, [saleId!]);
  await send();
  expect(await mailsOf([saleId!])).toMatchObject([
    {
      kind: "pix",
      status: "failed",
      failure: "dropped",
      error: "Não enviado: o código PIX já não podia ser pago.",
    },
  ]);
});

test("no mail requests payment while a card of the order is being confirmed", async () => {
  const [saleId] = await orders(1, `cartao-${randomUUID()}@exemplo.com.br`);
  await remindBuyer({ saleId: saleId!, number: 1, since: new Date() });
  const card = await makeCharge(
    { id: saleId!, amountCents: 9700 },
    { method: "card", status: "in_review", instalments: 1 },
  );
  await send();
  const error = "Não enviado: um pagamento com cartão está sendo confirmado.";
  expect(await mailsOf([saleId!])).toMatchObject([
    { kind: "pix", status: "failed", error },
    { kind: "reminder", status: "failed", error },
  ]);
  // Its buyer is reminded once it was declined.
  await sql`update charges set status = 'declined', decline_reason = 'other' where id = ${card.id}`;
  await remindBuyer({ saleId: saleId!, number: 2, since: new Date() });
  await send();
  expect((await mailsOf([saleId!])).at(-1)).toMatchObject({ kind: "reminder", status: "sent" });
});

test("an order whose PIX mail waited until its code ran out is reminded all the same", async () => {
  const [saleId] = await orders(1, `fila-${randomUUID()}@exemplo.com.br`);
  await sql`update charges set expires_at = now() - interval '1 minute', status = 'expired' where sale_id = ${saleId!}`;
  await send();
  await remindBuyer({ saleId: saleId!, number: 1, since: new Date() });
  await send();
  expect(await mailsOf([saleId!])).toMatchObject([
    { kind: "pix", status: "failed", attempts: 0 },
    { kind: "reminder", status: "sent" },
  ]);
});

test("a paid order frees its slot, an hour frees all, and mails caused by a payment are never limited", async () => {
  const email = `paga-${randomUUID()}@exemplo.com.br`;
  const saleIds = await orders(5, email);
  await send();
  const announceOne = async () => {
    const [saleId] = await orders(1, email);
    await send();
    return (await mailsOf([saleId!]))[0]!.status;
  };
  expect(await announceOne()).toBe("failed");
  await sql`update sales set status = 'completed', completed_at = now() where id = ${saleIds[0]!}`;
  expect(await announceOne()).toBe("sent");
  expect(await announceOne()).toBe("failed");
  // What failed after an attempt may have arrived.
  await sql`update mails set status = 'failed' where recipient = ${email} and status = 'sent'`;
  expect(await announceOne()).toBe("failed");
  await sql`update mails set created_at = created_at - interval '1 hour' where recipient = ${email}`;
  expect(await announceOne()).toBe("sent");
});

/** A free order of an address, from a client of its own. */
async function orderFree(product: { id: number }, email: string): Promise<string> {
  const customer = { name: "Bia", email, phone: null, document: null };
  const buyerContext = { client: randomUUID(), userAgent: "test", placedSaleIds: [] };
  return (await placeSale(order(product.id, { customer, buyerContext }))).saleId;
}

test("an address gets ten mails of free orders an hour from all shops, corrected ones included, and what it requests", async () => {
  const email = `gratis-${randomUUID()}@exemplo.com.br`;
  const newProduct = async () => makeProduct(await makeSeller({ notifyNewSale: false }), { priceCents: 0 });
  const products = [await newProduct(), await newProduct()];
  const saleIds: string[] = [];
  for (let n = 0; n < 12; n++) saleIds.push(await orderFree(products[n % 2]!, email));
  for (const { id } of (await mailsOf(saleIds)).slice(0, 9)) await markSent(id);
  await send();
  const accessMails = async (ids: string[]) =>
    (await mailsOf(ids)).filter((mail) => mail.recipient === email && mail.kind !== "email-corrected");
  const mails = await accessMails(saleIds);
  expect(mails.map((mail) => mail.status)).toEqual([...Array(10).fill("sent"), ...Array(2).fill("failed")]);
  for (const mail of mails.slice(10))
    expect(mail.error).toBe(
      "Não enviado: este endereço já recebeu 10 e-mails de pedidos gratuitos na última hora.",
    );
  expect(await app.sandbox.emails(email)).toHaveLength(1);
  const corrected = await orderFree(products[0]!, `outra-${randomUUID()}@exemplo.com.br`);
  await send();
  await correctEmail(corrected, email);
  await send();
  expect(await accessMails([corrected])).toMatchObject([{ kind: "access", status: "failed" }]);
  await resendToBuyer(email, saleIds[0]!);
  await send();
  expect((await accessMails([saleIds[0]!])).at(-1)).toMatchObject({ kind: "access", status: "sent" });
  // A purchase is mailed, whatever was free before.
  const [paidId] = await orders(1, email);
  await markPaid(paidId!);
  await send();
  expect(await accessMails([paidId!])).toContainEqual(
    expect.objectContaining({ kind: "purchase", status: "sent" }),
  );
  await sql`update mails set created_at = created_at - interval '1 hour' where recipient = ${email}`;
  const later = await orderFree(products[0]!, email);
  await send();
  expect(await accessMails([later])).toMatchObject([{ kind: "purchase", status: "sent" }]);
});

test("mails of free orders count for the address that got them, also where it was corrected since", async () => {
  const email = `gratis-${randomUUID()}@exemplo.com.br`;
  const product = await makeProduct(await makeSeller({ notifyNewSale: false }), { priceCents: 0 });
  const orderAndCorrect = async () => {
    const saleId = await orderFree(product, email);
    const [mail] = await mailsOf([saleId]);
    await markSent(mail!.id);
    await correctEmail(saleId, `outra-${randomUUID()}@exemplo.com.br`);
  };
  for (let n = 0; n < 9; n++) await orderAndCorrect();
  const tenth = await orderFree(product, email);
  await send();
  expect(await mailsOf([tenth])).toMatchObject([{ kind: "purchase", status: "sent" }]);
  await correctEmail(tenth, `outra-${randomUUID()}@exemplo.com.br`);
  const eleventh = await orderFree(product, email);
  await send();
  expect(await mailsOf([eleventh])).toMatchObject([
    {
      ...{ kind: "purchase", status: "failed" },
      error: "Não enviado: este endereço já recebeu 10 e-mails de pedidos gratuitos na última hora.",
    },
  ]);
});

test.each([
  ["were sent", "update mails set status = 'sent', attempts = 1 where id = any($1)"],
  ["are being sent", "update queued_mails set attempts = 1 where id = any($1)"],
])("the oldest mail of an address is not sent either while five later ones %s", async (_, change) => {
  const [oldest, ...later] = await mailsOf(await orders(6, `alvo-${randomUUID()}@exemplo.com.br`));
  await sql`update queued_mails set scheduled_at = now() + interval '1 hour' where id in ${sql(later.map(({ id }) => id))}`;
  await sql`update mails set created_at = created_at - interval '1 minute' where id = ${oldest!.id}`;
  const [before] = await claimMails(50);
  expect(before).toMatchObject({ id: oldest!.id, isOverLimit: false });
  await sql`update queued_mails set leased_until = null where id = ${oldest!.id}`;
  await sql.unsafe(change, [later.map(({ id }) => id)]);
  const [after] = await claimMails(50);
  expect(after).toMatchObject({ id: oldest!.id, isOverLimit: true });
});
