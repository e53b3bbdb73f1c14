import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import type { DeliveryEvent } from "#app/db/schema/lists.ts";
import { editCustomer } from "#app/domain/access/correction/edit-customer.server.ts";
import { sendAccessLinks } from "#app/domain/access/send-access-links.server.ts";
import { recordDecision, recordDispute } from "#app/domain/refund/record-dispute.server.ts";
import { findActionItems } from "#app/domain/reports/find-action-items.server.ts";
import { saveDisputeAccess } from "#app/domain/sale/dispute/save-dispute-access.server.ts";
import { markSaleRefunded } from "#app/domain/sale/mark-sale-refunded.server.ts";
import * as gateways from "#app/routes/api/settings/gateways.ts";
import * as salePage from "#app/routes/seller/sale/sale.tsx";
import { loadGateways } from "#app/routes/seller/settings/gateways/loader.server.ts";
import { deliveriesOf, sendQueued } from "#tests/integration/deliveries/support.ts";
import { buy, openShop, order } from "#tests/integration/payments/support.ts";
import { deliverToUtmify, openTrackedShop, orderOf, pay } from "#tests/integration/tracking/support.ts";
import { startApp } from "#tests/support/app.ts";
import { holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { makeSale, signedIn } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";
import { makeMemberArea } from "#tests/support/rows/make-destination.ts";
import { attempt } from "#tests/support/rows/make-mail.ts";
import { makeWebhook } from "#tests/support/rows/make-webhook.ts";

const app = await startApp({ web: 0, worker: 0 });
await app.sandbox.gate({ enabled: false });

const EVENTS: DeliveryEvent[] = [
  "sale.disputed",
  "sale.dispute_won",
  "sale.chargedback",
  "access.granted",
  "access.revoked",
];

async function paidSale() {
  const { seller, product } = await openShop();
  const email = `bia-${randomUUID()}@exemplo.com.br`;
  const customer = { ...order(product.id).customer, email };
  const bought = await buy(product.id, { customer });
  await pay(app, bought);
  return { seller, product, saleId: bought.saleId, email };
}

const bodiesAt = async (name: string) =>
  (await app.sandbox.arrivals(name)).map(({ body }) => JSON.parse(body));

test("a dispute and its end are delivered in our form and in Hotmart's; Kiwify's gets only money taken back", async () => {
  const { seller, saleId } = await paidSale();
  const [ours, hotmart, kiwify] = await Promise.all([
    makeWebhook(seller, { name: "contested-ours", events: EVENTS }),
    makeWebhook(seller, { name: "contested-hotmart", form: "hotmart", events: EVENTS }),
    makeWebhook(seller, { name: "contested-kiwify", form: "kiwify", events: EVENTS }),
  ]);
  await saveDisputeAccess(seller.id, true);
  await Promise.all([recordDispute(seller.id, saleId), recordDispute(seller.id, saleId)]);
  await recordDecision(seller.id, saleId, "won");
  await recordDispute(seller.id, saleId);
  await recordDecision(seller.id, saleId, "lost");
  for (const webhook of [ours, hotmart, kiwify]) await sendQueued(webhook, saleId);
  const received = (await bodiesAt("contested-ours")).map(({ type, data }) => `${type}: ${data.sale.status}`);
  expect(received).toEqual([
    "sale.disputed: disputed",
    "access.revoked: disputed",
    "sale.dispute_won: completed",
    "access.granted: completed",
    "sale.disputed: disputed",
    "access.revoked: disputed",
    "sale.chargedback: chargedback",
    "access.revoked: chargedback",
  ]);
  expect(
    (await bodiesAt("contested-hotmart")).map(({ event, data }) => [event, data.purchase.status]),
  ).toEqual([
    ["PURCHASE_PROTEST", "DISPUTE"],
    ["PURCHASE_PROTEST", "DISPUTE"],
    ["PURCHASE_CHARGEBACK", "CHARGEBACK"],
  ]);
  expect((await bodiesAt("contested-kiwify")).map((body) => body.webhook_event_type)).toEqual(["chargeback"]);
});

test("access that the seller's setting takes and gives back leaves the sale disputed, though it is delivered after a refund", async () => {
  const { seller, saleId } = await paidSale();
  const webhook = await makeWebhook(seller, { name: "contested-access", events: EVENTS });
  await recordDispute(seller.id, saleId);
  for (const suspends of [true, false, true]) await saveDisputeAccess(seller.id, suspends);
  const disputed = { id: saleId, sellerId: seller.id, status: "disputed" } as const;
  const refunded = { to: "refunded", refundedCents: 9700 } as const;
  await db.transaction((tx) => markSaleRefunded(tx, disputed, refunded, "seller"));
  await sendQueued(webhook, saleId);
  const received = (await bodiesAt("contested-access")).map(({ type, data: { sale } }) => [
    type,
    sale.status,
    sale.refunded_cents,
    sale.refunded_at !== null,
  ]);
  expect(received).toEqual([
    ["sale.disputed", "disputed", 0, false],
    ["access.revoked", "disputed", 0, false],
    ["access.granted", "disputed", 0, false],
    ["access.revoked", "disputed", 0, false],
    ["access.revoked", "refunded", 9700, true],
  ]);
});

test("a member area keeps the buyer as the seller's setting says, and follows when it changes", async () => {
  const { seller, product } = await openShop();
  const area = await makeMemberArea(seller, "cademi");
  const email = `bia-${randomUUID()}@exemplo.com.br`;
  const customer = { ...order(product.id).customer, email };
  const bought = await buy(product.id, { customer });
  const { saleId } = bought;
  await pay(app, bought);
  const isOpen = async () => {
    await sendQueued(area, saleId);
    return (await app.sandbox.memberships(email)).some((one) => one.isOpen);
  };
  expect(await isOpen()).toBe(true);
  await recordDispute(seller.id, saleId);
  expect(await isOpen()).toBe(true);
  // A sale that nobody contests keeps its access.
  await makeSale(product, { status: "completed" });
  await saveDisputeAccess(seller.id, true);
  await saveDisputeAccess(seller.id, true);
  expect((await deliveriesOf(area)).map(({ event }) => event).sort()).toEqual([
    "access.granted",
    "access.revoked",
  ]);
  expect(await isOpen()).toBe(false);
  await saveDisputeAccess(seller.id, false);
  expect(await isOpen()).toBe(true);
  await recordDecision(seller.id, saleId, "lost");
  expect(await isOpen()).toBe(false);
});

/** Sends the mails about a dispute that wait for its buyer. @returns all of them */
async function sendAccessMails(saleId: string, email: string) {
  for (const {
    id,
  } of await sql`select id from mails where sale_id = ${saleId} and kind = 'dispute-access' and status = 'attempting'`)
    expect(await attempt(id)).toBe("done");
  const bodies = (await app.sandbox.emails(email)).map(({ body }) => body);
  return bodies.filter(({ text }) => /contest/.test(text!));
}

test("who loses or gets back the access by the seller's setting is mailed so, whatever the bank decides later", async () => {
  const { seller, saleId, email } = await paidSale();
  const kept = await paidSale();
  await recordDispute(seller.id, saleId);
  await recordDispute(kept.seller.id, kept.saleId);
  const send = () => sendAccessMails(saleId, email);
  expect(await send()).toEqual([]);
  await saveDisputeAccess(seller.id, true);
  await saveDisputeAccess(seller.id, true);
  expect(await send()).toMatchObject([{ text: expect.stringContaining("o acesso está suspenso") }]);
  await saveDisputeAccess(seller.id, false);
  const [, restored, ...more] = await send();
  expect(more).toEqual([]);
  expect(restored!.subject).toMatch(/^Acesso liberado: /);
  expect(restored!.text).toContain("antes da decisão do banco");
  // One that waits is not sent once the access changed again; what it is now is said.
  await saveDisputeAccess(seller.id, true);
  await saveDisputeAccess(seller.id, false);
  await recordDecision(seller.id, saleId, "won");
  expect((await send()).slice(2)).toMatchObject([{ subject: restored!.subject }]);
  expect(await sql`select from mails where sale_id = ${kept.saleId} and kind = 'dispute-access'`).toEqual([]);
});

test("who was told that the access is suspended is told that it is back, also where the bank decided before that mail was sent", async () => {
  const { seller, saleId, email } = await paidSale();
  await recordDispute(seller.id, saleId);
  await saveDisputeAccess(seller.id, true);
  expect(await sendAccessMails(saleId, email)).toHaveLength(1);
  await saveDisputeAccess(seller.id, false);
  await recordDecision(seller.id, saleId, "won");
  const [, restored] = await sendAccessMails(saleId, email);
  expect(restored!.subject).toMatch(/^Acesso liberado: /);
  expect(restored!.text).toContain("antes da decisão do banco");
});

test("a program reads and changes the dispute setting, with the same effect as the screen", async () => {
  const { seller, saleId } = await paidSale();
  await recordDispute(seller.id, saleId);
  const headers = await signedIn(seller);
  const choice = async () =>
    ((await (await call(gateways, "/api", { headers })).json()) as { disputed_access: string })
      .disputed_access;
  const choose = (disputed_access: unknown) =>
    call(gateways, "/api", { method: "POST", headers, body: { disputed_access } });
  const isSuspended = async () => {
    const [sale] = await sql`select access_suspended_at is not null as is from sales where id = ${saleId}`;
    return sale!.is;
  };
  const chosen = [];
  for (const wanted of ["suspend", "suspend", "keep"]) {
    expect((await choose(wanted)).status).toBe(200);
    chosen.push([await choice(), await isSuspended()]);
    expect((await loadGateways(seller.id)).suspendsDisputed).toBe(wanted === "suspend");
  }
  expect(chosen).toEqual([
    ["suspend", true],
    ["suspend", true],
    ["keep", false],
  ]);
  await choose("suspend");
  for (const wrong of ["drop", "", 1, true]) expect((await choose(wrong)).status).toBe(400);
  // Fields that are not sent stay unchanged.
  const other = { utmfy_source_id: "minha-loja" };
  expect((await call(gateways, "/api", { method: "POST", headers, body: other })).status).toBe(200);
  expect(await choice()).toBe("suspend");
});

test("a request for access is answered while the access is kept, and refused while it is suspended", async () => {
  const { seller, saleId, email } = await paidSale();
  const links = async () => {
    await sendAccessLinks(email);
    return (await sql`select 1 from mails where recipient = ${email} and kind = 'access-links'`).length;
  };
  await recordDispute(seller.id, saleId);
  expect(await links()).toBe(1);
  await saveDisputeAccess(seller.id, true);
  expect(await links()).toBe(1);
});

test("an open dispute waits for its seller, and for no other", async () => {
  const { seller, saleId } = await paidSale();
  const other = await paidSale();
  await recordDispute(seller.id, saleId);
  expect(await findActionItems(seller.id)).toMatchObject([{ kind: "disputed", saleId, amountCents: 9700 }]);
  expect(await findActionItems(other.seller.id)).toEqual([]);
  await recordDecision(seller.id, saleId, "won");
  expect(await findActionItems(seller.id)).toEqual([]);
});

test("UTMify gets a chargeback once it is one", async () => {
  const { seller, product } = await openTrackedShop();
  const bought = await buy(product.id);
  await pay(app, bought);
  await deliverToUtmify(bought.saleId);
  await recordDispute(seller.id, bought.saleId);
  await deliverToUtmify(bought.saleId);
  expect(await orderOf(app, bought.saleId)).toMatchObject({ status: "paid" });
  await recordDecision(seller.id, bought.saleId, "lost");
  await deliverToUtmify(bought.saleId);
  expect(await orderOf(app, bought.saleId)).toMatchObject({ status: "chargedback", violations: [] });
});

test("a corrected e-mail of a contested sale is opened while the access is kept, not while it is suspended", async () => {
  const { seller, saleId } = await paidSale();
  const area = await makeMemberArea(seller, "cademi");
  await recordDispute(seller.id, saleId);
  const correct = () =>
    editCustomer(seller.id, saleId, { name: "Bia", email: `bia-${randomUUID()}@exemplo.com.br` });
  await correct();
  expect((await deliveriesOf(area)).map(({ event }) => event)).toEqual(["access.granted"]);
  await saveDisputeAccess(seller.id, true);
  const before = await deliveriesOf(area);
  await correct();
  expect(await deliveriesOf(area)).toEqual(before);
});

test("the setting is saved while the e-mail of a disputed order is corrected", async () => {
  const { seller, product } = await openShop();
  const disputed = { status: "disputed", completedAt: new Date() } as const;
  // However they are read, the purchase comes after its upsell.
  const purchase = await makeSale(product, { ...disputed, orderKey: "b" });
  const upsell = await makeSale(product, { ...disputed, orderKey: "a", parentSaleId: purchase.id });
  await sql`update sales set guarantee_days = 7 where id = ${purchase.id}`;
  const saved: Promise<void>[] = [];
  // As `lockOrder` does: the purchase, and then its upsells.
  const correcting = await holdLock(async (tx) => {
    await tx`select from sales where id = ${purchase.id} for no key update`;
    saved.push(saveDisputeAccess(seller.id, true));
    await untilLockedOut();
    await tx`select from sales where id = ${upsell.id} for no key update`;
  });
  await correcting.release();
  await Promise.all(saved);
  const [row] =
    await sql`select count(access_suspended_at)::int as suspended from sales where seller_id = ${seller.id}`;
  expect(row).toEqual({ suspended: 2 });
});

test("a free purchase has no payment that could be contested: nobody is told that it was, and access stays", async () => {
  const { seller, product } = await openShop();
  const free = await makeSale(product, { status: "completed", paymentMethod: "free", amountCents: 0 });
  const refused = { kind: "conflict", message: expect.stringContaining("foi de graça") };
  await expect(recordDispute(seller.id, free.id)).rejects.toMatchObject(refused);
  await expect(recordDecision(seller.id, free.id, "lost")).rejects.toMatchObject(refused);
  expect(await sql`select status from sales where id = ${free.id}`).toEqual([{ status: "completed" }]);
  expect(await sql`select kind from mails where sale_id = ${free.id}`).toEqual([]);
  const at = { params: { saleId: free.id }, headers: await signedIn(seller) };
  const { disputes } = await (await call(salePage, `/reports/sales/${free.id}`, at)).json();
  expect(disputes.isFree).toBe(true);
});
