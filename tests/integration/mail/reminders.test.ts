import { beforeAll, expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { correctEmail } from "#app/domain/buyer/correct-email.server.ts";
import { retryFailedMails } from "#app/domain/mail/sending/retry-mails.server.ts";
import { acceptUpsell } from "#app/domain/order/accept-upsell.server.ts";
import { placeSale } from "#app/domain/order/place-sale.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { hasStoppedReminders } from "#app/domain/reminder/may-remind.server.ts";
import { remindBuyer } from "#app/domain/reminder/remind-buyer.server.ts";
import { stopRemindersUrl } from "#app/domain/reminder/schedule/reminder-link.server.ts";
import { saveReminderTimes } from "#app/domain/reminder/schedule/save-reminder-times.server.ts";
import { stopReminders } from "#app/domain/reminder/stop-reminders.server.ts";
import { queueFailedPaymentMail } from "#app/domain/sale/mails/queue-failed-payment-mail.server.ts";
import { MINUTE } from "#app/kit/duration.ts";
import { ANY_TERMS } from "#tests/integration/orders/order-of.ts";
import { buy, checkNow, openShop, order as orderOf } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql, untilLockedOut } from "#tests/support/database.ts";
import { makeCharge, makeProduct, makeSale, makeUpsell } from "#tests/support/make.ts";
import {
  attempt,
  mailRow,
  mailsWithTexts,
  makeMail,
  opened,
  reminderOf,
  renderMails,
  stopLinkTo,
} from "#tests/support/rows/make-mail.ts";

const app = await startApp({ web: 0, worker: 0 });
let shop: Awaited<ReturnType<typeof openShop>>;
beforeAll(async () => {
  shop = await openShop();
});

let buyers = 0;
async function order(productId = shop.product.id) {
  const email = `bia-lembrete-${++buyers}@exemplo.com.br`;
  const bought = await buy(productId, {
    customer: { name: "Bia <b>", email, phone: null, document: null },
  });
  return { ...bought, email };
}

const remind = (saleId: string, number: number) => remindBuyer({ saleId, number, since: new Date() });
async function mailsOf(saleId: string) {
  await renderMails();
  return opened(await sql`select * from ${mailsWithTexts()} where sale_id = ${saleId} order by created_at`);
}

test("making a PIX queues its mail and sets the first reminder by the same statement", async () => {
  const { saleId, email } = await order();
  const [mail] = await sql`select * from ${mailsWithTexts()} where sale_id = ${saleId}`;
  expect(mail).toMatchObject({ kind: "pix", recipient: email, status: "attempting", body_sealed: null });
  expect(await reminderOf(saleId)).toMatchObject({ number: 1 });
});

test("an order whose first code was refused is mailed its second one", async () => {
  const customer = {
    name: "Bia",
    email: `bia-lembrete-${++buyers}@exemplo.com.br`,
    phone: null,
    document: null,
  };
  const { saleId } = await placeSale(orderOf(shop.product.id, { customer }));
  await app.sandbox.fault({ service: "pushinpay", route: "cashIn", mode: "status-422" });
  await expect(startPix(saleId)).rejects.toMatchObject({ kind: "unavailable" });
  const kinds = async () =>
    (await sql`select kind from mails where sale_id = ${saleId} and kind = 'pix'`).length;
  expect([await kinds(), await reminderOf(saleId)]).toEqual([0, null]);
  await startPix(saleId);
  expect([await kinds(), (await reminderOf(saleId))?.number]).toEqual([1, 1]);
});

test("the PIX mail has code, QR, the payment link and the notice, once per order", async () => {
  const { saleId, email, chargeId } = await order();
  const mails = await mailsOf(saleId);
  expect(mails.map((mail) => mail.kind)).toEqual(["pix"]);
  const [charge] = await sql`select pix_code from charges where id = ${chargeId}`;
  const { html, text, attachments = [], to } = mails[0]!.payload;
  expect(to).toBe(email);
  expect(text).toContain(charge!.pix_code);
  expect(html).toContain(`/checkout/pix/${saleId}`);
  expect(html).toContain("A PUSHIN PAY atua exclusivamente como processadora de pagamentos");
  expect(html).toContain("Bia &lt;b&gt;");
  expect(html).not.toContain("arquivos.exemplo.com.br");
  expect(html).toContain('src="cid:pix"');
  expect(attachments[0]).toMatchObject({ contentId: "pix", contentType: "image/png" });
  expect(Buffer.from(attachments[0]!.content, "base64").subarray(1, 4).toString()).toBe("PNG");
});

test("three reminders, each set by the one before, at 15 minutes, 2 hours and 24 hours", async () => {
  const { saleId } = await order();
  const began = Date.now();
  const { since } = (await reminderOf(saleId))!;
  expect(since.getTime() - began).toBeLessThan(5_000);
  for (const [number, minutes] of [
    [1, 15],
    [2, 120],
    [3, 1440],
  ] as const) {
    const reminder = (await reminderOf(saleId))!;
    expect(reminder.number).toBe(number);
    expect(Math.round((reminder.scheduledAt.getTime() - since.getTime()) / 60_000)).toBe(minutes);
    await remindBuyer({ saleId, number, since });
    await remindBuyer({ saleId, number, since });
  }
  expect((await mailsOf(saleId)).map((mail) => mail.kind)).toEqual([
    "pix",
    "reminder",
    "reminder",
    "reminder",
  ]);
  expect(await reminderOf(saleId)).toBeNull();
});

test("a reminder brings a PIX that can be paid, though the first one's time is over", async () => {
  const { saleId, chargeId } = await order();
  await sql`update charges set expires_at = now() - interval '1 hour' where id = ${chargeId}`;
  await remind(saleId, 2);
  const charges =
    await sql`select id, pix_code, expires_at from charges where sale_id = ${saleId} order by created_at`;
  expect(charges).toHaveLength(2);
  const mail = (await mailsOf(saleId)).at(-1);
  expect(mail!.payload.text).toContain(charges[1]!.pix_code);
  expect(charges[1]!.expires_at.getTime()).toBeGreaterThan(Date.now());
});

test("a reminder waits for the end of a code that is about to end, and brings the next one", async () => {
  const { saleId, chargeId } = await order();
  await sql`update charges set expires_at = now() + interval '5 seconds' where id = ${chargeId}`;
  await remind(saleId, 1);
  expect((await mailsOf(saleId)).map((mail) => mail.kind)).toEqual(["pix"]);
  const [waiting] =
    await sql`select r.number, r.scheduled_at > c.expires_at and r.scheduled_at < c.expires_at + interval '1 minute'
    as is_after from reminders r inner join charges c on c.sale_id = r.sale_id where c.id = ${chargeId}`;
  expect(waiting).toEqual({ number: 1, is_after: true });
  await sql`update charges set expires_at = now() where id = ${chargeId}`;
  await remind(saleId, 1);
  const [next] = await sql`select pix_code from charges where sale_id = ${saleId} and id <> ${chargeId}`;
  expect((await mailsOf(saleId)).at(-1)!.payload.text).toContain(next!.pix_code);
  expect(await reminderOf(saleId)).toMatchObject({ number: 2 });
});

test("a code that leaves its buyer ten minutes is mailed", async () => {
  const { saleId, chargeId } = await order();
  const [charge] =
    await sql`update charges set expires_at = now() + interval '10 minutes' where id = ${chargeId}
    returning pix_code`;
  await remind(saleId, 1);
  expect((await mailsOf(saleId)).at(-1)!.payload.text).toContain(charge!.pix_code);
  expect(await sql`select from charges where sale_id = ${saleId}`).toHaveLength(1);
});

test("a reminder can be stopped with one click of the mail program", async () => {
  const { saleId, email } = await order();
  await remind(saleId, 1);
  const mail = (await mailsOf(saleId)).at(-1);
  expect(mail!.payload.headers).toEqual({
    "List-Unsubscribe": `<${stopRemindersUrl(saleId, email)}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  });
  await stopReminders(stopLinkTo(saleId, email));
  await remind(saleId, 2);
  expect(await mailsOf(saleId)).toHaveLength(2);
  const [stored] =
    await sql`select o::text as said from reminder_opt_outs o where seller_id = ${shop.seller.id} limit 1`;
  expect(stored!.said).not.toContain(email);
  const again = await buy(shop.product.id, {
    customer: { name: "Bia", email, phone: null, document: null },
    bumpIds: [shop.bump.id],
  });
  await remind(again.saleId, 1);
  expect((await mailsOf(again.saleId)).map((mail) => mail.kind)).toEqual(["pix"]);
});

/** The first reminder of an order, which waits since its provider was too busy; or it was given up. */
async function waitingReminder(isGivenUp: boolean) {
  const { saleId, email } = await order();
  await remind(saleId, 1);
  const [reminder] = await sql`select id from mails where sale_id = ${saleId} and kind = 'reminder'`;
  const id: string = reminder!.id;
  await app.sandbox.fault({ service: "resend", mode: "http-429" });
  expect(await attempt(id)).toBe("again");
  if (isGivenUp) {
    await sql`update queued_mails set scheduled_at = null where id = ${id}`;
    await sql`update mails set status = 'failed', failure = 'gave-up', failed_at = now() where id = ${id}`;
  }
  const sendAgain = async () => {
    await retryFailedMails(new Date(Date.now() - MINUTE), new Date(Date.now() + MINUTE));
    expect(await attempt(id)).toBe("done");
    return { sent: await app.sandbox.emails(email), error: (await mailRow(id)).error };
  };
  return { saleId, email, sendAgain };
}

test.each([false, true])(
  "a reminder that waits, or was given up (%s), is not sent once they were stopped",
  async (isGivenUp) => {
    const { saleId, email, sendAgain } = await waitingReminder(isGivenUp);
    const other = await waitingReminder(isGivenUp);
    await stopReminders(stopLinkTo(saleId, email));
    const error = "Não enviado: quem comprou não quer mais lembretes.";
    expect(await sendAgain()).toEqual({ sent: [], error });
    expect((await other.sendAgain()).sent).toHaveLength(1);
  },
);

test("a reminder that waits is not sent once its buyer called a mail of the shop spam", async () => {
  const { email, saleId, sendAgain } = await waitingReminder(false);
  const earlier = await makeSale(shop.product, { customerEmail: email, status: "cancelled" });
  const complained = await makeMail({ kind: "pix", saleId: earlier.id });
  await sql`update mails set complained_at = now(), status = 'sent' where id = ${complained}`;
  const { sent, error } = await sendAgain();
  expect({ saleId, sent }).toEqual({ saleId, sent: [] });
  expect(error).toBe("Não enviado: quem comprou marcou um e-mail da loja como spam.");
});

test("the stop link of a reminder to a mistyped address stops those to it, and not those to the corrected one", async () => {
  const { saleId, email } = await order();
  await remind(saleId, 1);
  const [mail] = await sql`select id from mails where sale_id = ${saleId} and kind = 'reminder'`;
  expect(await attempt(mail!.id)).toBe("done");
  const corrected = `certo-${email}`;
  await correctEmail(saleId, corrected);
  const isStopped = async (address: string) =>
    db.transaction((tx) => hasStoppedReminders(tx, shop.seller.id, address));
  await stopReminders(stopLinkTo(saleId, email));
  expect([await isStopped(email), await isStopped(corrected)]).toEqual([true, false]);
  // Links that were mailed by a version that did not say to whom.
  await stopReminders({ ...stopLinkTo(saleId, email), tag: null });
  expect(await isStopped(corrected)).toBe(true);
});

test("a forged stop link stops nothing", async () => {
  const { saleId, email } = await order();
  const link = stopLinkTo(saleId, email);
  for (const forged of [{ signature: "x".repeat(22) }, { saleId: "nada" }])
    await expect(stopReminders({ ...link, ...forged })).rejects.toMatchObject({ kind: "not-found" });
});

test("paying ends the reminders, also paying another order of the same product", async () => {
  const one = await order();
  await sql`update sales set status = 'completed', completed_at = now() where id = ${one.saleId}`;
  await remind(one.saleId, 1);
  expect((await mailsOf(one.saleId)).map((mail) => mail.kind)).toEqual(["pix"]);
  const two = await buy(shop.product.id, {
    customer: { name: "Bia", email: one.email, phone: null, document: null },
  });
  await remind(two.saleId, 1);
  expect((await mailsOf(two.saleId)).map((mail) => mail.kind)).toEqual(["pix"]);
});

test("a reminder waits while a card of another order of the same product is being confirmed", async () => {
  const one = await order();
  const customer = { name: "Bia", email: one.email, phone: null, document: null };
  const two = await buy(shop.product.id, { customer });
  const card = { method: "card", status: "in_review", instalments: 1 } as const;
  const { id } = await makeCharge({ id: two.saleId, amountCents: 9700 }, card);
  await remind(one.saleId, 1);
  expect((await mailsOf(one.saleId)).map((mail) => mail.kind)).toEqual(["pix"]);
  expect(await reminderOf(one.saleId)).toMatchObject({ number: 1 });
  await sql`update charges set status = 'declined', decline_reason = 'other' where id = ${id}`;
  await remind(one.saleId, 1);
  const sent = await mailsOf(one.saleId);
  expect(sent.map((mail) => mail.kind)).toEqual(["pix", "reminder"]);
  await sql`update charges set status = 'in_review', decline_reason = null where id = ${id}`;
  expect(await dropReasons([sent[1]!.id])).toEqual([
    "Não enviado: um pagamento com cartão está sendo confirmado.",
  ]);
});

/** A purchase with its accepted upsells, which are not paid yet. */
async function acceptAfterPurchase(
  product: Awaited<ReturnType<typeof makeProduct>>,
  customerEmail: string,
  upsells: { id: number }[],
) {
  const { id: saleId, sellerId } = await makeSale(product, { status: "completed", customerEmail });
  const accepted: string[] = [];
  for (const { id: upsellId } of upsells) {
    await sql`insert into upsell_showings (seller_id, sale_id, upsell_id, expires_at)
      values (${sellerId}, ${saleId}, ${upsellId}, now() + interval '1 minute')`;
    const buyerContext = { client: customerEmail };
    const sale = await acceptUpsell({ ...ANY_TERMS, saleId, upsellId, buyerContext });
    await startPix(sale.saleId);
    accepted.push(sale.saleId);
  }
  return { saleId, accepted };
}

const nextReminder = async (saleId: string) => {
  await remind(saleId, 1);
  return (await reminderOf(saleId))?.number ?? null;
};

/** Sends these mails, which have waited. @returns why those that became untrue were not sent */
async function dropReasons(ids: string[]) {
  const reasons: unknown[] = [];
  // One after the other: an attempt claims the mail that is due first.
  for (const id of ids) {
    expect(await attempt(id)).toBe("done");
    reasons.push((await mailRow(id)).error);
  }
  return reasons;
}

test("paying for an upsell ends the reminders of another order of it, and of no other upsell", async () => {
  const product = await makeProduct(shop.seller);
  const [bought, other] = [await makeUpsell(product), await makeUpsell(product)];
  const email = `bia-lembrete-${++buyers}@exemplo.com.br`;
  const { accepted } = await acceptAfterPurchase(product, email, [bought, other]);
  const later = await acceptAfterPurchase(product, email, [bought]);
  const waiting = await Promise.all(accepted.map((saleId) => makeMail({ kind: "reminder", saleId })));
  await sql`update sales set status = 'completed', completed_at = now() where id = ${later.accepted[0]!}`;
  expect(await dropReasons(waiting)).toEqual([
    "Não enviado: o produto já foi comprado em outro pedido.",
    null,
  ]);
  expect(await Promise.all(accepted.map(nextReminder))).toEqual([null, 2]);
});

test("the reminders of an upsell end where the purchase before it was returned, or is disputed", async () => {
  const product = await makeProduct(shop.seller);
  const upsell = await makeUpsell(product);
  for (const [status, left] of [
    ["completed", 2],
    ["disputed", null],
    ["refunded", null],
    ["chargedback", null],
  ] as const) {
    const email = `bia-lembrete-${++buyers}@exemplo.com.br`;
    const { saleId, accepted } = await acceptAfterPurchase(product, email, [upsell]);
    const waiting = await makeMail({ kind: "reminder", saleId: accepted[0]! });
    await sql`update sales set status = ${status}, refunded_at = case ${status} when 'refunded' then now() end
      where id = ${saleId}`;
    const reason =
      left === null
        ? "Não enviado: a compra anterior foi contestada, ou a devolução dela foi pedida ou feita."
        : null;
    expect(await dropReasons([waiting]), status).toEqual([reason]);
    expect(await nextReminder(accepted[0]!), status).toBe(left);
  }
});

test.each([
  ["was taken off sale", "update products set deactivated_at = now() where id = $1"],
  ["was deleted", "update products set archived_at = now() where id = $1"],
  [
    "is of a shop that was closed",
    "update sellers set closed_at = now() where id = (select seller_id from products where id = $1)",
  ],
])("a reminder that waits is not sent once its product %s", async (_, change) => {
  const { product } = await openShop();
  const { saleId } = await order(product.id);
  const waiting = await makeMail({ kind: "reminder", saleId });
  await sql.unsafe(change, [product.id]);
  expect(await dropReasons([waiting])).toEqual(["Não enviado: o produto não está mais à venda."]);
  await remind(saleId, 1);
  expect(await reminderOf(saleId)).toBeNull();
});

test.each([
  ["is off sale", "update upsells set deactivated_at = now() where id = $1", null],
  ["was removed", "delete from upsells where id = $1", null],
  [
    "is sold after a product that is off sale",
    "update products set deactivated_at = now() where id = (select product_id from upsells where id = $1)",
    2,
  ],
] as const)(
  "the reminders of an upsell that %s go by the upsell itself, as its page does",
  async (_, change, left) => {
    const { seller } = await openShop();
    const product = await makeProduct(seller);
    const upsell = await makeUpsell(product);
    const email = `bia-lembrete-${++buyers}@exemplo.com.br`;
    const [accepted] = (await acceptAfterPurchase(product, email, [upsell])).accepted;
    const waiting = await makeMail({ kind: "reminder", saleId: accepted! });
    await sql.unsafe(change, [upsell.id]);
    const reason = left === null ? "Não enviado: o produto não está mais à venda." : null;
    expect(await dropReasons([waiting])).toEqual([reason]);
    expect(await nextReminder(accepted!)).toBe(left);
  },
);

test("a reminder that waits is not sent once its seller has switched it off", async () => {
  const { seller, product } = await openShop();
  await saveReminderTimes(seller.id, [15, 60]);
  const { saleId } = await order(product.id);
  for (const number of [1, 2]) await remind(saleId, number);
  await sql`delete from queued_mails where id in (select id from mails where sale_id = ${saleId} and kind = 'pix')`;
  const ids = (
    await sql<
      { id: string }[]
    >`select id from mails where sale_id = ${saleId} and kind = 'reminder' order by created_at`
  ).map(({ id }) => id);
  await saveReminderTimes(seller.id, [15]);
  expect(await dropReasons(ids)).toEqual([null, "Não enviado: você desligou este lembrete."]);
});

test("a complaint, a product no longer for sale and a seller without gateway end them", async () => {
  const complained = await order();
  await sql`update mails set complained_at = now() where sale_id = ${complained.saleId}`;
  await remind(complained.saleId, 1);
  expect(await mailsOf(complained.saleId)).toHaveLength(1);
  const other = await openShop();
  const gone = await order(other.product.id);
  const closed = await order(other.product.id);
  await sql`update products set deactivated_at = now() where id = ${other.product.id}`;
  await remind(gone.saleId, 1);
  await sql`update products set deactivated_at = null where id = ${other.product.id}`;
  await sql`update gateway_accounts set enabled_at = null where seller_id = ${other.seller.id}`;
  await sql`update charges set expires_at = now() where sale_id = ${closed.saleId}`;
  await remind(closed.saleId, 1);
  const others = [...(await mailsOf(gone.saleId)), ...(await mailsOf(closed.saleId))];
  expect(others.map((mail) => mail.kind)).toEqual(["pix", "pix"]);
});

test("a seller with reminders switched off has none, one who has one has one", async () => {
  const other = await openShop();
  await saveReminderTimes(other.seller.id, []);
  const none = await order(other.product.id);
  expect(await reminderOf(none.saleId)).toBeNull();
  await saveReminderTimes(other.seller.id, [60]);
  const one = await order(other.product.id);
  const { scheduledAt } = (await reminderOf(one.saleId))!;
  expect(Math.round((scheduledAt.getTime() - Date.now()) / 60_000)).toBe(60);
  await remind(one.saleId, 1);
  await remind(one.saleId, 2);
  expect((await mailsOf(one.saleId)).map((mail) => mail.kind)).toEqual(["pix", "reminder"]);
});

test("a broken key fails orders and mails the seller once an hour, if they want it", async () => {
  for (const wants of [true, false]) {
    const other = await openShop();
    await sql`update sellers set notify_failed_payment = ${wants} where id = ${other.seller.id}`;
    await app.sandbox.fault({ service: "pushinpay", mode: "status-401", times: 2 });
    await expect(order(other.product.id)).rejects.toMatchObject({ kind: "unavailable" });
    await expect(order(other.product.id)).rejects.toMatchObject({ kind: "unavailable" });
    const mailed = await sql`select * from ${mailsWithTexts()} where seller_id = ${other.seller.id}`;
    expect(mailed.map((mail) => mail.kind)).toEqual(wants ? ["failed-payment"] : []);
  }
});

test("of two orders that fail at the same moment for one reason the seller is mailed once, also if one fails again later", async () => {
  const other = await openShop();
  await sql`update sellers set notify_failed_payment = true where id = ${other.seller.id}`;
  const [first, second] = [await makeSale(other.product), await makeSale(other.product)];
  const failure = { why: "credentials", detail: "Não.", provider: "pushinpay" } as const;
  const [queued, committed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const failing = db.transaction(async (tx) => {
    await queueFailedPaymentMail(tx, first.id, failure);
    queued.resolve();
    await committed.promise;
  });
  await queued.promise;
  const failingToo = queueFailedPaymentMail(db, second.id, failure);
  await untilLockedOut().finally(committed.resolve);
  await Promise.all([failing, failingToo]);
  const mailed = () =>
    sql`select sale_id from mails where seller_id = ${other.seller.id} and kind = 'failed-payment'`;
  expect(await mailed()).toEqual([{ sale_id: first.id }]);
  // As an hour later.
  await sql`update mails set created_at = created_at - interval '61 minutes', idempotency_key = 'failed-payment/earlier/credentials/pushinpay'
    where seller_id = ${other.seller.id}`;
  await queueFailedPaymentMail(db, first.id, failure);
  expect(await mailed()).toHaveLength(1);
  await queueFailedPaymentMail(db, second.id, failure);
  expect(await mailed()).toHaveLength(2);
});

test("a PIX cancelled at the provider is mailed to the seller, an expired one is not", async () => {
  for (const how of ["cancel", "expire"] as const) {
    const other = await openShop();
    const { chargeId, providerId } = await order(other.product.id);
    await app.sandbox[how](providerId);
    await app.sandbox.advance(61);
    await checkNow(chargeId);
    const mailed = await sql`select kind from mails where seller_id = ${other.seller.id} and kind <> 'pix'`;
    expect(mailed.map((mail) => mail.kind)).toEqual(how === "cancel" ? ["failed-payment"] : []);
  }
});

test("a cancelled PIX does not hide that the key was refused in the same hour", async () => {
  const other = await openShop();
  const { chargeId, providerId } = await order(other.product.id);
  await app.sandbox.cancel(providerId);
  await app.sandbox.advance(61);
  await checkNow(chargeId);
  await app.sandbox.fault({ service: "pushinpay", mode: "status-401", times: 1 });
  await expect(order(other.product.id)).rejects.toMatchObject({ kind: "unavailable" });
  const mailed =
    await sql`select split_part(idempotency_key, '/', 3) as why from mails where seller_id = ${other.seller.id} and kind = 'failed-payment'`;
  expect(mailed.map(({ why }) => why).sort()).toEqual(["cancelled", "credentials"]);
});
