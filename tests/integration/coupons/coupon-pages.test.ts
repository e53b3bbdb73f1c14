import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { setProductActive } from "#app/domain/catalog/set-product-active.server.ts";
import { openShop, typedBuyer } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { newAddress } from "#tests/support/clients/client-address.ts";
import { sql } from "#tests/support/database.ts";
import { makeCoupon } from "#tests/support/make.ts";

const app = await startApp({ web: 2, worker: 0 });

const typed = typedBuyer();
const plain = (html: string) => html.replace(/<!-- -->/g, "").replace(/\u00a0/g, " ");
const open = async (path: string, init?: RequestInit) => {
  const answer = await app.fetch(path, init);
  return { status: answer.status, headers: answer.headers, html: plain(await answer.text()) };
};
const send = (path: string, fields: Record<string, string>, headers = {}) =>
  open(path, { method: "POST", body: new URLSearchParams(fields), headers: { Origin: app.url, ...headers } });
const seenIn = (html: string) => html.match(/name="seen_prices"[^>]*value="([^"]*)"/)![1]!;

test("without a coupon in the shop the page has no field; with one it is closed until it is used", async () => {
  const { seller, product, bump } = await openShop();
  expect((await open(`/checkout/${product.id}`)).html).not.toContain("cupom");
  await makeCoupon(seller);
  await setProductActive(seller.id, product.id, true);
  const { html } = await open(`/checkout/${product.id}`);
  expect(html).toContain('<details class="coupon"><summary>Tem um cupom?');
  expect(seenIn(html)).toBe(`9700 ${bump.id}:1990`);
});

test("a link with a coupon shows its prices, is cached, and follows changes in every process", async () => {
  const { seller, product, bump } = await openShop();
  const coupon = await makeCoupon(seller, { percent: 20 });
  const path = `/checkout/${product.id}?cupom=menos10&utm_source=lista`;
  const { html, headers } = await open(path);
  expect(html).toContain("Cupom MENOS10 aplicado: − R$ 19,40");
  expect(html).toContain('<details class="coupon" open="">');
  expect(seenIn(html)).toBe(`7760 ${bump.id}:1990`);
  expect(headers.get("cache-control")).toContain("public");
  expect((await open(path, { headers: { "If-None-Match": headers.get("etag")! } })).status).toBe(304);
  expect(seenIn((await open(`/checkout/${product.id}`)).html)).toBe(`9700 ${bump.id}:1990`);
  for (const web of app.web) await (await fetch(`${web.url}${path}`)).text();
  await sql`update coupons set percent = 50 where id = ${coupon.id}`;
  await sql`select pg_notify('storefront', ${`seller:${seller.id}`})`;
  for (const web of app.web)
    expect(seenIn(await (await fetch(`${web.url}${path}`)).text())).toBe(`4850 ${bump.id}:1990`);
});

test("a coupon for everything states its percentage, and lowers the order bumps", async () => {
  const { seller, product, bump } = await openShop();
  await makeCoupon(seller, { percent: 50, includesBumps: true });
  const { html } = await open(`/checkout/${product.id}?cupom=menos10`);
  expect(html).toContain("Cupom MENOS10 aplicado: 50% de desconto em tudo");
  expect(seenIn(html)).toBe(`4850 ${bump.id}:995`);
});

test("a coupon that ends while its page is cached is not shown after its end", async () => {
  const { seller, product } = await openShop();
  await makeCoupon(seller, { endsAt: new Date(Date.now() + 1500) });
  await makeCoupon(seller, { code: "OUTRO" });
  const path = `/checkout/${product.id}?cupom=menos10`;
  expect((await open(path)).html).toContain("Cupom MENOS10 aplicado");
  await expect.poll(async () => (await open(path)).html).toContain("O cupom MENOS10 venceu em");
});

test("a link whose coupon is not valid says why, and shows the full price", async () => {
  const { seller, product, bump } = await openShop();
  await makeCoupon(seller, { code: "OUTRO" });
  const { html, headers } = await open(`/checkout/${product.id}?cupom=menos10`);
  expect(html).toContain(
    "O cupom MENOS10 não existe. Confira o código. Apague o código para comprar sem cupom.",
  );
  expect(seenIn(html)).toBe(`9700 ${bump.id}:1990`);
  expect(headers.get("cache-control")).toContain("no-store");
});

test("'Aplicar' keeps everything typed, orders nothing, and the order costs what was shown", async () => {
  const { seller, product, bump } = await openShop();
  await makeCoupon(seller, { percent: 50 });
  const path = `/checkout/${product.id}`;
  const fields = { ...typed, order_bumps: String(bump.id), coupon: "Menos10" };
  const applied = await send(path, { ...fields, intent: "coupon", customer_phone: "119" });
  expect(applied.status).toBe(200);
  for (const text of [typed.customer_name, typed.customer_document, "119"])
    expect(applied.html).toContain(`value="${text}"`);
  expect(applied.html).toContain("Cupom MENOS10 aplicado: − R$ 48,50");
  expect(applied.html).toMatch(/name="order_bumps"[^>]*checked=""/);
  expect(applied.html).toContain('data-total="">R$ 68,40');
  expect(await sql`select from sales where seller_id = ${seller.id}`).toHaveLength(0);
  const ordered = await send(path, { ...fields, seen_prices: seenIn(applied.html) });
  expect(ordered.status).toBe(303);
  const [sale] = await sql`select amount_cents from sales where seller_id = ${seller.id}`;
  expect(sale).toEqual({ amount_cents: 6840 });
});

test("a code that is wrong at 'Aplicar' is named beside its field", async () => {
  const { seller, product } = await openShop();
  await makeCoupon(seller);
  const { status, html } = await send(`/checkout/${product.id}`, {
    ...typed,
    coupon: "MENSO10",
    intent: "coupon",
  });
  expect(status).toBe(409);
  expect(html).toContain('id="coupon-erro">O cupom MENSO10 não existe.');
  expect(html).toContain('value="MENSO10"');
});

test("a coupon removed or ended after it was shown is not silently charged without: both totals are shown", async () => {
  const { seller, product } = await openShop();
  const coupon = await makeCoupon(seller);
  const path = `/checkout/${product.id}?cupom=MENOS10`;
  const seen = seenIn((await open(path)).html);
  const removed = await send(path, { ...typed, coupon: "", seen_prices: seen });
  expect(removed.status).toBe(409);
  expect(removed.html).toContain("agora o total é R$ 97,00 (antes, R$ 87,30)");
  await sql`update coupons set deactivated_at = now() where id = ${coupon.id}`;
  const ended = await send(path, { ...typed, coupon: "MENOS10", seen_prices: seen });
  expect(ended.status).toBe(409);
  expect(ended.html).toContain("O cupom MENOS10 não existe");
  expect(ended.html).toContain("agora o total é R$ 97,00 (antes, R$ 87,30)");
  expect(seenIn(ended.html)).toMatch(/^9700 /);
  expect(await sql`select from sales where seller_id = ${seller.id}`).toHaveLength(0);
});

test("of a linked and a typed coupon the better one counts, and the page says so", async () => {
  const { seller, product } = await openShop();
  await makeCoupon(seller, { percent: 20 });
  await makeCoupon(seller, { code: "CINCO", percent: null, amountCents: 500 });
  const path = `/checkout/${product.id}?cupom=MENOS10`;
  const { html } = await send(path, { ...typed, coupon: "cinco", intent: "coupon" });
  expect(html).toContain("Ficou o MENOS10, que dá mais desconto do que o CINCO");
  await send(path, { ...typed, coupon: "cinco" });
  const [sale] = await sql`select coupon_code, amount_cents from sales where seller_id = ${seller.id}`;
  expect(sale).toEqual({ coupon_code: "MENOS10", amount_cents: 7760 });
});

test("of two coupons that lower the product alike the one that lowers order bumps counts, and neither is called the better of two alike", async () => {
  const { seller, product } = await openShop();
  await makeCoupon(seller, { code: "TUDO10", includesBumps: true });
  for (const code of ["MENOS10", "DEZ"]) await makeCoupon(seller, { code });
  const noteOf = async (linked: string, coupon: string) => {
    const { html } = await send(`/checkout/${product.id}?cupom=${linked}`, {
      ...typed,
      coupon,
      intent: "coupon",
    });
    return /Só um cupom vale por pedido\. ([^<]*)/.exec(html)?.[1];
  };
  expect(await noteOf("TUDO10", "DEZ")).toBe("Ficou o TUDO10, que dá mais desconto do que o DEZ.");
  expect(await noteOf("MENOS10", "DEZ")).toBe("Ficou o DEZ.");
});

test("an order with a wrong code beside a link's coupon comes back with the link's, prices and all", async () => {
  const { seller, product, bump } = await openShop();
  await makeCoupon(seller, { percent: 20 });
  const path = `/checkout/${product.id}?cupom=MENOS10`;
  const seen = seenIn((await open(path)).html);
  const { status, html } = await send(path, { ...typed, coupon: "MENSO10", seen_prices: seen });
  expect(status).toBe(409);
  expect(html).toContain("O cupom MENSO10 não existe. Confira o código. Continua valendo o MENOS10.");
  expect(html).toMatch(/name="coupon"[^>]*value="MENOS10"/);
  expect(seenIn(html)).toBe(`7760 ${bump.id}:1990`);
  expect(html).not.toContain("O preço mudou");
});

test("an order that is refused for another reason keeps the prices of its coupon", async () => {
  const { seller, product } = await openShop();
  await makeCoupon(seller, { percent: 20 });
  const path = `/checkout/${product.id}`;
  const headers = { "X-Forwarded-For": newAddress() };
  const order = { ...typed, coupon: "menos10" };
  const answers = [];
  for (let n = 0; n < 31; n++)
    answers.push(await send(path, { ...order, customer_email: `bia${n}@exemplo.com.br` }, headers));
  const { status, html } = answers.at(-1)!;
  expect(status).toBe(429);
  expect(seenIn(html)).toMatch(/^7760 /);
});

test("a client that guesses codes is stopped, even at a valid one; others are not", async () => {
  const { seller, product } = await openShop();
  await makeCoupon(seller);
  const path = `/checkout/${product.id}`;
  const headers = { "X-Forwarded-For": newAddress() };
  const codes = Array.from({ length: 30 }, (_, at) => `CHUTE${at}`);
  for (const code of codes) await send(path, { ...typed, coupon: code, intent: "coupon" }, headers);
  const apply = { ...typed, coupon: "MENOS10", intent: "coupon" };
  expect((await send(path, apply, headers)).status).toBe(429);
  expect((await send(path, { ...typed, coupon: "MENOS10" }, headers)).status).toBe(429);
  expect((await send(path, apply)).status).toBe(200);
  // Without a code the client buys as before.
  expect((await send(path, { ...typed, coupon: "" }, headers)).status).toBe(303);
});

test("a page with a coupon stays within its budget", async () => {
  const { seller, product } = await openShop();
  await makeCoupon(seller);
  const { html } = await open(`/checkout/${product.id}?cupom=MENOS10`);
  expect(gzipSync(html).length).toBeLessThan(14_000);
});
