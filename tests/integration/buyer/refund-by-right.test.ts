import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { recordDecision, recordDispute } from "#app/domain/refund/record-dispute.server.ts";
import { recordRefund } from "#app/domain/refund/record-reversal.server.ts";
import { refundCharge } from "#app/domain/refund/refund-charge.server.ts";
import { attemptRefunds } from "#app/domain/refund/request/attempt-refund.server.ts";
import { findRefundRequestState } from "#app/domain/refund/request/find-refund-request-state.server.ts";
import { findRefundRequest } from "#app/domain/refund/request/list-refund-requests.server.ts";
import { requestRefund } from "#app/domain/refund/request/request-refund.server.ts";
import { saveDisputeAccess } from "#app/domain/sale/dispute/save-dispute-access.server.ts";
import { renderMail } from "#app/domain/sale/mails/render-mail.server.ts";
import { checkCharge } from "#app/domain/settlement/check-charge.server.ts";
import { rejectRefund } from "#app/domain/settlement/end-pending-refund.server.ts";
import { guaranteeEndsAt, lastGuaranteeDay } from "#app/domain/storefront/guarantee-end.ts";
import { DAY } from "#app/kit/duration.ts";
import * as moneyBack from "#app/routes/buyer/purchases/money-back.tsx";
import * as receipt from "#app/routes/buyer/purchases/receipt.tsx";
import * as thankYou from "#app/routes/buyer/thank-you.tsx";
import { flashCookie } from "#app/server/session/flash.server.ts";
import { fromElsewhere, inPortal } from "#tests/integration/buyer/support.ts";
import { buy, openShop, order } from "#tests/integration/payments/support.ts";
import { pay } from "#tests/integration/tracking/support.ts";
import { startApp } from "#tests/support/app.ts";
import { plansByIndex, sql } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";
import { mailsWithTexts, opened } from "#tests/support/rows/make-mail.ts";
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
  return { ...paid, email, seller, productId: product.id };
}

const refundsOf = (chargeId: string) =>
  sql`select status, amount_cents::int as cents from refunds where charge_id = ${chargeId} order by requested_at`;

const mailsOf = async (saleId: string) =>
  (
    await sql`select kind from mails where sale_id = ${saleId} and kind in ('refund', 'refund-news', 'refund-asked') order by created_at, kind`
  ).map(({ kind }) => kind as string);

/** A mail to each of the two. */
const REQUESTED = ["refund-asked", "refund-news"];

const subjectsTo = async (email: string) =>
  (
    await sql`select subject from mails where recipient = ${email} and kind = 'refund-news' order by created_at`
  ).map(({ subject }) => subject as string);

const page = async (email: string, saleId: string) =>
  (
    await call(receipt, `/minhas-compras/${saleId}`, { params: { saleId }, headers: await inPortal(email) })
  ).text();

const submit = async (email: string, saleId: string, fields: Record<string, string> = {}) =>
  call(receipt, `/minhas-compras/${saleId}`, {
    method: "POST",
    params: { saleId },
    headers: await inPortal(email),
    body: new URLSearchParams({ intent: "money-back", ...fields }),
  });

async function settle({ chargeId, providerId }: { chargeId: string; providerId: string }) {
  await until(async () => (await app.sandbox.transaction(providerId)).status === "refunded");
  await sql`update charges set last_checked_at = null where id = ${chargeId}`;
  await checkCharge(chargeId);
}

test("the guarantee shown on the checkout is the time for a refund without the seller", async () => {
  const guaranteed = async (daysAgo: number, days?: number) => {
    const sale = await bought(daysAgo);
    if (days)
      await sql`insert into checkout_customizations (seller_id, settings) values (${sale.seller.id}, ${sql.json({ guarantee_days: days })})`;
    return (
      await findRefundRequestState({
        sellerId: sale.seller.id,
        ...sale,
        status: "completed",
        paidAt: await paidAt(sale.saleId),
      })
    )?.state;
  };
  expect(await guaranteed(15, 15)).toBe("right");
  expect(await guaranteed(16, 15)).toBe("question");
  expect(await guaranteed(8, 7)).toBe("question");
  expect(await guaranteed(30)).toBe("right");
  const { email, saleId } = await bought(31);
  await expect(requestRefund(email, saleId, "")).rejects.toMatchObject({ field: "reason" });
});

async function paidAt(saleId: string): Promise<Date> {
  const [row] = await sql`select completed_at from sales where id = ${saleId}`;
  return row!.completed_at as Date;
}

test("a buyer is mailed each time their provider accepts the refund, also after it rejected one that it had accepted", async () => {
  const { email, saleId, chargeId, productId } = await bought();
  await submit(email, saleId);
  const [refund] = await sql`select id from refunds where charge_id = ${chargeId}`;
  expect(await rejectRefund(chargeId, [refund!.id])).toBe(true);
  // The sandbox rejects no refund of a PIX: another payment stands for this one, with its money there again.
  const another = await buy(productId);
  await pay(app, another);
  await sql`update charges set provider_id = ${randomUUID()} where id = ${another.chargeId}`;
  await sql`update charges set provider_id = ${another.providerId} where id = ${chargeId}`;
  await sql`update refund_requests set next_attempt_at = date_trunc('milliseconds', now()) where sale_id = ${saleId}`;
  await attemptRefunds.handle({}, { number: 1, last: false });
  expect((await refundsOf(chargeId)).map(({ status }) => status)).toEqual(["refused", "pending"]);
  const accepted = (await subjectsTo(email)).filter((subject) => subject.startsWith("O provedor aceitou"));
  expect(accepted).toHaveLength(2);
});

test("a receipt shows what an earlier page says as good or as failed", async () => {
  const { email, saleId } = await bought();
  const portal = await inPortal(email);
  for (const [tone, role] of [
    ["success", "status"],
    ["error", "alert"],
  ] as const) {
    const told = (await flashCookie("Uma mensagem", tone)).split(";")[0]!;
    const shown = await call(receipt, `/minhas-compras/${saleId}`, {
      params: { saleId },
      headers: { ...portal, Cookie: `${portal.Cookie}; ${told}` },
    });
    expect(await shown.text()).toMatch(new RegExp(`role="${role}"[^]{0,600}Uma mensagem`));
  }
});

test("within seven days one click refunds without the seller; the buyer is notified at once and when it is done", async () => {
  const sale = await bought();
  const { email, saleId, chargeId } = sale;
  expect(await page(email, saleId)).toContain("Pedir o dinheiro de volta");
  const submitted = await submit(email, saleId);
  // A reload asks for nothing again, and the message is shown once.
  expect([submitted.status, submitted.headers.get("location")]).toEqual([302, `/minhas-compras/${saleId}`]);
  const portal = await inPortal(email);
  const told = submitted.headers.getSetCookie()[0]!.split(";")[0]!;
  const next = await call(receipt, `/minhas-compras/${saleId}`, {
    params: { saleId },
    headers: { ...portal, Cookie: `${portal.Cookie}; ${told}` },
  });
  expect(await next.text()).toContain("Recebemos o seu pedido de reembolso");
  expect(next.headers.getSetCookie()).toEqual([expect.stringMatching(/^aviso=; Max-Age=0/)]);
  expect(await refundsOf(chargeId)).toEqual([{ status: "pending", cents: 9700 }]);
  const html = await page(email, saleId);
  expect(html).toMatch(
    /O provedor de pagamento aceitou devolver R\$\s97,00 em [\d/]{10}: o dinheiro está a caminho/,
  );
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
  expect(await mailsOf(saleId)).toEqual([...REQUESTED, ...REQUESTED, "refund"]);
});

test("ten clicks at once are one request and one call to the provider", async () => {
  const { email, saleId, chargeId } = await bought();
  const before = (await app.sandbox.calls()).pushinpay.refund;
  const all = await Promise.allSettled(Array.from({ length: 10 }, () => requestRefund(email, saleId, "")));
  expect(all.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => "fulfilled"));
  expect((await app.sandbox.calls()).pushinpay.refund - before).toBe(1);
  expect(await refundsOf(chargeId)).toHaveLength(1);
  expect(await sql`select kind from refund_requests where sale_id = ${saleId}`).toEqual([{ kind: "right" }]);
  expect(await mailsOf(saleId)).toEqual([...REQUESTED, ...REQUESTED]);
});

test("buyer and seller at once: it is refunded once, never more than was paid", async () => {
  const sale = await bought();
  const { email, saleId, chargeId, seller } = sale;
  const before = (await app.sandbox.calls()).pushinpay.refund;
  await Promise.allSettled([
    ...Array.from({ length: 4 }, () => requestRefund(email, saleId, "")),
    ...Array.from({ length: 4 }, () => refundCharge(seller.id, chargeId)),
  ]);
  expect((await app.sandbox.calls()).pushinpay.refund - before).toBe(1);
  expect(await refundsOf(chargeId)).toEqual([{ status: "pending", cents: 9700 }]);
  await settle(sale);
  expect(await refundsOf(chargeId)).toEqual([{ status: "done", cents: 9700 }]);
});

test("after the seller's request the buyer reads that it is on its way, and nothing is requested twice", async () => {
  const { email, saleId, chargeId, seller } = await bought();
  await refundCharge(seller.id, chargeId);
  expect(await page(email, saleId)).toContain("o dinheiro está a caminho");
  const submitted = await submit(email, saleId);
  expect(submitted.status).toBe(409);
  expect(await submitted.text()).toContain("Quem vendeu já pediu a devolução");
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
])("a purchase that was %s cannot be requested any more", async (_, reverse, words) => {
  const { email, saleId, seller } = await bought();
  await reverse(seller.id, saleId);
  const submitted = await submit(email, saleId);
  expect(submitted.status).toBe(409);
  expect(await submitted.text()).toContain(words);
  expect(await sql`select 1 from refund_requests where sale_id = ${saleId}`).toEqual([]);
});

test("a receipt shows the true state of a disputed payment and of its access", async () => {
  const { email, saleId, seller } = await bought();
  await recordDispute(seller.id, saleId);
  const stored = await page(email, saleId);
  expect(stored).toContain("Em contestação");
  expect(stored).toContain("O acesso continua enquanto o banco não decide.");
  expect(stored).toContain("Enviar o acesso de novo");
  await saveDisputeAccess(seller.id, true);
  const suspended = await page(email, saleId);
  expect(suspended).toContain("Enquanto o banco não decide, o acesso está suspenso.");
  expect(suspended).not.toContain("Enviar o acesso de novo");
});

test("a refund that a buyer is to have waits while the bank decides, and is not forgotten", async () => {
  const { email, saleId, chargeId, seller } = await bought();
  await app.sandbox.fault({ service: "pushinpay", route: "refund", mode: "http-422", times: 1 });
  await requestRefund(email, saleId, "Não era o que eu queria");
  await recordDispute(seller.id, saleId);
  const before = await refundsOf(chargeId);
  const soon = () =>
    sql`update refund_requests set next_attempt_at = date_trunc('milliseconds', now()) where sale_id = ${saleId}`;
  await soon();
  await attemptRefunds.handle({}, { number: 1, last: false });
  expect(await refundsOf(chargeId)).toEqual(before);
  const [waiting] =
    await sql`select next_attempt_at between now() + interval '23 hours' and now() + interval '25 hours' as waits, attempts
      from refund_requests where sale_id = ${saleId}`;
  expect(waiting).toEqual({ waits: true, attempts: 1 });
  await recordDecision(seller.id, saleId, "won");
  await soon();
  await attemptRefunds.handle({}, { number: 1, last: false });
  expect(await refundsOf(chargeId)).toHaveLength(before.length + 1);
});

test("the time of a dispute that the bank rejects does not count as time of the guarantee", async () => {
  const { email, saleId, seller } = await bought(33);
  await recordDispute(seller.id, saleId);
  expect(await (await submit(email, saleId)).text()).toContain(
    "o prazo para desistir não corre enquanto isso",
  );
  await recordDecision(seller.id, saleId, "won");
  const sale = { sellerId: seller.id, saleId, status: "completed", paidAt: await paidAt(saleId) } as const;
  const last = async (openedDay: number, decidedDay: number) => {
    const [opened, decided] = [openedDay, decidedDay].map(
      (day) => new Date(sale.paidAt.getTime() + day * DAY),
    );
    await sql`update disputes set opened_at = ${opened!}, decided_at = ${decided!} where sale_id = ${saleId}`;
    return findRefundRequestState(sale);
  };
  // After the guarantee of 30 days.
  expect(await last(32, 33)).toMatchObject({ state: "question" });
  await expect(requestRefund(email, saleId, "")).rejects.toMatchObject({ field: "reason" });
  expect(await last(1, 2)).toMatchObject({ state: "question" });
  const endsAt = new Date(guaranteeEndsAt(sale.paidAt, 30).getTime() + 7 * DAY);
  expect(await last(20, 27)).toMatchObject({
    state: "right",
    endsAt,
  });
  // The thank-you page and the mails name the same day.
  const thanks = await call(thankYou, `/thank-you/${saleId}`, { params: { saleId } });
  expect(await thanks.text()).toContain(lastGuaranteeDay(endsAt));
  const data = { paidAt: sale.paidAt.toISOString() };
  const { mail } = await renderMail({ kind: "access", saleId, recipient: email, data });
  expect(mail.text).toContain(`até o fim de ${lastGuaranteeDay(endsAt)}`);
  expect(await requestRefund(email, saleId, "")).toBe("right");
});

test("a chargeback and a click at once end without an additional refund, or with one requested before", async () => {
  for (let round = 0; round < 3; round++) {
    const { email, saleId, chargeId, seller } = await bought();
    await Promise.allSettled([requestRefund(email, saleId, ""), recordDecision(seller.id, saleId, "lost")]);
    const [sale] = await sql`select status from sales where id = ${saleId}`;
    expect(sale!.status).toBe("chargedback");
    const requested = await refundsOf(chargeId);
    expect(requested.length).toBeLessThanOrEqual(1);
    await sql`update refund_requests set next_attempt_at = date_trunc('milliseconds', now()) where sale_id = ${saleId}`;
    await attemptRefunds.handle({}, { number: 1, last: false });
    expect(await refundsOf(chargeId)).toEqual(requested);
    expect(
      await sql`select 1 from refund_requests where sale_id = ${saleId} and next_attempt_at is not null`,
    ).toEqual([]);
  }
});

test("another's purchase and one that was never paid are not there", async () => {
  const { saleId } = await bought();
  const other = await bought();
  await expect(requestRefund(other.email, saleId, "")).rejects.toMatchObject({ kind: "not-found" });
  expect((await submit(other.email, saleId)).status).toBe(404);
  const unpaid = await makeSale(await makeProduct(await makeSeller()), { customerEmail: other.email });
  await expect(requestRefund(other.email, unpaid.id, "")).rejects.toMatchObject({ kind: "not-found" });
  await expect(requestRefund(other.email, "x", "")).rejects.toMatchObject({ kind: "not-found" });
});

test("the right lasts until the end of the seventh day in São Paulo", async () => {
  const { saleId, seller } = await bought();
  await sql`insert into checkout_customizations (seller_id, settings) values (${seller.id}, ${sql.json({ guarantee_days: 7 })})`;
  const sale = {
    ...{ sellerId: seller.id, saleId },
    status: "completed" as const,
    paidAt: new Date("2026-11-10T23:30:00-03:00"),
  };
  const at = (moment: string) => findRefundRequestState(sale, new Date(moment));
  expect(await at("2026-11-17T23:59:59-03:00")).toEqual({
    state: "right",
    endsAt: new Date("2026-11-18T00:00:00-03:00"),
    isManual: false,
    requestedAt: null,
  });
  expect(await at("2026-11-18T00:00:00-03:00")).toEqual({ state: "question", requestedAt: null });
});

test("a provider without balance notifies both sides once, is retried, and refunds later", async () => {
  const sale = await bought();
  const { email, saleId, chargeId } = sale;
  await app.sandbox.fault({ service: "pushinpay", route: "refund", mode: "http-422" });
  await requestRefund(email, saleId, "Não era o que eu queria");
  expect(await page(email, saleId)).toContain("O provedor de pagamento ainda não");
  expect(await mailsOf(saleId)).toEqual([...REQUESTED, ...REQUESTED]);
  // Mails state what was known: none says that money is on its way when the provider refuses.
  const rows = await sql`select body_sealed from ${mailsWithTexts()} where sale_id = ${saleId}
    and kind in ('refund-news', 'refund-asked')`;
  const payloads = opened(rows).map(({ payload }) => payload);
  for (const { html } of payloads) expect(html).not.toMatch(/a caminho|não é preciso fazer nada/i);
  expect(payloads.filter(({ html }) => /Nós pedimos/.test(html))).toHaveLength(2);
  const scheduledRefunds = () =>
    sql`update refund_requests set next_attempt_at = date_trunc('milliseconds', now()) where sale_id = ${saleId}`;
  await app.sandbox.fault({ service: "pushinpay", route: "refund", mode: "http-422" });
  await scheduledRefunds();
  await attemptRefunds.handle({}, { number: 1, last: false });
  expect(await mailsOf(saleId)).toHaveLength(4);
  await scheduledRefunds();
  await attemptRefunds.handle({}, { number: 1, last: false });
  expect((await refundsOf(chargeId)).at(-1)).toEqual({ status: "pending", cents: 9700 });
  expect(await page(email, saleId)).toContain("o dinheiro está a caminho");
  expect(await subjectsTo(email)).toEqual([
    expect.stringContaining("Pedido de reembolso recebido"),
    expect.stringContaining("O reembolso está demorando"),
    expect.stringContaining("O provedor aceitou o seu reembolso"),
  ]);
  await settle(sale);
  await scheduledRefunds();
  await attemptRefunds.handle({}, { number: 1, last: false });
  expect(await sql`select next_attempt_at from refund_requests where sale_id = ${saleId}`).toEqual([
    { next_attempt_at: null },
  ]);
  expect((await refundsOf(chargeId)).filter(({ status }) => status === "done")).toHaveLength(1);
});

test("a request that never reached the provider is not shown as on its way, and the buyer's request is retried", async () => {
  const { email, saleId, chargeId, seller } = await bought();
  // The process died between the row and the call.
  await sql`insert into refunds (charge_id, seller_id, amount_cents, status, origin) values (${chargeId}, (select seller_id from charges where id = ${chargeId}), 9700, 'pending', 'requested')`;
  const html = await page(email, saleId);
  expect(html).toContain("Ele ainda não respondeu");
  expect(html).not.toContain("dinheiro está a caminho");
  expect((await submit(email, saleId)).status).toBe(302);
  expect(await page(email, saleId)).toContain("Estamos pedindo");
  expect(await findRefundRequest(seller.id, saleId)).toMatchObject({ state: "requested" });
  await sql`update refunds set requested_at = now() - interval '31 minutes' where charge_id = ${chargeId}`;
  await sql`update charges set last_checked_at = null where id = ${chargeId}`;
  await checkCharge(chargeId);
  await sql`update charges set last_checked_at = null where id = ${chargeId}`;
  await sql`update refund_requests set next_attempt_at = date_trunc('milliseconds', now()) where sale_id = ${saleId}`;
  await attemptRefunds.handle({}, { number: 1, last: false });
  expect(await refundsOf(chargeId)).toEqual([
    { status: "unconfirmed", cents: 9700 },
    { status: "pending", cents: 9700 },
  ]);
  expect(await page(email, saleId)).toContain("o dinheiro está a caminho");
  expect(await findRefundRequest(seller.id, saleId)).toMatchObject({ state: "on-its-way" });
});

test("a process that died after it noted the request leaves it to the next one", async () => {
  const { email, saleId, chargeId, seller } = await bought();
  await sql`insert into refund_requests (sale_id, seller_id, kind, next_attempt_at) values (${saleId}, ${seller.id}, 'right', now())`;
  await Promise.all([
    attemptRefunds.handle({}, { number: 1, last: false }),
    requestRefund(email, saleId, ""),
  ]);
  expect(await refundsOf(chargeId)).toEqual([{ status: "pending", cents: 9700 }]);
});

test("a sale without a payment of ours is left to its seller, who is notified", async () => {
  const email = `bia-${randomUUID()}@exemplo.com.br`;
  const seller = await makeSeller();
  const sale = await makeSale(await makeProduct(seller), { status: "completed", customerEmail: email });
  await requestRefund(email, sale.id, "");
  expect(await mailsOf(sale.id)).toEqual(["refund-asked", "refund-news"]);
  const [request] =
    await sql`select failure, next_attempt_at from refund_requests where sale_id = ${sale.id}`;
  expect(request).toMatchObject({
    failure: expect.stringContaining("devolva pelo banco"),
    next_attempt_at: null,
  });
});

test("repeated clicks are rate-limited", async () => {
  const { email, saleId } = await bought();
  const statuses = [];
  for (let n = 0; n < 6; n++) statuses.push((await submit(email, saleId)).status);
  expect(statuses).toEqual([302, 302, 302, 302, 302, 429]);
});

test("/reembolso asks for the e-mail, and leads buyers in the portal to their purchases", async () => {
  const requested = await call(moneyBack, "/reembolso", { headers: fromElsewhere() });
  expect(await requested.text()).toContain("Pedir reembolso");
  const { email } = await bought();
  const sent = await call(moneyBack, "/reembolso", {
    method: "POST",
    headers: fromElsewhere(),
    body: new URLSearchParams({ email }),
  });
  expect(await sent.text()).toContain("Confira o seu e-mail");
  expect(await sql`select 1 from mails where recipient = ${email} and kind = 'buyer-link'`).toHaveLength(1);
  const inside = await call(moneyBack, "/reembolso", { headers: await inPortal(email) });
  expect(inside.headers.get("location")).toBe("/minhas-compras");
});

test("pending refund requests and a seller's list use an index", async () => {
  const payloads = await plansByIndex([
    "select id from refund_requests where next_attempt_at <= now() order by next_attempt_at limit 50",
    `select id from refund_requests where seller_id = '${randomUUID()}' and sale_id = '${randomUUID()}'
      and kind = 'question'`,
  ]);
  expect(payloads[0]).toContain("refund_requests_next_attempt_idx");
  expect(payloads[1]).toContain("refund_requests_sale_key");
});
