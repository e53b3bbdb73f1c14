import { expect, test } from "vitest";
import { DECLINE_TEXTS } from "#app/domain/card/decline-texts.ts";
import { cards } from "#app/domain/gateway/providers/mercadopago/cards.server.ts";
import { acceptUpsell } from "#app/domain/order/accept-upsell.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { sweepCharges } from "#app/domain/settlement/sweep-charges.server.ts";
import { startNextUpsell } from "#app/domain/upsell/start-next-upsell.server.ts";
import { paths } from "#app/kit/paths.ts";
import { cardShop, cardStateOf, cardToken, orderCard, sendCard } from "#tests/integration/cards/support.ts";
import { ANY_TERMS } from "#tests/integration/orders/order-of.ts";
import { checkNow } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeUpsell } from "#tests/support/make.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ worker: 0 });

const once = { number: 1, last: false };
const shop = await cardShop();
const ordered = () => orderCard(shop.product.id);
const calls = async () => (await app.sandbox.calls()).mercadopago.create;

test("an approved card completes the sale at once, with what the buyer pays and what the seller sold", async () => {
  const saleId = await ordered();
  const { status, location } = await sendCard(app, saleId, "APRO", { instalments: "12" });
  expect([status, location]).toEqual([204, paths.thankYou(saleId)]);
  const { charges, ...sale } = await cardStateOf(saleId);
  expect(sale).toEqual({ status: "completed", method: "card" });
  expect(charges).toMatchObject([{ status: "paid", instalments: 12, amount_cents: 9700, reason: null }]);
  expect(charges[0]!.buyer_cents).toBeGreaterThan(9700);
  const mails = await sql`select kind from mails where sale_id = ${saleId} order by kind`;
  expect(mails.map(({ kind }) => kind)).toEqual(["new-sale", "purchase"]);
});

test.each([
  ["OTHE", "issuer"],
  ["CALL", "call-issuer"],
  ["FUND", "limit"],
  ["SECU", "card-data"],
  ["EXPI", "card-data"],
  ["FORM", "card-data"],
] as const)(
  "a card declined as %s says what to do next, and the next card pays the same order",
  async (name, reason) => {
    const saleId = await ordered();
    const declined = await sendCard(app, saleId, name, { instalments: "3" });
    expect(declined.status).toBe(402);
    expect(declined.html).toContain(DECLINE_TEXTS[reason]);
    expect(declined.html).toContain("Nada foi cobrado.");
    expect(declined.html).toContain(`value="${name} Souza"`);
    expect(declined.html).toMatch(/<option value="3" selected/);
    expect(await cardStateOf(saleId)).toMatchObject({
      status: "pending",
      charges: [{ status: "declined", reason }],
    });
    const [reminder] = await sql`select number from reminders where sale_id = ${saleId}`;
    expect(reminder).toEqual({ number: 1 });
    expect((await sendCard(app, saleId)).location).toBe(paths.thankYou(saleId));
    expect(await cardStateOf(saleId)).toMatchObject({
      status: "completed",
      charges: [{ status: "declined" }, { status: "paid" }],
    });
  },
);

test("after a declined card a PIX of the same order pays it", async () => {
  const saleId = await ordered();
  await sendCard(app, saleId, "OTHE");
  const form = new URLSearchParams({ intent: "again" });
  const answer = await app.fetch(paths.pix(saleId), { method: "POST", body: form, redirect: "manual" });
  expect([answer.status, answer.headers.get("location")]).toEqual([303, paths.pix(saleId)]);
  const page = await (await app.fetch(paths.pix(saleId))).text();
  expect(page).toContain("Copiar código");
  const [charge] =
    await sql`select id, provider_id from charges where sale_id = ${saleId} and method = 'pix'`;
  await app.sandbox.pay(charge!.provider_id, { wait: true });
  await sql`update charges set last_checked_at = null where id = ${charge!.id}`;
  await checkNow(charge!.id);
  expect(await cardStateOf(saleId)).toMatchObject({ method: "pix" });
});

test("a payment in review keeps its order open, shows no PIX, and ends with a mail", async () => {
  const [approved, declined] = [await ordered(), await ordered()];
  for (const saleId of [approved, declined]) {
    const { location } = await sendCard(app, saleId, "CONT");
    expect(location).toBe(paths.card(saleId));
    expect((await app.fetch(paths.pix(saleId))).headers.get("location")).toBe(paths.card(saleId));
    const page = await (await app.fetch(paths.card(saleId))).text();
    expect(page).toContain("em análise");
    expect(page).not.toContain("Pagar com PIX");
    await expect(startPix(saleId)).rejects.toThrow("ainda está sendo confirmado");
    // Sent again it is not charged again.
    const before = await calls();
    expect((await sendCard(app, saleId)).location).toBe(paths.card(saleId));
    expect(await calls()).toBe(before);
    const [charge] = await sql`select id, provider_id from charges where sale_id = ${saleId}`;
    await app.sandbox.decideCard(charge!.provider_id, saleId === approved ? "approve" : "decline");
    await sql`update charges set last_checked_at = null where id = ${charge!.id}`;
    await checkNow(charge!.id);
    // The webhook of the decision may be checking it at the same moment.
    await until(async () => (await cardStateOf(saleId)).charges[0]!.status !== "in_review");
  }
  expect(await cardStateOf(approved)).toMatchObject({ status: "completed", charges: [{ status: "paid" }] });
  expect(await cardStateOf(declined)).toMatchObject({ status: "pending", charges: [{ status: "declined" }] });
  // By its key, since the text of one that was sent is gone.
  const mails = await sql`select sale_id, idempotency_key like '%/card-declined/%' as "isDecline" from mails
    where sale_id in ${sql([approved, declined])} and kind in ('purchase', 'payment-news') order by kind`;
  expect(mails.map((mail) => ({ ...mail }))).toEqual([
    { sale_id: declined, isDecline: true },
    { sale_id: approved, isDecline: false },
  ]);
});

test("a card's payment is one also where the order does not name its kind", async () => {
  const saleId = await ordered();
  await sendCard(app, saleId, "CONT");
  const [charge] = await sql`select id, provider_id, reference from charges where sale_id = ${saleId}`;
  const method = { id: "visa", type: null };
  const body = {
    ...{ id: charge!.provider_id, status: "processed", status_detail: "accredited" },
    external_reference: charge!.reference,
    transactions: {
      payments: [{ id: "PAY01", amount: "97.00", paid_amount: "110.00", payment_method: method }],
    },
  };
  await app.sandbox.fault({ service: "mercadopago", route: "find", mode: "status-200", body });
  await sql`update charges set last_checked_at = null where id = ${charge!.id}`;
  await checkNow(charge!.id);
  const state = await cardStateOf(saleId);
  expect(state).toMatchObject({
    status: "completed",
    charges: [{ status: "paid", amount_cents: 9700, buyer_cents: 11000 }],
  });
});

test.each([
  ["reset", ""],
  ["status-307", ""],
  ["status-425", ""],
  ["status-499", ""],
  ["status-422", "<!DOCTYPE html><title>Just a moment...</title>"],
] as const)(
  "a card whose answer was lost (%s) is found, charged once, and never declined by mistake",
  async (mode, body) => {
    const saleId = await ordered();
    await app.sandbox.fault({ service: "mercadopago", route: "create", mode, body, after: true });
    expect((await sendCard(app, saleId)).location).toBe(paths.card(saleId));
    expect(await cardStateOf(saleId)).toMatchObject({ status: "pending", charges: [{ status: "unknown" }] });
    const page = await (await app.fetch(paths.card(saleId))).text();
    expect(page).toContain("ainda não temos a resposta do banco");
    expect(page).not.toContain("Pagar com PIX");
    // Pressed again, the first payment is looked up before another card is sent.
    const before = await calls();
    expect((await sendCard(app, saleId)).location).toBe(paths.thankYou(saleId));
    expect(await calls()).toBe(before);
    expect(await cardStateOf(saleId)).toMatchObject({ status: "completed", charges: [{ status: "paid" }] });
  },
);

test("a card that never reached the provider ends after its search denied it, and another can be sent", async () => {
  const saleId = await ordered();
  await app.sandbox.fault({ service: "mercadopago", route: "create", mode: "reset" });
  await sendCard(app, saleId);
  const [charge] = await sql`select id from charges where sale_id = ${saleId}`;
  await checkNow(charge!.id);
  await sweepCharges.handle({}, once);
  expect(await cardStateOf(saleId)).toMatchObject({ charges: [{ status: "unknown" }] });
  await sql`update charges set created_at = now() - interval '20 minutes', last_checked_at = null where id = ${charge!.id}`;
  await checkNow(charge!.id);
  await sweepCharges.handle({}, once);
  expect(await cardStateOf(saleId)).toMatchObject({ status: "pending", charges: [{ status: "failed" }] });
  expect((await sendCard(app, saleId)).location).toBe(paths.thankYou(saleId));
});

test.each([
  ["status-401", { message: "Não." }, "revisar a conexão com o cartão"],
  ["status-422", { message: "Não." }, "não aceitou estes dados"],
  ["status-429", { message: "Não." }, "Não conseguimos falar com o provedor"],
  ["status-429", "local_rate_limited", "Não conseguimos falar com o provedor"],
] as const)(
  "a provider that answers %s %o has charged nothing, and the page says so",
  async (mode, body, text) => {
    const saleId = await ordered();
    await app.sandbox.fault({
      service: "mercadopago",
      route: "create",
      ...{ mode, body, times: 1 },
    });
    const { status, html } = await sendCard(app, saleId);
    expect(status).toBe(503);
    expect(html).toContain(text);
    expect(html).toContain("Nada foi cobrado");
    expect(await cardStateOf(saleId)).toMatchObject({ status: "pending", charges: [{ status: "failed" }] });
    // Every card would fail, and nobody else tells the seller.
    const mails =
      await sql`select idempotency_key as key from mails where sale_id = ${saleId} and kind = 'failed-payment'`;
    expect(mails.map(({ key }) => key)).toEqual(
      mode === "status-401" ? [expect.stringContaining("/credentials/mercadopago")] : [],
    );
  },
);

test("a buyer whose card the account refuses is not sent to a PIX of the same account", async () => {
  const alone = await cardShop({ account: { enabledAt: new Date() } });
  const refused = async () => {
    await app.sandbox.fault({
      service: "mercadopago",
      route: "create",
      mode: "status-401",
      times: 1,
      body: {},
    });
    return (await sendCard(app, await orderCard(alone.product.id))).html;
  };
  expect(await refused()).toContain("Nada foi cobrado: pague com PIX");
  await sql`update gateway_accounts set enabled_at = null where seller_id = ${alone.seller.id} and provider = 'pushinpay'`;
  expect(await refused()).toContain("avise-o e tente de novo mais tarde");
});

test("ten presses at once charge one card", async () => {
  const saleId = await ordered();
  const before = await calls();
  const answers = await Promise.all(Array.from({ length: 10 }, () => sendCard(app, saleId)));
  expect(answers.every(({ status }) => status === 204)).toBe(true);
  expect(await calls()).toBe(before + 1);
  expect(await cardStateOf(saleId)).toMatchObject({ status: "completed", charges: [{ status: "paid" }] });
});

test("what a form lacks is said beside its field, and nothing is sent", async () => {
  const saleId = await ordered();
  const before = await calls();
  const wrong = { holder_name: "B", holder_document: "123", token: "", instalments: "0" };
  const { status, html } = await sendCard(app, saleId, "APRO", wrong);
  expect(status).toBe(400);
  for (const text of [
    "como está no cartão",
    "CPF/CNPJ inválido",
    "número de parcelas",
    "código de segurança",
  ])
    expect(html).toContain(text);
  expect(html).toContain('value="B"');
  expect(await calls()).toBe(before);
  expect((await cardStateOf(saleId)).charges).toEqual([]);
});

test("a holder whose CNPJ has letters is asked for a CPF beside the field, and the card is not used", async () => {
  const saleId = await ordered();
  const [before, token] = [await calls(), await cardToken(app)];
  const { status, html } = await sendCard(app, saleId, "APRO", {
    token,
    holder_document: "12.ABC.345/01DE-35",
  });
  expect(status).toBe(400);
  expect(html).toContain("use o CPF do titular");
  expect(html).toContain('value="12.ABC.345/01DE-35"');
  expect(await calls()).toBe(before);
  const withDigits = await sendCard(app, saleId, "APRO", { token, holder_document: "11.222.333/0001-81" });
  expect(withDigits.location).toBe(paths.thankYou(saleId));
});

test("the instalments are the provider's, before a card is typed and by its first digits", async () => {
  const saleId = await ordered();
  const html = await (await app.fetch(paths.card(saleId))).text();
  expect(html).toMatch(/1x de R\$\s97,00</);
  expect(html).toMatch(/12x de R\$\s[\d,]+ \(R\$\s[\d,]+\)/);
  const byBin = await app.fetch(`${paths.instalments(saleId)}?bin=50314332`);
  const { brand, instalments } = (await byBin.json()) as { brand: string; instalments: unknown[] };
  expect([brand, instalments.length]).toEqual(["master", 12]);
  expect(await (await app.fetch(`${paths.instalments(saleId)}?bin=99999999`)).json()).toMatchObject({
    brand: null,
  });
  expect((await app.fetch(`${paths.instalments(saleId)}?bin=4235x`)).status).toBe(400);
});

test("the instalments are a credit card's where the provider lists a debit card first", async () => {
  const cost = { installment_rate: 0, installments: 1, installment_amount: 97, total_amount: 97 };
  const twice = { ...cost, installments: 2, installment_amount: 48.5 };
  const body = [
    { payment_type_id: "debit_card", payer_costs: [cost] },
    { payment_type_id: "credit_card", payer_costs: [cost, twice] },
  ];
  await app.sandbox.fault({ service: "mercadopago", route: "installments", mode: "status-200", body });
  const { prices } = (await cards.listInstalments({ apiKey: "APP_USR-sandbox-x" }, 9700, null))!;
  expect(prices.map(({ count }) => count)).toEqual([1, 2]);
});

test("no number of a card, and no token, reaches the database or a page", async () => {
  const saleId = await ordered();
  const token = await cardToken(app);
  const { html } = await sendCard(app, saleId, "OTHE", { token });
  expect(html).not.toContain(token);
  const [row] = await sql`select (select json_agg(c)::text from charges c where sale_id = ${saleId})
    || (select coalesce(json_agg(e)::text, '') from charge_events e inner join charges c on c.id = e.charge_id where c.sale_id = ${saleId}) as all`;
  expect(row!.all).not.toContain(token);
});

test("the provider is told what the order is for: an upsell is not the product again", async () => {
  const own = await cardShop();
  const upsell = await makeUpsell(own.product);
  const parentId = await orderCard(own.product.id);
  await sendCard(app, parentId);
  await startNextUpsell({ sellerId: own.seller.id, saleId: parentId, productId: own.product.id });
  const accepted = { ...ANY_TERMS, saleId: parentId, upsellId: upsell.id, buyerContext: { client: "bia" } };
  const { saleId } = await acceptUpsell(accepted);
  await sendCard(app, saleId);
  const titleOf = async (id: string) => {
    const [charge] = await sql`select provider_id from charges where sale_id = ${id} and status = 'paid'`;
    return (await app.sandbox.transaction(charge!.provider_id)).card!.itemTitle;
  };
  expect([await titleOf(parentId), await titleOf(saleId)]).toEqual([own.product.name, upsell.name]);
});
