import { expect, test } from "vitest";
import { DECLINE_TEXTS } from "#app/domain/card/decline-texts.ts";
import { paths } from "#app/kit/paths.ts";
import { cardShop, cardStateOf, cardToken, orderCard } from "#tests/integration/cards/support.ts";
import { startApp } from "#tests/support/app.ts";
import { newAddress } from "#tests/support/clients/client-address.ts";
import { longTest } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ web: 2, worker: 0 });
const shop = await cardShop();

const PRESSES = 120;

const cardCalls = async () => (await app.sandbox.calls()).mercadopago.create;
const formOf = (token: string) => ({
  ...{ token, brand: "visa", instalments: "1", device_id: "aparelho" },
  ...{ holder_name: "APRO Souza", holder_document: "123.456.789-09" },
});

/** Sends a card's form to one of the processes, without a script: its answer is a redirect, or a page. */
async function press(saleId: string, form: Record<string, string>, { web = 0, client = newAddress() } = {}) {
  const answer = await app.fetch(new URL(paths.card(saleId), app.web[web]!.url).href, {
    method: "POST",
    headers: { "x-forwarded-for": client },
    body: new URLSearchParams(form),
  });
  return { status: answer.status, location: answer.headers.get("location"), html: await answer.text() };
}

type Press = Awaited<ReturnType<typeof press>>;

/** The answers of a shop that was not too busy to answer. One that was must not say that nothing was charged. */
function whereAnswered(answers: Press[]): Press[] {
  for (const { status, html } of answers) if (status === 503) expect(html).not.toContain("Nada foi cobrado");
  return answers.filter(({ status }) => status !== 503);
}

const pressAll = (saleId: string, form: Record<string, string>, client?: string) =>
  Promise.all(
    Array.from({ length: PRESSES }, (_, at) =>
      press(saleId, form, { web: at % 2, ...(client ? { client } : {}) }),
    ),
  );

test("120 presses of one card at once, through two processes, are one attempt at the provider and true answers", async () => {
  const saleId = await orderCard(shop.product.id);
  const before = await cardCalls();
  const answers = await pressAll(saleId, formOf(await cardToken(app)));
  expect(await cardCalls()).toBe(before + 1);
  expect(await cardStateOf(saleId)).toMatchObject({ status: "completed", charges: [{ status: "paid" }] });
  // Paid, or being confirmed where the answer came before the bank's.
  const places = [paths.thankYou(saleId), paths.card(saleId)];
  for (const { status, location } of whereAnswered(answers)) {
    expect(status).toBe(303);
    expect(places).toContain(location);
  }
  expect(answers.map(({ location }) => location)).toContain(places[0]);
  for (const web of [0, 1])
    expect((await press(saleId, formOf("outro"), { web })).location).toBe(paths.thankYou(saleId));
  expect(await cardCalls()).toBe(before + 1);
});

longTest(
  "120 presses of a card that is declined are one attempt as well, and its reason is what all of them read",
  async () => {
    const saleId = await orderCard(shop.product.id);
    const before = await cardCalls();
    const form = { ...formOf(await cardToken(app, "OTHE")), holder_name: "OTHE Souza" };
    const answers = await pressAll(saleId, form);
    expect(await cardCalls()).toBe(before + 1);
    expect(await cardStateOf(saleId)).toMatchObject({ status: "pending", charges: [{ status: "declined" }] });
    const declined = answers.filter(({ status }) => status === 402);
    expect(declined.length).toBeGreaterThan(0);
    for (const { html } of declined) expect(html).toContain(DECLINE_TEXTS.issuer);
    // The others came while the bank was being asked.
    for (const { status, location } of whereAnswered(answers))
      expect([status, location]).toEqual(status === 402 ? [402, null] : [303, paths.card(saleId)]);
    // Another card, which has another token, is another attempt.
    expect((await press(saleId, formOf(await cardToken(app)))).location).toBe(paths.thankYou(saleId));
    expect(await cardCalls()).toBe(before + 2);
  },
);

test("a card that the provider did not take is sent again by the same form", async () => {
  const saleId = await orderCard(shop.product.id);
  const form = formOf(await cardToken(app));
  await app.sandbox.fault({ service: "mercadopago", route: "create", mode: "http-429" });
  const refused = await press(saleId, form);
  expect([refused.status, refused.html.includes("Nada foi cobrado")]).toEqual([503, true]);
  expect((await press(saleId, form)).location).toBe(paths.thankYou(saleId));
  expect(await cardStateOf(saleId)).toMatchObject({ charges: [{ status: "failed" }, { status: "paid" }] });
});

longTest("120 presses from one client are one attempt, and the answers beyond the limit say so", async () => {
  const saleId = await orderCard(shop.product.id);
  const before = await cardCalls();
  const form = formOf(await cardToken(app));
  // Its bank takes its time: whoever comes after the card was paid is sent on, and not limited.
  await app.sandbox.fault({ service: "mercadopago", route: "create", mode: "slow-5000" });
  const answers = await pressAll(saleId, form, newAddress());
  expect(await cardCalls()).toBe(before + 1);
  expect(await cardStateOf(saleId)).toMatchObject({ status: "completed", charges: [{ status: "paid" }] });
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  for (const { html } of refused) {
    expect(html).toContain("Muitas tentativas");
    expect(html).not.toContain("Nada foi cobrado");
  }
  for (const { status } of whereAnswered(answers)) expect([303, 429]).toContain(status);
});

longTest(
  "while a seller's cards hang at the provider, PIX and other sellers' cards are answered",
  async () => {
    const [frozen, other] = [await cardShop(), await cardShop()];
    const hanging = 60;
    const sales: string[] = [];
    for (let count = 0; count < hanging; count++) sales.push(await orderCard(frozen.product.id));
    const token = await cardToken(app);
    const before = await cardCalls();
    await app.sandbox.fault({ service: "mercadopago", route: "create", mode: "timeout", times: hanging });
    let answered = 0;
    const waiting = sales.map(async (saleId) => {
      const answer = await press(saleId, formOf(token));
      answered += 1;
      return answer;
    });
    await until(async () => (await cardCalls()) === before + hanging, { what: "all cards to hang" });

    const pix = await app.fetch("/api/payments/pushinpay", {
      method: "POST",
      body: JSON.stringify({
        ...{ product_id: frozen.product.id, customer_name: "Bia", customer_email: "bia@exemplo.com.br" },
        ...{ customer_phone: "11987654321", customer_document: "529.982.247-25" },
      }),
    });
    expect(pix.status).toBe(200);
    const otherSale = await orderCard(other.product.id);
    const paid = await press(otherSale, formOf(await cardToken(app)));
    expect(paid.location).toBe(paths.thankYou(otherSale));
    expect((await app.fetch(`/checkout/${frozen.product.id}`)).status).toBe(200);
    // All of this came before the first of the hanging cards was given up.
    expect(answered).toBe(0);

    for (const [at, answer] of (await Promise.all(waiting)).entries()) {
      expect([answer.status, answer.location]).toEqual([303, paths.card(sales[at]!)]);
      expect((await cardStateOf(sales[at]!)).charges).toMatchObject([{ status: "unknown" }]);
    }
    const page = await (await app.fetch(paths.card(sales[0]!))).text();
    expect(page).toContain("ainda não temos a resposta do banco");
  },
);
