import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { CANNOT_PAY, NO_PAYMENTS } from "#app/domain/gateway/cannot-pay.ts";
import { openShop, typedBuyer } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { newAddress } from "#tests/support/clients/client-address.ts";
import { sql } from "#tests/support/database.ts";
import { makeBump, makeCoupon, makeProduct, makeSeller } from "#tests/support/make.ts";
import { makeCheckoutSettings } from "#tests/support/rows/make-storefront.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ keepWorker: true });

const send = (productId: number, fields: Record<string, string>, client = newAddress()) =>
  app.fetch(`/checkout/${productId}`, {
    method: "POST",
    body: new URLSearchParams(fields),
    headers: { Origin: app.url, "X-Forwarded-For": client, "User-Agent": "test" },
  });
async function freeShop() {
  const shop = await openShop();
  await makeCoupon(shop.seller, { code: "BOLSA", percent: 100 });
  return shop;
}
const fields = (email = `bia-${randomUUID()}@exemplo.com.br`) => ({ ...typedBuyer(email), coupon: "bolsa" });
const salesOf = ({ seller }: { seller: { id: string } }) =>
  sql`select status, amount_cents, fee_cents, payment_method from sales where seller_id = ${seller.id}`;

test("an order that costs nothing is complete at once: access and mails, no PIX and no charge", async () => {
  const shop = await freeShop();
  const before = (await app.sandbox.calls()).pushinpay.cashIn;
  const email = `bia-${randomUUID()}@exemplo.com.br`;
  const page = await send(shop.product.id, { ...fields(email), intent: "coupon" });
  expect(await page.text()).toContain("sem pagamento: o acesso é liberado na hora");
  const answer = await send(shop.product.id, fields(email));
  expect(answer.status).toBe(303);
  const next = answer.headers.get("location")!;
  expect(next).toMatch(/^\/thank-you\//);
  const cookie = answer.headers
    .getSetCookie()
    .map((one) => one.split(";")[0])
    .join("; ");
  const thanks = await app.fetch(next, { headers: { Cookie: cookie } });
  expect([thanks.status, await thanks.text()]).toEqual([200, expect.stringContaining("Curso de Violão")]);
  expect([...(await salesOf(shop))]).toEqual([
    { status: "completed", amount_cents: 0, fee_cents: 0, payment_method: "free" },
  ]);
  expect(await sql`select from charges where seller_id = ${shop.seller.id}`).toHaveLength(0);
  expect((await app.sandbox.calls()).pushinpay.cashIn).toBe(before);
  await until(
    async () =>
      (
        await sql`select from mails where seller_id = ${shop.seller.id} and kind = 'purchase' and status = 'sent'`
      ).length === 1,
    { what: "the access mail to be sent" },
  );
});

test("sent again, also at once, it is the same order", async () => {
  const shop = await freeShop();
  const [once, client] = [fields(), newAddress()];
  const answers = await Promise.all(Array.from({ length: 6 }, () => send(shop.product.id, once, client)));
  expect(new Set(answers.map((answer) => answer.headers.get("location"))).size).toBe(1);
  expect(await salesOf(shop)).toHaveLength(1);
});

test("with an order bump it is paid for as always", async () => {
  const shop = await freeShop();
  const answer = await send(shop.product.id, { ...fields(), order_bumps: String(shop.bump.id) });
  expect(answer.headers.get("location")).toMatch(/^\/checkout\/pix\//);
  expect([...(await salesOf(shop))]).toMatchObject([{ status: "pending", amount_cents: 1990 }]);
});

test("the uses of a coupon for free orders are as limited as others", async () => {
  const shop = await openShop();
  const coupon = await makeCoupon(shop.seller, { code: "BOLSA", percent: 100, maxUses: 5 });
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(shop.product.id, fields())));
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(5);
  expect(await salesOf(shop)).toHaveLength(5);
  const [row] = await sql`select uses from coupons where id = ${coupon.id}`;
  expect(row).toEqual({ uses: 5 });
});

test("a client that collects free orders is stopped", async () => {
  const shop = await freeShop();
  const client = newAddress();
  const statuses: number[] = [];
  for (let times = 0; times < 31; times++)
    statuses.push((await send(shop.product.id, fields(), client)).status);
  expect(statuses.slice(0, 30)).toEqual(Array(30).fill(303));
  expect(statuses[30]).toBe(429);
});

test("the API answers that there is nothing to pay, the same with the same key", async () => {
  const shop = await freeShop();
  const body = { ...fields(), product_id: shop.product.id };
  const client = newAddress();
  const ask = () =>
    app.fetch("/api/payments/pushinpay", {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "Content-Type": "application/json", "X-Forwarded-For": client, "Idempotency-Key": "k" },
    });
  const first = await ask();
  expect(first.status).toBe(200);
  const answer = await first.json();
  expect(answer).toEqual({
    ...{ payment_id: null, sale_id: expect.any(String), status: "completed", standing: "paid" },
    ...{ pix_key: null, qr_code: null },
  });
  expect(await (await ask()).json()).toEqual(answer);
  expect(await salesOf(shop)).toHaveLength(1);
});

test("a total between zero and what the provider accepts is refused with the reason", async () => {
  const shop = await openShop();
  await makeCoupon(shop.seller, { code: "BOLSA", percent: null, amountCents: 9690 });
  const answer = await send(shop.product.id, fields());
  expect([answer.status, await answer.text()]).toEqual([
    409,
    expect.stringContaining("só aceita pagamentos a partir de R$ 0,50"),
  ]);
  expect(await salesOf(shop)).toHaveLength(0);
});

test("a product without a price is taken from a shop that receives no payments, and its page says nothing of PIX", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller, { priceCents: 0 });
  const html = await (await app.fetch(`/checkout/${product.id}`)).text();
  expect(html).toContain("Grátis");
  expect(html.replace(/<style.*?<\/style>/gs, "")).not.toMatch(
    /PIX|Compra protegida|não está recebendo|ainda não pode receber/i,
  );
  const answer = await send(product.id, typedBuyer(`bia-${randomUUID()}@exemplo.com.br`));
  expect(answer.headers.get("location")).toMatch(/^\/thank-you\//);
  expect([...(await salesOf({ seller }))]).toMatchObject([{ status: "completed", amount_cents: 0 }]);
});

/** A product that costs nothing, by itself or by its link's coupon, with an order bump of R$ 19,90; the shop takes no payments. */
async function unpaidShop(costs: "nothing" | "nothing with its coupon") {
  const seller = await makeSeller();
  const product = await makeProduct(seller, costs === "nothing" ? { priceCents: 0 } : {});
  const bump = await makeBump(product);
  await makeCoupon(seller, { code: "BOLSA", percent: 100 });
  const path = `/checkout/${product.id}${costs === "nothing" ? "" : "?cupom=bolsa"}`;
  const open = async () => (await app.fetch(path)).text();
  const order = (fields: Record<string, string> = {}) =>
    app.fetch(path, {
      method: "POST",
      body: new URLSearchParams({ ...typedBuyer(`bia-${randomUUID()}@exemplo.com.br`), ...fields }),
      headers: { Origin: app.url, "X-Forwarded-For": newAddress() },
    });
  return { seller, bump, path, open, order };
}

const disabled = /<button type="submit" class="btn btn-main buy[^>]*disabled=""/;

test.each(["nothing", "nothing with its coupon"] as const)(
  "with payments switched off a product that costs %s can be ordered from its page, and a paid bump is refused",
  async (costs) => {
    const shop = await unpaidShop(costs);
    await makeCheckoutSettings(shop.seller, { enable_pix: false });
    expect(await shop.open()).not.toMatch(disabled);
    const refused = await shop.order({ order_bumps: String(shop.bump.id) });
    expect([refused.status, await refused.text()]).toEqual([503, expect.stringContaining(NO_PAYMENTS)]);
    expect((await shop.order()).headers.get("location")).toMatch(/^\/thank-you\//);
  },
);

test("with payments switched off the page of what costs something has no button to press", async () => {
  const shop = await openShop();
  await makeCheckoutSettings(shop.seller, { enable_pix: false });
  expect(await (await app.fetch(`/checkout/${shop.product.id}`)).text()).toMatch(disabled);
});

test.each(["nothing", "nothing with its coupon"] as const)(
  "without a provider the page of a product that costs %s does not say that it cannot be ordered",
  async (costs) => {
    const shop = await unpaidShop(costs);
    expect(await shop.open()).not.toContain(CANNOT_PAY);
    const again = `${shop.path}${shop.path.includes("?") ? "&" : "?"}retry=1`;
    expect(await (await app.fetch(again)).text()).not.toContain(CANNOT_PAY);
    const refused = await shop.order({ order_bumps: String(shop.bump.id) });
    expect([refused.status, await refused.text()]).toEqual([503, expect.stringContaining(CANNOT_PAY)]);
    expect((await shop.order()).headers.get("location")).toMatch(/^\/thank-you\//);
  },
);
