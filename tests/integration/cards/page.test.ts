import { expect, test } from "vitest";
import { refundCharge } from "#app/domain/refund/refund-charge.server.ts";
import { paths } from "#app/kit/paths.ts";
import { cardShop, cardStateOf, orderCard, sendCard } from "#tests/integration/cards/support.ts";
import { checkNow } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeGateway, makeProduct, makeSeller } from "#tests/support/make.ts";
import { makeCheckoutSettings, makeStore } from "#tests/support/rows/make-storefront.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ worker: 0 });
const shop = await cardShop();

test("the page has no HTML, CSS or pixel of the seller's, and its policy names one provider's sources and no inline script", async () => {
  const settings = { header_html: "<b>cabeçalho do vendedor</b>", custom_css: ".page { color: red }" };
  await sql`insert into checkout_customizations (seller_id, settings) values (${shop.seller.id}, ${sql.json(settings)})`;
  const saleId = await orderCard(shop.product.id);
  const answer = await app.fetch(paths.card(saleId));
  const html = await answer.text();
  expect(html).not.toContain("cabeçalho do vendedor");
  expect(html).not.toContain("color: red");
  const policy = new Map(
    answer.headers
      .get("content-security-policy")!
      .split("; ")
      .map((line) => [line.split(" ")[0]!, line.split(" ").slice(1)]),
  );
  const [sandbox, fields] = [app.sandbox.url, app.sandbox.url.replace("localhost", "127.0.0.1")];
  expect(policy.get("script-src")).toEqual(["'self'", sandbox, sandbox]);
  expect(policy.get("connect-src")).toEqual(["'self'", sandbox, fields]);
  expect(policy.get("frame-src")).toEqual([fields]);
  expect(policy.get("default-src")).toEqual(["'none'"]);
  expect(answer.headers.get("cache-control")).toBe("private, no-store");
  // Only the card's page names them.
  for (const path of [paths.checkout({ ...shop.product, checkoutSlug: null }), paths.pix(saleId)]) {
    const other = await app.fetch(path);
    expect(other.headers.get("content-security-policy") ?? "", path).not.toContain(fields);
    expect(await other.text(), path).not.toContain("/sdk/js/");
  }
});

test("an order by card names the contact of the store, and no mail to reply to before one was sent", async () => {
  const { seller, product } = await cardShop();
  const { email } = await makeStore(seller);
  const byCard = await orderCard(product.id);
  const byPix = await orderCard(product.id, { isCard: false });
  const contactOn = async (path: string) =>
    /(?:Atendimento|Fale com <b>.*?<\/b>): ([^<]+)/.exec(await (await app.fetch(path)).text())?.[1];
  expect(await contactOn(paths.card(byCard))).toContain(email);
  expect(await contactOn(paths.thankYou(byCard))).toContain(email);
  expect(await contactOn(paths.card(byPix))).toMatch(/^responda ao e-mail do seu pedido/);
  expect(await contactOn(paths.thankYou(byPix))).toMatch(/^responda ao e-mail do seu pedido/);
  // Its code was mailed, and its buyer chose the card afterwards.
  await sql`update sales set payment_method = 'card' where id = ${byPix}`;
  expect(await contactOn(paths.thankYou(byPix))).toMatch(/^responda ao e-mail do seu pedido/);
  // No code could be created, so none was mailed.
  await sql`update sales set payment_method = 'pix' where id = ${byPix}`;
  await sql`update charges set status = 'failed', failure_kind = 'no-answer' where sale_id = ${byPix}`;
  expect(await contactOn(paths.pix(byPix))).toContain(email);
  expect(await contactOn(paths.thankYou(byPix))).toContain(email);
  // The buyer of an upsell has the mails of the purchase before it.
  await sql`update sales set parent_sale_id = ${byPix} where id = ${byCard}`;
  for (const path of [paths.card(byCard), paths.thankYou(byCard)])
    expect(await contactOn(path), path).toMatch(/^responda ao e-mail do seu pedido/);
});

test("attempts are counted per order and client: the thirteenth within an hour is not sent", async () => {
  const saleId = await orderCard(shop.product.id);
  const { create: before } = (await app.sandbox.calls()).mercadopago;
  const client = "198.51.100.7";
  for (let attempt = 1; attempt <= 12; attempt++)
    expect((await sendCard(app, saleId, "OTHE", {}, client)).status).toBe(402);
  const refused = await sendCard(app, saleId, "APRO", {}, client);
  expect(refused.status).toBe(429);
  expect(refused.html).toContain("Pagar com PIX");
  expect((await app.sandbox.calls()).mercadopago.create).toBe(before + 12);
  // Another client is not locked out by it.
  expect((await sendCard(app, saleId)).status).toBe(204);
});

test("a checkout offers the card where its seller takes cards, and refuses one that is switched off meanwhile", async () => {
  const address = paths.checkout({ ...shop.product, checkoutSlug: null });
  expect(await (await app.fetch(address)).text()).toContain("Cartão de crédito");
  const other = await makeSeller();
  await makeGateway(other);
  const product = await makeProduct(other);
  expect(await (await app.fetch(paths.checkout(product))).text()).not.toContain("Cartão de crédito");
  await expect(orderCard(product.id)).rejects.toThrow("não está recebendo pagamentos com cartão");
  const saleId = await orderCard(shop.product.id);
  await sql`update gateway_accounts set cards_enabled_at = null where seller_id = ${shop.seller.id}`;
  try {
    const page = await (await app.fetch(paths.card(saleId))).text();
    expect(page).toContain("não está recebendo pagamentos com cartão");
    expect(page).toContain("Pagar com PIX");
    expect((await sendCard(app, saleId)).status).toBe(409);
  } finally {
    await sql`update gateway_accounts set cards_enabled_at = now() where seller_id = ${shop.seller.id} and provider = 'mercadopago'`;
  }
});

test.each([
  ["cards", { enable_card: false }, 409, "não está recebendo pagamentos com cartão", true],
  [
    "PIX, and with it all payments",
    { enable_pix: false },
    503,
    "não está recebendo pagamentos no momento",
    false,
  ],
])(
  "a seller who switched off %s charges no card of an earlier order",
  async (_, off, status, words, offersPix) => {
    const { seller, product } = await cardShop();
    const saleId = await orderCard(product.id);
    await makeCheckoutSettings(seller, off);
    const page = await (await app.fetch(paths.card(saleId))).text();
    expect(page).toContain(words);
    expect(page.includes("Pagar com PIX")).toBe(offersPix);
    const sent = await sendCard(app, saleId);
    expect(sent.status).toBe(status);
    expect(sent.html).toContain(words);
    expect(await cardStateOf(saleId)).toMatchObject({ status: "pending", charges: [] });
  },
);

test("a buyer is sent from the card to a PIX only while an account creates codes, or one was shown", async () => {
  const { seller, product } = await cardShop();
  const [saleId, withCode] = [await orderCard(product.id), await orderCard(product.id, { isCard: false })];
  const seen = async (id: string) => {
    const page = await (await app.fetch(paths.card(id))).text();
    return {
      noCards: page.includes("Pague com PIX"),
      noPayments: page.includes("ainda não pode receber pagamentos"),
      pix: page.includes("Pagar com PIX"),
    };
  };
  expect(await seen(saleId)).toEqual({ noCards: false, noPayments: false, pix: true });
  // Only the keys of one are stored: no code is created there.
  await makeGateway(seller, { provider: "stripe" });
  await sql`update gateway_accounts set enabled_at = null where seller_id = ${seller.id} and provider <> 'stripe'`;
  expect(await seen(saleId)).toEqual({ noCards: false, noPayments: false, pix: false });
  expect(await seen(withCode)).toMatchObject({ pix: true });
  await expect(orderCard(product.id)).rejects.toThrow("ainda não pode receber pagamentos");
  await sql`update gateway_accounts set cards_enabled_at = null where seller_id = ${seller.id}`;
  expect(await seen(saleId)).toEqual({ noCards: false, noPayments: true, pix: false });
  expect(await seen(withCode)).toEqual({ noCards: false, noPayments: true, pix: true });
  const sent = await sendCard(app, saleId);
  expect([sent.status, sent.html.includes("Pague com PIX")]).toEqual([409, false]);
  expect(sent.html).toContain("ainda não pode receber pagamentos");
});

test("a checkout's description names the card where the shop takes it, and says that a PIX is paid at once where not", async () => {
  const described = async (product: Parameters<typeof paths.checkout>[0]) =>
    /<meta name="description" content="([^"]*)"/.exec(
      await (await app.fetch(paths.checkout(product))).text(),
    )?.[1];
  const { seller, product } = await cardShop();
  await sql`update products set description = null where seller_id = ${seller.id}`;
  expect(await described(product)).toBe(`Compre ${product.name} com PIX ou cartão, em página segura.`);
  const other = await makeSeller();
  await makeGateway(other);
  const byPix = await makeProduct(other, { description: null });
  expect(await described(byPix)).toBe(`Compre ${byPix.name} com PIX, à vista, em página segura.`);
});

test("a card's payment is refunded in part and then in full, of the seller's price and without the buyer's interest", async () => {
  const saleId = await orderCard(shop.product.id);
  await sendCard(app, saleId, "APRO", { instalments: "6" });
  const [charge] = await sql`select id from charges where sale_id = ${saleId}`;
  const chargeId = charge!.id as string;
  const refundedAs = (status: string, cents: number) =>
    until(async () => {
      await sql`update charges set last_checked_at = null where id = ${chargeId}`;
      await checkNow(chargeId);
      const [sale] = await sql`select status, refunded_cents from sales where id = ${saleId}`;
      return sale!.status === status && sale!.refunded_cents === cents;
    });
  await refundCharge(shop.seller.id, chargeId, 2000);
  await refundedAs("completed", 2000);
  await refundCharge(shop.seller.id, chargeId, 7700);
  await refundedAs("refunded", 9700);
});

test("a code that was shown before stays valid: paid as well, it is an overpayment that the seller is told of", async () => {
  const saleId = await orderCard(shop.product.id, { isCard: false });
  const [code] = await sql`select id, provider_id from charges where sale_id = ${saleId}`;
  expect((await sendCard(app, saleId)).location).toBe(paths.thankYou(saleId));
  await app.sandbox.pay(code!.provider_id, { wait: true });
  // It was asked about when the card was sent.
  await app.sandbox.gate({ enabled: false });
  await sql`update charges set last_checked_at = null where id = ${code!.id}`;
  await checkNow(code!.id);
  const [charge] = await sql`select overpaid_at from charges where id = ${code!.id}`;
  expect(charge!.overpaid_at).not.toBeNull();
  await app.sandbox.gate({ enabled: true });
  expect(await cardStateOf(saleId)).toMatchObject({ status: "completed", method: "card" });
  const mails = await sql`select kind from mails where sale_id = ${saleId} and kind = 'surplus'`;
  expect(mails).toHaveLength(1);
});
