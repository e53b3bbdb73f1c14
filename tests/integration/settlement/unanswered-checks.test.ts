import { expect, test } from "vitest";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { claimReminders, reminderQueue } from "#app/domain/reminder/remind-buyer.server.ts";
import { saveReminderTimes } from "#app/domain/reminder/schedule/save-reminder-times.server.ts";
import { paths } from "#app/kit/paths.ts";
import * as api from "#app/routes/api/payments/pushinpay.ts";
import * as card from "#app/routes/buyer/card.tsx";
import * as checkout from "#app/routes/buyer/checkout.tsx";
import * as pix from "#app/routes/buyer/pix.tsx";
import { rememberSale } from "#app/server/session/sales-cookie.server.ts";
import { cardShop, cardToken } from "#tests/integration/cards/support.ts";
import { ORDER_ROUTES, openScene } from "#tests/integration/payments/order-routes.ts";
import { buy, openShop, typedBuyer } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { newAddress } from "#tests/support/clients/client-address.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge } from "#tests/support/make.ts";
import { call, type RouteModule } from "#tests/support/routes/call.ts";
import { reminderOf } from "#tests/support/rows/make-mail.ts";

const app = await startApp({ web: 0, worker: 0 });
await app.sandbox.webhooks({ drop: true });

type Mode = "http-429" | "http-500" | "reset";

/** An order whose code was paid without a webhook, and is over; the next check of it gets no answer. */
async function paidUnseen(mode: Mode, shop: { product: { id: number } }) {
  const bought = await buy(shop.product.id);
  await app.sandbox.pay(bought.providerId);
  await sql`update charges set expires_at = now() - interval '1 minute' where id = ${bought.chargeId}`;
  await app.sandbox.fault({ service: "pushinpay", route: "transaction", mode, times: 1 });
  return bought;
}

async function remindNow(saleId: string, age = "20 minutes") {
  await sql`update reminders set scheduled_at = now(), since = now() - ${age}::interval where sale_id = ${saleId}`;
  for (const reminder of await claimReminders(10)) await reminderQueue.handle(reminder);
}

async function pass61Seconds(chargeId: string) {
  await app.sandbox.advance(61);
  await sql`update charges set last_checked_at = last_checked_at - interval '61 seconds' where id = ${chargeId}`;
}

async function bookedOf(saleId: string) {
  const [sale] = await sql`select status from sales where id = ${saleId}`;
  const mails = await sql`select kind from mails where sale_id = ${saleId} and kind = 'reminder'`;
  const charges = await sql`select from charges where sale_id = ${saleId}`;
  return { status: sale!.status, reminders: mails.length, charges: charges.length };
}

test.each<Mode>(["http-429", "http-500", "reset"])(
  "a buyer whose payment could not be looked up (%s) is not reminded, and their payment is found later",
  async (mode) => {
    const { saleId, chargeId } = await paidUnseen(mode, await openShop());
    await remindNow(saleId);
    expect(await bookedOf(saleId)).toEqual({ status: "pending", reminders: 0, charges: 1 });
    const { number, scheduledAt } = (await reminderOf(saleId))!;
    expect([number, scheduledAt > new Date()]).toEqual([1, true]);
    // Within the gate's minute nothing more is known.
    await remindNow(saleId);
    expect(await bookedOf(saleId)).toEqual({ status: "pending", reminders: 0, charges: 1 });
    await pass61Seconds(chargeId);
    await remindNow(saleId);
    expect(await bookedOf(saleId)).toEqual({ status: "completed", reminders: 0, charges: 1 });
    expect(await reminderOf(saleId)).toBeNull();
  },
);

test("reminders end where the provider does not answer for three days", async () => {
  const shop = await openShop();
  await saveReminderTimes(shop.seller.id, [60, 1440]);
  const { saleId } = await paidUnseen("http-500", shop);
  await remindNow(saleId, "73 hours");
  expect(await reminderOf(saleId)).toBeNull();
  expect(await bookedOf(saleId)).toMatchObject({ reminders: 0, charges: 1 });
});

/** Posts a form of a buyer's page. */
async function press(route: RouteModule, path: string, saleId: string, fields: Record<string, string>) {
  const body = new URLSearchParams(fields);
  const answer = await call(route, path, { method: "POST", params: { saleId }, body });
  const html = await answer.text();
  return { status: answer.status, html, isWarned: html.includes("não pague de novo") };
}

const PAYS_ANYWAY = 'name="pays_anyway" value="1"';

test("a buyer whose payment could not be looked up is warned before they get a second code, and gets it if they insist", async () => {
  const { saleId } = await paidUnseen("http-429", await openShop());
  const again = (fields = {}) => press(pix, paths.pix(saleId), saleId, { intent: "again", ...fields });
  for (let times = 0; times < 2; times++) {
    const { html, isWarned } = await again();
    expect([isWarned, html.includes(PAYS_ANYWAY)]).toEqual([true, true]);
  }
  expect(await bookedOf(saleId)).toMatchObject({ charges: 1 });
  expect(await again({ pays_anyway: "1" })).toMatchObject({ status: 303 });
  expect(await bookedOf(saleId)).toMatchObject({ status: "pending", charges: 2 });
});

test("a buyer whose code can still be paid is shown it, though its provider does not answer", async () => {
  const { saleId } = await buy((await openShop()).product.id);
  await app.sandbox.fault({ service: "pushinpay", route: "transaction", mode: "http-500", times: 1 });
  expect(await press(pix, paths.pix(saleId), saleId, { intent: "again" })).toMatchObject({ status: 303 });
});

test("a buyer whose PIX could not be looked up is warned before their card is charged, which they may insist on", async () => {
  const shop = await cardShop();
  const { saleId } = await paidUnseen("http-429", shop);
  const send = async (fields = {}) =>
    press(card, paths.card(saleId), saleId, {
      ...{ token: await cardToken(app), brand: "visa", instalments: "1", device_id: "aparelho" },
      ...{ holder_name: "APRO Souza", holder_document: "123.456.789-09", ...fields },
    });
  const { html, isWarned } = await send();
  expect([isWarned, html.includes(PAYS_ANYWAY)]).toEqual([true, true]);
  expect(await bookedOf(saleId)).toMatchObject({ status: "pending", charges: 1 });
  expect(await send({ pays_anyway: "1" })).toMatchObject({ status: 303 });
  expect(await bookedOf(saleId)).toMatchObject({ status: "completed", charges: 2 });
});

type Placed = { saleId: string; productId: number };

const cookieOf = async (saleId: string) =>
  (await rememberSale(new Request("http://localhost"), saleId))[0]!.split(";")[0]!;

/** Sends an order again from its browser, by the form as without script, and as a program. */
const SENDERS = {
  form: async ({ saleId, productId }: Placed) => {
    const headers = { Cookie: await cookieOf(saleId) };
    const params = { productId: String(productId) };
    const body = new URLSearchParams(typedBuyer());
    const answer = await call(checkout, `/checkout/${productId}`, { method: "POST", params, headers, body });
    return { status: answer.status, says: answer.headers.get("location") };
  },
  program: async ({ saleId, productId }: Placed, headers: Record<string, string> = {}) => {
    const body = { ...typedBuyer(), product_id: productId };
    const answer = await call(api, "/api/payments/pushinpay", {
      method: "POST",
      headers: { Cookie: await cookieOf(saleId), ...headers },
      body,
    });
    const { code = null, standing = null } = (await answer.json()) as Record<string, string>;
    return { status: answer.status, says: code ?? standing };
  },
};

type Sender = keyof typeof SENDERS;

test.each<[Sender, (saleId: string) => object]>([
  ["form", (saleId) => ({ status: 303, says: paths.pix(saleId) })],
  ["program", () => ({ status: 503, says: "may-be-paid" })],
])("an order sent again (%s) makes no second code while nobody knows about the first", async (by, said) => {
  const shop = await openShop();
  const { saleId, chargeId } = await paidUnseen("http-429", shop);
  const placed = { saleId, productId: shop.product.id };
  for (let times = 0; times < 2; times++) expect(await SENDERS[by](placed)).toEqual(said(saleId));
  expect(await bookedOf(saleId)).toMatchObject({ status: "pending", charges: 1 });
  await pass61Seconds(chargeId);
  await SENDERS[by](placed);
  expect(await bookedOf(saleId)).toMatchObject({ status: "completed", charges: 1 });
});

test.each<[Sender, (saleId: string) => object]>([
  ["form", (saleId) => ({ status: 303, says: paths.pix(saleId) })],
  ["program", () => ({ status: 200, says: "paid" })],
])("an order sent again (%s) after a payment nobody told of is that purchase", async (by, said) => {
  const shop = await openShop();
  const { saleId, chargeId, providerId } = await buy(shop.product.id);
  await app.sandbox.pay(providerId);
  await sql`update charges set expires_at = now() - interval '1 minute' where id = ${chargeId}`;
  expect(await SENDERS[by]({ saleId, productId: shop.product.id })).toEqual(said(saleId));
  expect(await bookedOf(saleId)).toMatchObject({ status: "completed", charges: 1 });
});

test("nobody is asked about an order that is sent again while its code can be paid", async () => {
  const shop = await openShop();
  const { saleId, providerId } = await buy(shop.product.id);
  const asked = async () => (await app.sandbox.calls()).pushinpay.perTransaction[providerId] ?? 0;
  const before = await asked();
  expect(await SENDERS.form({ saleId, productId: shop.product.id })).toMatchObject({ status: 303 });
  expect(await asked()).toBe(before);
  expect(await bookedOf(saleId)).toMatchObject({ status: "pending", charges: 1 });
});

test("an order sent again after a declined card, while nobody knows about its code, says so on the form", async () => {
  const shop = await openShop();
  const { saleId } = await paidUnseen("http-429", shop);
  await makeCharge(
    { id: saleId, amountCents: 4700 },
    { method: "card", instalments: 1, status: "declined", declineReason: "issuer" },
  );
  expect(await SENDERS.form({ saleId, productId: shop.product.id })).toEqual({ status: 503, says: null });
  expect(await bookedOf(saleId)).toMatchObject({ status: "pending", charges: 2 });
});

test("an order whose code is over and was not paid gets another one when it is sent again", async () => {
  const shop = await openShop();
  const { saleId, chargeId } = await buy(shop.product.id);
  await sql`update charges set expires_at = now() - interval '1 minute' where id = ${chargeId}`;
  await SENDERS.form({ saleId, productId: shop.product.id });
  expect(await bookedOf(saleId)).toMatchObject({ status: "pending", charges: 2 });
});

test("an order with an idempotency key whose first code was made on its page makes no second one unasked", async () => {
  const shop = await openShop();
  await sql`update gateway_accounts set enabled_at = null where seller_id = ${shop.seller.id}`;
  const placed = { saleId: crypto.randomUUID(), productId: shop.product.id };
  const headers = { "Idempotency-Key": "again", "X-Forwarded-For": newAddress() };
  const send = () => SENDERS.program(placed, headers);
  expect(await send()).toEqual({ status: 503, says: "no-gateway" });
  await sql`update gateway_accounts set enabled_at = now() where seller_id = ${shop.seller.id}`;
  const [sale] = await sql`select id from sales where seller_id = ${shop.seller.id}`;
  const { chargeId } = await startPix(sale!.id);
  await sql`update charges set expires_at = now() - interval '1 minute' where id = ${chargeId}`;
  await app.sandbox.fault({ service: "pushinpay", route: "transaction", mode: "http-429", times: 1 });
  expect(await send()).toEqual({ status: 503, says: "may-be-paid" });
  expect(await bookedOf(sale!.id)).toMatchObject({ status: "pending", charges: 1 });
});

test("an upsell accepted again makes no second code while nobody knows about the first", async () => {
  const scene = await openScene();
  const accept = () => ORDER_ROUTES["upsell page"]!.knock(scene);
  const saleId = (await accept()).sale!;
  const [charge] = await sql`select id, provider_id from charges where sale_id = ${saleId}`;
  await app.sandbox.pay(charge!.provider_id);
  await sql`update charges set expires_at = now() - interval '1 minute' where id = ${charge!.id}`;
  await app.sandbox.fault({ service: "pushinpay", route: "transaction", mode: "http-429", times: 1 });
  expect((await accept()).sale).toBe(saleId);
  expect(await bookedOf(saleId)).toMatchObject({ status: "pending", charges: 1 });
});
