import { expect, onTestFinished, test, vi } from "vitest";
import { db } from "#app/db/client.server.ts";
import { openRefund } from "#app/domain/charge/move-refund.server.ts";
import { saveGateways } from "#app/domain/gateway/save-gateways.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { recordOverpaymentRefund } from "#app/domain/refund/record-reversal.server.ts";
import { refundCharge } from "#app/domain/refund/refund-charge.server.ts";
import { saveRefundsOverpayments } from "#app/domain/refund/refunds-overpayments.server.ts";
import { sendAutomaticRefunds } from "#app/domain/refund/send-automatic-refunds.server.ts";
import { showRefund } from "#app/domain/refund/show-refund.server.ts";
import { describeTimelineEntry } from "#app/domain/reports/describe-timeline-entry.ts";
import { findActionItems } from "#app/domain/reports/find-action-items.server.ts";
import { readTimeline } from "#app/domain/reports/read-timeline.server.ts";
import { showSale } from "#app/domain/reports/show-sale.server.ts";
import { checkCharge } from "#app/domain/settlement/check-charge.server.ts";
import { settleCharge } from "#app/domain/settlement/settle-charge.server.ts";
import { HOUR } from "#app/kit/duration.ts";
import { buy, openShop } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeGateway, makeSale, signedIn } from "#tests/support/make.ts";
import { mailsWithTexts, opened, renderMails } from "#tests/support/rows/make-mail.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ worker: 0 });
await app.sandbox.gate({ enabled: false });
await app.sandbox.webhooks({ drop: true });

const runJob = () => sendAutomaticRefunds.handle({}, { number: 1, last: true });

const providerIdOf = async (chargeId: string) =>
  (await sql`select provider_id from charges where id = ${chargeId}`)[0]!.provider_id as string;

/** Pays a code, and books it. */
async function pay(chargeId: string) {
  await app.sandbox.pay(await providerIdOf(chargeId));
  await sql`update charges set last_checked_at = null where id = ${chargeId}`;
  return checkCharge(chargeId);
}

/** An order whose first code has expired on the page, and that got another one; both are paid. */
async function paidTwice({ failsOver = true, refunds = false } = {}) {
  const { seller, product } = await openShop();
  if (failsOver) await makeGateway(seller, { provider: "woovi", apiKey: `sandbox-${crypto.randomUUID()}` });
  await saveRefundsOverpayments(seller.id, refunds);
  const { saleId, chargeId: firstId } = await buy(product.id, {
    customer: { name: "Bia", email: `${crypto.randomUUID()}@exemplo.com.br`, phone: null, document: null },
  });
  await sql`update charges set expires_at = now() - interval '1 minute' where id = ${firstId}`;
  if (failsOver)
    await app.sandbox.fault({ service: "pushinpay", route: "cashIn", mode: "status-503", times: 1 });
  const { chargeId } = await startPix(saleId);
  await pay(firstId);
  expect(await pay(chargeId)).toMatchObject({ outcome: "overpayment" });
  return { seller, saleId, chargeId };
}

const refundOf = async (chargeId: string) =>
  (
    await sql`select status, origin, send_at, send_at > now() as "isLater", accepted_at is not null as "isAccepted", failure_kind
    from refunds where charge_id = ${chargeId} order by requested_at desc limit 1`
  )[0];

const itemsOf = async ({ id }: { id: string }) => (await findActionItems(id)).map(({ kind }) => kind);

const flagOf = async (saleId: string) =>
  (await sql`select action_since from sales where id = ${saleId}`)[0]!.action_since;

/** The mails of the second payment, by kind, as sent. */
async function mailsOf(saleId: string): Promise<Record<string, string>> {
  await renderMails();
  const rows = await sql`select kind, body_sealed from ${mailsWithTexts()} where sale_id = ${saleId}
    and kind in ('surplus', 'payment-news') order by created_at, id`;
  const texts = opened(rows).map(({ payload }) =>
    `${payload.subject} ${payload.html}`.replaceAll("\u00a0", " "),
  );
  return Object.fromEntries(rows.map(({ kind }, at) => [kind, texts[at]!]));
}

const historyOf = async (sellerId: string, saleId: string) =>
  (await readTimeline(sellerId, saleId)).map(describeTimelineEntry);

/** What the sale's screen and its history say of a refund that was not sent. */
async function expectReason({ id }: { id: string }, saleId: string, reason: string) {
  const { payments } = await showRefund(id, saleId);
  expect(payments.find(({ kind }) => kind === "overpayment")?.reason).toMatch(new RegExp(`^${reason}`));
  const lines = (await historyOf(id, saleId)).map((line) => JSON.stringify(line)).join("\n");
  expect(lines).toContain(reason);
  expect(lines).not.toMatch(/provedor recusou|não aceitou a API Key/);
}

/** Books what the provider says of the refund. */
async function confirm(chargeId: string) {
  const providerId = await providerIdOf(chargeId);
  await until(async () =>
    (await app.sandbox.transaction(providerId)).refunds.some((one) => one.status === "confirmed"),
  );
  await sql`update charges set last_checked_at = null where id = ${chargeId}`;
  return checkCharge(chargeId);
}

test("where codes of two providers are paid, the second payment goes back, and buyer and seller are told why", async () => {
  const { seller, saleId, chargeId } = await paidTwice();
  expect(await refundOf(chargeId)).toMatchObject({ status: "pending", origin: "automatic" });
  // Nothing is left for the seller to do.
  expect([await itemsOf(seller), await flagOf(saleId)]).toEqual([[], null]);
  const told = await mailsOf(saleId);
  expect(told.surplus).toMatch(
    /^Pagamento em dobro: R\$ 97,00 em devolução .*gerado de novo por outro provedor/s,
  );
  expect(told["payment-news"]).toContain(
    "A devolução deste valor é pedida automaticamente ao provedor de pagamento",
  );
  const [queued] =
    await sql`select count(*)::int as count from graphile_worker.jobs where task_identifier = 'send-refunds'`;
  expect(queued!.count).toBe(1);
  await runJob();
  expect(await refundOf(chargeId)).toMatchObject({ status: "pending", send_at: null, isAccepted: true });
  expect(await confirm(chargeId)).toMatchObject({ outcome: "refunded" });
  expect((await mailsOf(saleId))["payment-news"]).toContain(
    "Com isso, voltou por inteiro o pagamento em dobro",
  );
  const history = await historyOf(seller.id, saleId);
  expect(history).toContainEqual(
    expect.stringMatching(
      /^Devolução automática de R\$\s97,00: dois provedores geraram códigos PIX para este pedido, e os dois foram pagos$/,
    ),
  );
  const { paymentSummary } = await showSale(seller.id, saleId);
  expect(paymentSummary.money).toMatchObject({
    receivedCents: 19400,
    refundedCents: 9700,
    countedCents: 9700,
    overpaidCents: 0,
  });
});

test("a second payment at the same provider waits for the seller, unless they chose otherwise", async () => {
  const asked = await paidTwice({ failsOver: false });
  expect(await refundOf(asked.chargeId)).toBeUndefined();
  expect([await itemsOf(asked.seller), await flagOf(asked.saleId)]).toEqual([["surplus"], expect.any(Date)]);
  expect((await mailsOf(asked.saleId)).surplus).toContain("este valor deve ser devolvido");
  const chosen = await paidTwice({ failsOver: false, refunds: true });
  expect(await refundOf(chosen.chargeId)).toMatchObject({ status: "pending", origin: "automatic" });
  expect((await mailsOf(chosen.saleId)).surplus).toContain("porque você escolheu assim em Configurações");
  await runJob();
  expect(await confirm(chosen.chargeId)).toMatchObject({ outcome: "refunded" });
  expect(await itemsOf(chosen.seller)).toEqual([]);
});

test("ten runs at once, and a press of the seller's beside them, call the provider once", async () => {
  const { seller, chargeId } = await paidTwice({ failsOver: false, refunds: true });
  const before = (await app.sandbox.calls()).pushinpay.refund;
  const pressed = refundCharge(seller.id, chargeId).catch((error: Error) => error.message);
  await Promise.all(Array.from({ length: 10 }, runJob));
  expect(await pressed).toBe("Já existe um reembolso em andamento para este pagamento.");
  expect((await app.sandbox.calls()).pushinpay.refund - before).toBe(1);
});

test("what the provider refuses is an action item, and the seller is mailed the reason", async () => {
  const { seller, saleId, chargeId } = await paidTwice({ failsOver: false, refunds: true });
  await app.sandbox.fault({
    ...{ service: "pushinpay", route: "refund", mode: "status-422", times: 1 },
    body: { message: "Saldo insuficiente." },
  });
  await runJob();
  expect(await refundOf(chargeId)).toMatchObject({
    status: "refused",
    failure_kind: "refused",
    send_at: null,
  });
  expect([await itemsOf(seller), await flagOf(saleId)]).toEqual([["surplus"], expect.any(Date)]);
  expect((await mailsOf(saleId)).surplus).toMatch(
    /^Pagamento em dobro: devolva R\$ 97,00 .*A devolução automática não foi feita: .*Saldo insuficiente/s,
  );
  expect((await mailsOf(saleId))["payment-news"]).toMatch(
    /^A devolução automática não foi feita: R\$ 97,00 .*Avisamos .*que deve devolver este valor/s,
  );
  // Not sent again by itself; the seller may.
  await runJob();
  expect(await refundCharge(seller.id, chargeId)).toEqual({ status: "accepted" });
});

test("a busy provider is tried again later, for a day", async () => {
  const { saleId, chargeId } = await paidTwice({ failsOver: false, refunds: true });
  const busy = () =>
    app.sandbox.fault({ service: "pushinpay", route: "refund", mode: "status-429", times: 1 });
  await busy();
  await runJob();
  expect(await refundOf(chargeId)).toMatchObject({ status: "pending", isLater: true, isAccepted: false });
  // An answer that the payment is still there ends nothing: the provider does not know the refund yet.
  await sql`update refunds set requested_at = now() - interval '2 hours' where charge_id = ${chargeId}`;
  await sql`update charges set last_checked_at = null where id = ${chargeId}`;
  await checkCharge(chargeId);
  expect(await refundOf(chargeId)).toMatchObject({ status: "pending", isLater: true });
  const makeDue = () => sql`update refunds set send_at = now() where charge_id = ${chargeId}`;
  await sql`update refunds set requested_at = now() - interval '4 hours' where charge_id = ${chargeId}`;
  await makeDue();
  await busy();
  await runJob();
  expect(await refundOf(chargeId)).toMatchObject({ status: "refused", failure_kind: "busy" });
  expect((await mailsOf(saleId)).surplus).toContain("O provedor está indisponível no momento");
});

test("a busy provider is tried again also where the first attempt came days after the payment", async () => {
  const { chargeId } = await paidTwice({ failsOver: false, refunds: true });
  await sql`update charges set paid_at = paid_at - interval '3 days' where id = ${chargeId}`;
  await sql`update refunds set requested_at = requested_at - interval '3 days', send_at = send_at - interval '3 days'
    where charge_id = ${chargeId}`;
  await app.sandbox.fault({ service: "pushinpay", route: "refund", mode: "status-429", times: 1 });
  await runJob();
  expect(await refundOf(chargeId)).toMatchObject({ status: "pending", isLater: true, isAccepted: false });
});

test("a busy provider is tried again in a minute of the database's clock, whatever the worker's says", async () => {
  const { chargeId } = await paidTwice({ failsOver: false, refunds: true });
  await app.sandbox.fault({ service: "pushinpay", route: "refund", mode: "status-429", times: 1 });
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2 * HOUR });
  onTestFinished(() => void vi.useRealTimers());
  await runJob();
  const [row] = await sql`select status, send_at between now() and now() + interval '1 minute' as is_soon
    from refunds where charge_id = ${chargeId}`;
  expect(row).toEqual({ status: "pending", is_soon: true });
});

test("while a refund waits for the bank, its payment is only checked as a disputed one", async () => {
  const { chargeId } = await paidTwice({ failsOver: false, refunds: true });
  await sql`insert into charge_events (charge_id, seller_id, kind, data, cause)
    select id, seller_id, 'asked', '{"state":"disputed","word":"","tookMs":1}', 'system' from charges where id = ${chargeId}`;
  await runJob();
  expect(await refundOf(chargeId)).toMatchObject({ status: "pending", isLater: true });
  await sql`update charges set last_checked_at = null where id = ${chargeId}`;
  expect(await checkCharge(chargeId, { evenIfUnchanged: true })).toMatchObject({ kind: "checked" });
  const [charge] = await sql`select next_check_at from charges where id = ${chargeId}`;
  expect(charge!.next_check_at).toBeNull();
});

test.each([
  ["reset", ""],
  ["status-302", ""],
  ["status-408", ""],
  ["status-409", ""],
  ["status-403", "<!DOCTYPE html><title>Attention Required! | Cloudflare</title>"],
] as const)(
  "after a lost answer (%s) the provider is asked, and the refund is not sent again",
  async (mode, body) => {
    const { seller, saleId, chargeId } = await paidTwice({ failsOver: false, refunds: true });
    await app.sandbox.fault({ service: "pushinpay", route: "refund", mode, body, times: 1, after: true });
    const before = (await app.sandbox.calls()).pushinpay.refund;
    await runJob();
    await runJob();
    expect(await refundOf(chargeId)).toMatchObject({ status: "pending", send_at: null, isAccepted: false });
    expect(await confirm(chargeId)).toMatchObject({ outcome: "refunded" });
    expect((await app.sandbox.calls()).pushinpay.refund - before).toBe(1);
    expect(await itemsOf(seller)).toEqual([]);
    expect((await mailsOf(saleId)).surplus).not.toContain("devolva");
  },
);

test("a second provider that the seller chose meanwhile is no fail-over: the second payment waits for them", async () => {
  const { seller, product } = await openShop();
  await makeGateway(seller, { provider: "woovi", apiKey: `sandbox-${crypto.randomUUID()}` });
  const { saleId, chargeId: firstId } = await buy(product.id);
  await sql`update charges set expires_at = now() - interval '1 minute' where id = ${firstId}`;
  await saveGateways(seller.id, { first_provider: "woovi" });
  const { chargeId } = await startPix(saleId);
  await pay(firstId);
  expect(await pay(chargeId)).toMatchObject({ outcome: "overpayment" });
  expect(await refundOf(chargeId)).toBeUndefined();
  expect(await itemsOf(seller)).toEqual(["surplus"]);
});

test("a payment of another amount that its seller refunded, and that its provider corrects later, is not refunded again", async () => {
  const { seller, product } = await openShop();
  await saveRefundsOverpayments(seller.id, true);
  const sale = await makeSale(product);
  const report = (providerId: string, amountCents: number) => ({
    ...{ providerId, state: "paid" as const, providerStatus: "paid", amountCents },
    ...{ feeCents: 35, refundedCents: null, webhookUrl: null },
  });
  const [wrong, right] = [await makeCharge(sale), await makeCharge(sale)];
  expect(await settleCharge(wrong.id, report(wrong.providerId!, 9600))).toBe("amount-mismatch");
  await recordOverpaymentRefund(seller.id, wrong.id);
  expect(await settleCharge(right.id, report(right.providerId!, 9700))).toBe("settled");
  expect(await settleCharge(wrong.id, report(wrong.providerId!, 9700))).toBe("overpayment");
  const refunds = await sql`select origin, status from refunds where charge_id = ${wrong.id}`;
  expect([...refunds]).toEqual([{ origin: "recorded", status: "done" }]);
});

test("where a part went back while the provider was busy, nothing is sent, and the seller is told what is left", async () => {
  const { seller, saleId, chargeId } = await paidTwice({ failsOver: false, refunds: true });
  const part = {
    ...{ sellerId: seller.id, chargeId, amountCents: 3000 },
    ...({ status: "done", origin: "observed" } as const),
  };
  await openRefund(db, part, "provider");
  const before = (await app.sandbox.calls()).pushinpay.refund;
  await runJob();
  expect((await app.sandbox.calls()).pushinpay.refund).toBe(before);
  const states = await sql`select origin, status from refunds where charge_id = ${chargeId} order by origin`;
  expect([...states]).toEqual([
    { origin: "automatic", status: "refused" },
    { origin: "observed", status: "done" },
  ]);
  expect((await mailsOf(saleId)).surplus).toMatch(/^Pagamento em dobro: devolva R\$ 67,00 /);
  // No provider refused it.
  await expectReason(seller, saleId, "Parte do valor já tinha sido devolvida");
});

test("without the key of its charge nothing is sent, and the seller is told", async () => {
  const { seller, saleId, chargeId } = await paidTwice({ failsOver: false, refunds: true });
  await sql`update charges set gateway_key_id = null where id = ${chargeId}`;
  await sql`update gateway_accounts set key_id = null where seller_id = ${seller.id}`;
  await runJob();
  expect(await refundOf(chargeId)).toMatchObject({ status: "refused", failure_kind: "credentials" });
  expect(await itemsOf(seller)).toContain("surplus");
  expect((await mailsOf(saleId)).surplus).toContain(
    "A conexão com o provedor deste pagamento não existe mais",
  );
  await expectReason(seller, saleId, "A conexão com o provedor deste pagamento não existe mais");
});

test("the setting is one button, and the same in the API", async () => {
  const { seller } = await openShop();
  const { Cookie } = await signedIn(seller);
  const tab = async () => (await app.fetch("/settings?tab=gateways", { headers: { Cookie } })).text();
  expect(await tab()).toContain("Você devolve o segundo pagamento na página da venda.");
  const press = (intent: string) =>
    app.fetch("/settings?tab=gateways", {
      ...{ method: "POST", headers: { Cookie, Origin: app.url }, redirect: "manual" },
      body: new URLSearchParams({ intent }),
    });
  expect((await press("overpayments:refund")).status).toBe(302);
  expect(await tab()).toContain("O segundo pagamento é devolvido automaticamente, em minutos.");
  expect((await press("overpayments:sometimes")).status).toBe(400);
  const saved = await sql`select refunds_overpayments from sellers where id = ${seller.id}`;
  expect(saved[0]!.refunds_overpayments).toBe(true);
});
