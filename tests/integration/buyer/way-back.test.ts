import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { askForRefund } from "#app/domain/refund/asked/ask-for-refund.server.ts";
import { findWayBack } from "#app/domain/refund/asked/find-way-back.server.ts";
import { findRefundRequest } from "#app/domain/refund/asked/list-refund-requests.server.ts";
import { tryRefunds } from "#app/domain/refund/asked/try-refund.server.ts";
import { recordDecision, recordDispute } from "#app/domain/refund/record-dispute.server.ts";
import { recordRefund } from "#app/domain/refund/record-reversal.server.ts";
import { requestRefund } from "#app/domain/refund/request-refund.server.ts";
import { chooseDisputedAccess } from "#app/domain/sale/dispute/choose-access.server.ts";
import { askProvider } from "#app/domain/settlement/ask-provider.server.ts";
import * as moneyBack from "#app/routes/buyer/purchases/money-back.tsx";
import * as receipt from "#app/routes/buyer/purchases/receipt.tsx";
import { anywhere, inPlace } from "#tests/integration/buyer/support.ts";
import { buy, openShop, order } from "#tests/integration/payments/support.ts";
import { pay } from "#tests/integration/tracking/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";
import { opened } from "#tests/support/rows/make-mail.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ web: 0, worker: 0 });
await app.sandbox.gate({ enabled: false });

/** A purchase that was paid, `daysAgo` in São Paulo. */
async function bought(daysAgo = 0) {
  const email = `bia-${randomUUID()}@exemplo.com.br`;
  const { seller, product } = await openShop();
  const customer = { ...order(product.id).customer, email };
  const paid = await buy(product.id, { customer });
  await pay(app, paid);
  if (daysAgo > 0)
    await sql`update sales set completed_at = completed_at - make_interval(days => ${daysAgo}) where id = ${paid.saleId}`;
  return { ...paid, email, seller };
}

const refundsOf = (chargeId: string) =>
  sql`select status, amount_cents::int as cents from refunds where charge_id = ${chargeId} order by requested_at`;

const mailsOf = async (saleId: string) =>
  (
    await sql`select kind from mails where sale_id = ${saleId} and kind in ('refund', 'refund-news', 'refund-asked') order by created_at, kind`
  ).map(({ kind }) => kind as string);

/** A mail to each of the two. */
const ASKED = ["refund-asked", "refund-news"];

const subjectsTo = async (email: string) =>
  (
    await sql`select subject from mails where recipient = ${email} and kind = 'refund-news' order by created_at`
  ).map(({ subject }) => subject as string);

const page = async (email: string, saleId: string) =>
  (
    await call(receipt, `/minhas-compras/${saleId}`, { params: { saleId }, headers: await inPlace(email) })
  ).text();

const press = async (email: string, saleId: string, fields: Record<string, string> = {}) =>
  call(receipt, `/minhas-compras/${saleId}`, {
    method: "POST",
    params: { saleId },
    headers: await inPlace(email),
    body: new URLSearchParams({ intent: "money-back", ...fields }),
  });

async function settle({ chargeId, providerId }: { chargeId: string; providerId: string }) {
  await until(async () => (await app.sandbox.transaction(providerId)).status === "refunded");
  await sql`update charges set last_checked_at = null where id = ${chargeId}`;
  await askProvider(chargeId);
}

test("the guarantee that the checkout shows is the time within which nobody has to be asked", async () => {
  const guaranteed = async (daysAgo: number, days?: number) => {
    const sale = await bought(daysAgo);
    if (days)
      await sql`insert into checkout_customizations (seller_id, settings) values (${sale.seller.id}, ${sql.json({ guarantee_days: days })})`;
    return (await findWayBack({ ...sale, status: "completed", paidAt: await paidAt(sale.saleId) }))?.state;
  };
  expect(await guaranteed(15, 15)).toBe("right");
  expect(await guaranteed(16, 15)).toBe("question");
  expect(await guaranteed(8, 7)).toBe("question");
  expect(await guaranteed(30)).toBe("right");
  const { email, saleId } = await bought(31);
  await expect(askForRefund(email, saleId, "")).rejects.toMatchObject({ field: "reason" });
});

async function paidAt(saleId: string): Promise<Date> {
  const [row] = await sql`select completed_at from sales where id = ${saleId}`;
  return row!.completed_at as Date;
}

test("within seven days a press brings the money back without the seller, told at once and again when it is back", async () => {
  const sale = await bought();
  const { email, saleId, chargeId } = sale;
  expect(await page(email, saleId)).toContain("Pedir o dinheiro de volta");
  const pressed = await press(email, saleId);
  expect(pressed.status).toBe(200);
  expect(await pressed.text()).toContain("Recebemos o seu pedido de reembolso");
  expect(await refundsOf(chargeId)).toEqual([{ status: "pending", cents: 9700 }]);
  const html = await page(email, saleId);
  expect(html).toContain("O provedor de pagamento aceitou devolver: o dinheiro está a caminho");
  expect(html).not.toContain("Devolvida");
  expect(html).not.toContain("Pedir o dinheiro de volta");
  expect(await subjectsTo(email)).toEqual([
    expect.stringContaining("Pedido de reembolso recebido"),
    expect.stringContaining("O provedor aceitou o seu reembolso"),
  ]);
  expect(
    await sql`select cause from charge_events where charge_id = ${chargeId} and kind = 'refund_requested'`,
  ).toEqual([{ cause: "buyer" }]);
  await settle(sale);
  expect(await page(email, saleId)).toContain("Devolvida");
  expect(await mailsOf(saleId)).toEqual([...ASKED, ...ASKED, "refund"]);
});

test("ten presses at once are one request, and the provider is asked once", async () => {
  const { email, saleId, chargeId } = await bought();
  const before = (await app.sandbox.calls()).pushinpay.refund;
  const all = await Promise.allSettled(Array.from({ length: 10 }, () => askForRefund(email, saleId, "")));
  expect(all.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => "fulfilled"));
  expect((await app.sandbox.calls()).pushinpay.refund - before).toBe(1);
  expect(await refundsOf(chargeId)).toHaveLength(1);
  expect(await sql`select kind from refund_requests where sale_id = ${saleId}`).toEqual([{ kind: "right" }]);
  expect(await mailsOf(saleId)).toEqual([...ASKED, ...ASKED]);
});

test("buyer and seller at once: it goes back once, and never more than was paid", async () => {
  const sale = await bought();
  const { email, saleId, chargeId, seller } = sale;
  const before = (await app.sandbox.calls()).pushinpay.refund;
  await Promise.allSettled([
    ...Array.from({ length: 4 }, () => askForRefund(email, saleId, "")),
    ...Array.from({ length: 4 }, () => requestRefund(seller.id, chargeId)),
  ]);
  expect((await app.sandbox.calls()).pushinpay.refund - before).toBe(1);
  expect(await refundsOf(chargeId)).toEqual([{ status: "pending", cents: 9700 }]);
  await settle(sale);
  expect(await refundsOf(chargeId)).toEqual([{ status: "done", cents: 9700 }]);
});

test("the seller asked first: the buyer reads that it is on its way, and nothing is asked for twice", async () => {
  const { email, saleId, chargeId, seller } = await bought();
  await requestRefund(seller.id, chargeId);
  expect(await page(email, saleId)).toContain("o dinheiro está a caminho");
  const pressed = await press(email, saleId);
  expect(pressed.status).toBe(409);
  expect(await pressed.text()).toContain("Quem vendeu já pediu a devolução");
  expect(await sql`select 1 from refund_requests where sale_id = ${saleId}`).toEqual([]);
});

test.each([
  ["given back", recordRefund, "Esta compra já foi devolvida"],
  ["contested, undecided", recordDispute, "está contestado no banco"],
  [
    "contested",
    (sellerId: string, saleId: string) => recordDecision(sellerId, saleId, "lost"),
    "Esta compra foi contestada no banco",
  ],
])("a purchase that was %s is not asked for any more", async (_, reverse, words) => {
  const { email, saleId, seller } = await bought();
  await reverse(seller.id, saleId);
  const pressed = await press(email, saleId);
  expect(pressed.status).toBe(409);
  expect(await pressed.text()).toContain(words);
  expect(await sql`select 1 from refund_requests where sale_id = ${saleId}`).toEqual([]);
});

test("a receipt says of a contested payment what is true, and what becomes of the access", async () => {
  const { email, saleId, seller } = await bought();
  await recordDispute(seller.id, saleId);
  const kept = await page(email, saleId);
  expect(kept).toContain("Em contestação");
  expect(kept).toContain("O acesso continua enquanto o banco não decide.");
  expect(kept).toContain("Enviar o acesso de novo");
  await chooseDisputedAccess(seller.id, true);
  const suspended = await page(email, saleId);
  expect(suspended).toContain("Enquanto o banco não decide, o acesso está suspenso.");
  expect(suspended).not.toContain("Enviar o acesso de novo");
});

test("a refund that a buyer is to have waits while the bank decides, and is not forgotten", async () => {
  const { email, saleId, chargeId, seller } = await bought();
  await app.sandbox.fault({ service: "pushinpay", route: "refund", mode: "http-422", times: 1 });
  await askForRefund(email, saleId, "Não era o que eu queria");
  await recordDispute(seller.id, saleId);
  const before = await refundsOf(chargeId);
  const soon = () =>
    sql`update refund_requests set next_try_at = date_trunc('milliseconds', now()) where sale_id = ${saleId}`;
  await soon();
  await tryRefunds.handle({}, { number: 1, last: false });
  expect(await refundsOf(chargeId)).toEqual(before);
  const [waiting] =
    await sql`select next_try_at > now() as waits, tries from refund_requests where sale_id = ${saleId}`;
  expect(waiting).toEqual({ waits: true, tries: 1 });
  await recordDecision(seller.id, saleId, "won");
  await soon();
  await tryRefunds.handle({}, { number: 1, last: false });
  expect(await refundsOf(chargeId)).toHaveLength(before.length + 1);
});

test("a chargeback and a press at once end without a refund on top or with one that was asked before", async () => {
  for (let round = 0; round < 3; round++) {
    const { email, saleId, chargeId, seller } = await bought();
    await Promise.allSettled([askForRefund(email, saleId, ""), recordDecision(seller.id, saleId, "lost")]);
    const [sale] = await sql`select status from sales where id = ${saleId}`;
    expect(sale!.status).toBe("chargedback");
    const asked = await refundsOf(chargeId);
    expect(asked.length).toBeLessThanOrEqual(1);
    await sql`update refund_requests set next_try_at = date_trunc('milliseconds', now()) where sale_id = ${saleId}`;
    await tryRefunds.handle({}, { number: 1, last: false });
    expect(await refundsOf(chargeId)).toEqual(asked);
    expect(
      await sql`select 1 from refund_requests where sale_id = ${saleId} and next_try_at is not null`,
    ).toEqual([]);
  }
});

test("another's purchase and one that was never paid are not there", async () => {
  const { saleId } = await bought();
  const other = await bought();
  await expect(askForRefund(other.email, saleId, "")).rejects.toMatchObject({ kind: "not-found" });
  expect((await press(other.email, saleId)).status).toBe(404);
  const unpaid = await makeSale(await makeProduct(await makeSeller()), { customerEmail: other.email });
  await expect(askForRefund(other.email, unpaid.id, "")).rejects.toMatchObject({ kind: "not-found" });
  await expect(askForRefund(other.email, "x", "")).rejects.toMatchObject({ kind: "not-found" });
});

test("the right lasts until the end of the seventh day in São Paulo", async () => {
  const { saleId, seller } = await bought();
  await sql`insert into checkout_customizations (seller_id, settings) values (${seller.id}, ${sql.json({ guarantee_days: 7 })})`;
  const sale = {
    saleId,
    status: "completed" as const,
    paidAt: new Date("2026-11-10T23:30:00-03:00"),
  };
  const at = (moment: string) => findWayBack(sale, new Date(moment));
  expect(await at("2026-11-17T23:59:59-03:00")).toEqual({
    state: "right",
    ends: new Date("2026-11-18T00:00:00-03:00"),
    byHand: false,
    requestedAt: null,
  });
  expect(await at("2026-11-18T00:00:00-03:00")).toEqual({ state: "question", requestedAt: null });
});

test("a provider without balance is told to both once, asked again by itself, and brings the money back then", async () => {
  const sale = await bought();
  const { email, saleId, chargeId } = sale;
  await app.sandbox.fault({ service: "pushinpay", route: "refund", mode: "http-422" });
  await askForRefund(email, saleId, "Não era o que eu queria");
  expect(await page(email, saleId)).toContain("O provedor de pagamento ainda não");
  expect(await mailsOf(saleId)).toEqual([...ASKED, ...ASKED]);
  // What is told is what was known: nobody reads that money is on its way which the provider refuses.
  const rows = await sql`select body_sealed from mails where sale_id = ${saleId}
    and kind in ('refund-news', 'refund-asked')`;
  const told = opened(rows).map(({ payload }) => payload);
  for (const { html } of told) expect(html).not.toMatch(/a caminho|não é preciso fazer nada/i);
  expect(told.filter(({ html }) => /[Ee]stamos pedindo/.test(html))).toHaveLength(2);
  const due = () =>
    sql`update refund_requests set next_try_at = date_trunc('milliseconds', now()) where sale_id = ${saleId}`;
  await app.sandbox.fault({ service: "pushinpay", route: "refund", mode: "http-422" });
  await due();
  await tryRefunds.handle({}, { number: 1, last: false });
  expect(await mailsOf(saleId)).toHaveLength(4);
  await due();
  await tryRefunds.handle({}, { number: 1, last: false });
  expect((await refundsOf(chargeId)).at(-1)).toEqual({ status: "pending", cents: 9700 });
  expect(await page(email, saleId)).toContain("o dinheiro está a caminho");
  expect(await subjectsTo(email)).toEqual([
    expect.stringContaining("Pedido de reembolso recebido"),
    expect.stringContaining("O reembolso está demorando"),
    expect.stringContaining("O provedor aceitou o seu reembolso"),
  ]);
  await settle(sale);
  await due();
  await tryRefunds.handle({}, { number: 1, last: false });
  expect(await sql`select next_try_at from refund_requests where sale_id = ${saleId}`).toEqual([
    { next_try_at: null },
  ]);
  expect((await refundsOf(chargeId)).filter(({ status }) => status === "done")).toHaveLength(1);
});

test("a request that never reached the provider is on its way for nobody, and the buyer's own wish is followed", async () => {
  const { email, saleId, chargeId, seller } = await bought();
  // The process died between the row and the call.
  await sql`insert into refunds (charge_id, seller_id, amount_cents, status, origin) values (${chargeId}, (select seller_id from charges where id = ${chargeId}), 9700, 'pending', 'requested')`;
  const html = await page(email, saleId);
  expect(html).toContain("e ele ainda não respondeu");
  expect(html).not.toContain("dinheiro está a caminho");
  expect((await press(email, saleId)).status).toBe(200);
  expect(await page(email, saleId)).toContain("Estamos pedindo");
  expect(await findRefundRequest(seller.id, saleId)).toMatchObject({ state: "requested" });
  await sql`update refunds set requested_at = now() - interval '31 minutes' where charge_id = ${chargeId}`;
  await sql`update charges set last_checked_at = null where id = ${chargeId}`;
  await askProvider(chargeId);
  await sql`update charges set last_checked_at = null where id = ${chargeId}`;
  await sql`update refund_requests set next_try_at = date_trunc('milliseconds', now()) where sale_id = ${saleId}`;
  await tryRefunds.handle({}, { number: 1, last: false });
  expect(await refundsOf(chargeId)).toEqual([
    { status: "unconfirmed", cents: 9700 },
    { status: "pending", cents: 9700 },
  ]);
  expect(await page(email, saleId)).toContain("o dinheiro está a caminho");
  expect(await findRefundRequest(seller.id, saleId)).toMatchObject({ state: "on-its-way" });
});

test("a process that died after it noted the request leaves it to the next one", async () => {
  const { email, saleId, chargeId, seller } = await bought();
  await sql`insert into refund_requests (sale_id, seller_id, kind, next_try_at) values (${saleId}, ${seller.id}, 'right', now())`;
  await Promise.all([tryRefunds.handle({}, { number: 1, last: false }), askForRefund(email, saleId, "")]);
  expect(await refundsOf(chargeId)).toEqual([{ status: "pending", cents: 9700 }]);
});

test("a sale without a payment of ours is left to its seller, who is told", async () => {
  const email = `bia-${randomUUID()}@exemplo.com.br`;
  const seller = await makeSeller();
  const sale = await makeSale(await makeProduct(seller), { status: "completed", customerEmail: email });
  await askForRefund(email, sale.id, "");
  expect(await mailsOf(sale.id)).toEqual(["refund-asked", "refund-news"]);
  const [request] = await sql`select failure, next_try_at from refund_requests where sale_id = ${sale.id}`;
  expect(request).toMatchObject({
    failure: expect.stringContaining("devolva pelo banco"),
    next_try_at: null,
  });
});

test("who presses again and again is told to wait", async () => {
  const { email, saleId } = await bought();
  const statuses = [];
  for (let n = 0; n < 6; n++) statuses.push((await press(email, saleId)).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
});

test("/reembolso asks for the e-mail, and leads who is in their place to their purchases", async () => {
  const asked = await call(moneyBack, "/reembolso", { headers: anywhere() });
  expect(await asked.text()).toContain("Pedir reembolso");
  const { email } = await bought();
  const sent = await call(moneyBack, "/reembolso", {
    method: "POST",
    headers: anywhere(),
    body: new URLSearchParams({ email }),
  });
  expect(await sent.text()).toContain("Confira o seu e-mail");
  expect(await sql`select 1 from mails where recipient = ${email} and kind = 'buyer-link'`).toHaveLength(1);
  const inside = await call(moneyBack, "/reembolso", { headers: await inPlace(email) });
  expect(inside.headers.get("location")).toBe("/minhas-compras");
});

test("what waits to be tried and what a seller is shown are found by an index", async () => {
  await sql`set enable_seqscan = off`;
  const plans = await Promise.all([
    sql`explain select id from refund_requests where next_try_at <= now() order by next_try_at limit 50`,
    sql`explain select id from refund_requests where sale_id = ${randomUUID()}`,
  ]);
  const told = plans.map((rows) => rows.map((row) => row["QUERY PLAN"]).join("\n"));
  await sql`reset enable_seqscan`;
  expect(told[0]).toContain("refund_requests_next_try_idx");
  expect(told[1]).toContain("refund_requests_sale_key");
});
