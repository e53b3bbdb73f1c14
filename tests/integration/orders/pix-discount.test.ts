import { expect, test, vi } from "vitest";
import { peekInstalments } from "#app/domain/card/list-instalments.server.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { paths } from "#app/kit/paths.ts";
import { cardShop, sendCard } from "#tests/integration/cards/support.ts";
import { checkNow } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeBump } from "#tests/support/make.ts";
import { makeCheckoutSettings } from "#tests/support/rows/make-storefront.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ worker: 0 });
await app.sandbox.gate({ enabled: false });

/** A product of R$ 97,00 and a bump of R$ 19,90; 10 % less with a PIX: R$ 87,30 and R$ 17,91. */
async function discountShop(settings: object = {}) {
  const shop = await cardShop();
  const bump = await makeBump(shop.product, { priceCents: 1990 });
  await makeCheckoutSettings(shop.seller, { pix_discount_percent: 10, require_document: false, ...settings });
  return { ...shop, bump, address: paths.checkout({ ...shop.product, checkoutSlug: null }) };
}
type Shop = Awaited<ReturnType<typeof discountShop>>;

const text = (html: string) => html.replace(/<[^>]*>/g, " ").replace(/&nbsp;|\s+/g, " ");
const page = async (path: string) =>
  text((await (await app.fetch(path)).text()).replace(/^.*?<main/s, "<main"));

/** Orders with the fields that the page itself has. @returns status, the next page, and what the page says */
async function order(shop: Shop, fields: Record<string, string> = {}, client = crypto.randomUUID()) {
  const html = await (await app.fetch(shop.address)).text();
  const hidden = Object.fromEntries(
    [
      ...html.matchAll(/<input type="hidden" name="(seen_\w+)" (?:autoComplete="off" )?value="([^"]*)"/gi),
    ].map(([, name, value]) => [name!, value!]),
  );
  const body = new URLSearchParams({
    ...{ ...hidden, customer_name: "Bia Souza", customer_email: `${client}@exemplo.com.br` },
    ...{ customer_phone: "11987654321", own_name: client, ...fields },
  });
  const headers = { "x-forwarded-for": "198.51.100.20" };
  const answer = await app.fetch(shop.address, { method: "POST", body, headers });
  const next = answer.headers.get("location") ?? "";
  return {
    status: answer.status,
    next,
    saleId: next.split("/").at(-1)!,
    said: text(await answer.text()),
    client,
  };
}

async function stateOf(saleId: string) {
  const [sale] =
    await sql`select status, payment_method as method, amount_cents as cents from sales where id = ${saleId}`;
  const lines = await sql`select price_cents as cents, method_discount_cents as off from sale_lines
    where sale_id = ${saleId} order by position`;
  return { ...sale, lines: lines.map(({ cents, off }) => [cents, off]) };
}

async function payPix(saleId: string) {
  const [charge] = await sql`select id, provider_id, amount_cents from charges
    where sale_id = ${saleId} and method = 'pix' and status = 'open'`;
  await app.sandbox.pay(charge!.provider_id, { wait: true });
  // A code may have been checked just now, before a card was sent.
  await sql`update charges set last_checked_at = null where id = ${charge!.id}`;
  await checkNow(charge!.id);
  return charge!.amount_cents as number;
}

const PIX = [8730, 970];
const CARD = [9700, 0];

test("the checkout shows what a PIX and a card cost, and its instalments once the provider has named them", async () => {
  const shop = await discountShop();
  const first = await page(shop.address);
  expect(first).toContain("no PIX, com 10% de desconto");
  expect(first).toMatch(/R\$ 87,30 R\$ 97,00 Economia de R\$ 9,70 R\$ 97,00 no cartão/);
  expect(first).toContain("10% de desconto, aprovação em segundos");
  const said = await until(async () => {
    const now = await page(shop.address);
    return now.includes("12x de") && now;
  });
  expect(said).toMatch(/R\$ 97,00 no cartão ou 12x de R\$ \d+,\d\d \(total R\$ \d+,\d\d\)/);
});

test("a page is made where the instalments cannot be found out, and the process goes on", async () => {
  const { seller } = await discountShop();
  const { cards } = providers.mercadopago!;
  const failing = vi
    .spyOn(cards!, "listInstalments")
    .mockRejectedValueOnce(new TypeError("not a provider's answer"));
  expect((await peekInstalments(seller.id, 9700)).prices).toBeNull();
  // Vitest reports a rejection that nobody handles.
  await new Promise(setImmediate);
  expect(failing).toHaveBeenCalledOnce();
  failing.mockRestore();
});

test("a PIX is charged less, and its page says what the card costs", async () => {
  const shop = await discountShop();
  const { next, saleId } = await order(shop, { payment_method: "pix", order_bumps: String(shop.bump.id) });
  expect(next).toBe(paths.pix(saleId));
  const said = await page(next);
  expect(said).toMatch(/97,00 .*19,90 Desconto no PIX − R\$ 11,69 Total R\$ 105,21/);
  expect(said).toContain("Pagar com cartão: R$ 116,90");
  expect(await payPix(saleId)).toBe(10_521);
  expect(await stateOf(saleId)).toMatchObject({ status: "completed", method: "pix", cents: 10_521 });
});

test("a card costs the full price, and its page says how much less a PIX costs", async () => {
  const shop = await discountShop();
  const { next, saleId } = await order(shop, { payment_method: "card" });
  expect(next).toBe(paths.card(saleId));
  const said = await page(next);
  expect(said).toContain("Com o desconto você paga R$ 9,70 a menos.");
  expect(said).toContain("Pagar com PIX: R$ 87,30");
  expect(said).toContain("1x de R$ 97,00");
  await sendCard(app, saleId);
  expect(await stateOf(saleId)).toEqual({ status: "completed", method: "card", cents: 9700, lines: [CARD] });
});

test("an order that changes its payment method costs what that method costs", async () => {
  const shop = await discountShop();
  const [toCard, toPix] = [
    await order(shop, { payment_method: "pix" }),
    await order(shop, { payment_method: "card" }),
  ];
  expect(await stateOf(toCard.saleId)).toMatchObject({ cents: 8730, lines: [PIX] });
  expect(await stateOf(toPix.saleId)).toMatchObject({ cents: 9700, lines: [CARD] });

  const cardPage = await page(paths.card(toCard.saleId));
  expect(cardPage).toContain("1x de R$ 97,00");
  expect(cardPage).not.toContain("Desconto no PIX");
  await sendCard(app, toCard.saleId);
  expect(await stateOf(toCard.saleId)).toEqual({
    status: "completed",
    method: "card",
    cents: 9700,
    lines: [CARD],
  });
  const [charge] =
    await sql`select amount_cents, paid_cents from charges where sale_id = ${toCard.saleId} and method = 'card'`;
  expect(charge).toEqual({ amount_cents: 9700, paid_cents: 9700 });

  await startPix(toPix.saleId);
  expect(await page(paths.pix(toPix.saleId))).toMatch(/Desconto no PIX − R\$ 9,70 Total R\$ 87,30/);
  expect(await payPix(toPix.saleId)).toBe(8730);
  expect(await stateOf(toPix.saleId)).toEqual({
    status: "completed",
    method: "pix",
    cents: 8730,
    lines: [PIX],
  });
});

test("a code that was shown before a declined card still pays the order, at its own amount", async () => {
  const shop = await discountShop();
  const { saleId } = await order(shop, { payment_method: "pix" });
  expect((await sendCard(app, saleId, "OTHE")).status).toBe(402);
  expect(await page(paths.pix(saleId))).toContain("Total R$ 87,30");
  expect(await payPix(saleId)).toBe(8730);
  expect(await stateOf(saleId)).toEqual({ status: "completed", method: "pix", cents: 8730, lines: [PIX] });
});

test("the same order sent with the other payment method is the same sale, at that method's price", async () => {
  const shop = await discountShop();
  const first = await order(shop, { payment_method: "pix" });
  const second = await order(shop, { payment_method: "card" }, first.client);
  expect(second.next).toBe(paths.card(first.saleId));
  expect(await stateOf(first.saleId)).toMatchObject({ method: "card", cents: 9700, lines: [CARD] });
  const third = await order(shop, { payment_method: "pix" }, first.client);
  expect(third.next).toBe(paths.pix(first.saleId));
  expect(await stateOf(first.saleId)).toMatchObject({ method: "pix", cents: 8730, lines: [PIX] });
  expect(await payPix(first.saleId)).toBe(8730);
});

test("a discount that ended after the page was opened is not silently lost", async () => {
  const shop = await discountShop();
  const body = { seen_prices: "9700", seen_pix_discount: "10" };
  await makeCheckoutSettings(shop.seller, { pix_discount_percent: 4, require_document: false });
  const refused = await order(shop, { ...body, payment_method: "pix" });
  expect(refused.status).toBe(409);
  expect(refused.said).toContain(
    "O preço mudou: agora o total é R$ 93,12 (antes, R$ 87,30). Nada foi cobrado.",
  );
  expect(await sql`select from sales where seller_id = ${shop.seller.id}`).toHaveLength(0);
  // Who pays with a card was shown the full price.
  expect((await order(shop, { ...body, payment_method: "card" })).status).toBe(303);
});

test("without cards there is no discount: where the seller switched them off, or the account does not take them", async () => {
  const off = await discountShop({ enable_card: false });
  const none = await discountShop();
  await sql`update gateway_accounts set cards_enabled_at = null where seller_id = ${none.seller.id}`;
  for (const shop of [off, none]) {
    const said = await page(shop.address);
    expect(said).not.toMatch(/% de desconto|no cartão|cartão de crédito/i);
    const { saleId } = await order(shop);
    expect(await stateOf(saleId)).toMatchObject({ cents: 9700, lines: [[9700, 0]] });
    expect(await page(paths.pix(saleId))).not.toContain("Pagar com cartão");
  }
  const { status } = await order(off, { payment_method: "card" });
  expect(status).toBe(409);
});
