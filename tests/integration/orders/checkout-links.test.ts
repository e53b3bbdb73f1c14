import { expect, test } from "vitest";
import { openBuyer, sealBuyer } from "#app/domain/checkout/link/buyer-token.server.ts";
import { createApiKey } from "#app/domain/identity/access/api-keys.server.ts";
import { DAY } from "#app/kit/duration.ts";
import { seal } from "#app/platform/secrets.server.ts";
import { openShop } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeCoupon, makeOffer, makeProduct, makeSeller } from "#tests/support/make.ts";

const app = await startApp({ worker: 0 });

const BUYER = {
  customer_name: "Ana Lima",
  customer_email: "Ana@Exemplo.com.br",
  customer_phone: "11987654321",
  customer_document: "529.982.247-25",
};
const SHOWN = ["Ana Lima", "ana@exemplo.com.br", "(11) 98765-4321", "52998224725"];
const LATE = "Este link já não preenche os seus dados. Preencha o formulário para continuar.";

async function openApi() {
  const shop = await openShop();
  const key = await createApiKey(shop.seller.id, { name: "CRM", scopes: ["sales"] });
  const create = async (body: object) => {
    const answer = await app.fetch("/api/checkout/links", {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: JSON.stringify({ product_id: shop.product.id, ...body }),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, string> };
  };
  return { ...shop, create };
}

/** Opens an address as a browser does, with the cookies that it is given on the way. */
async function browse(url: string) {
  const first = await fetch(url, { redirect: "manual" });
  const to = first.headers.get("location");
  if (!to) return { first, last: first, to: url, cookie: "", html: await first.text() };
  const cookie = first.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  const last = await fetch(new URL(to, url), { headers: { Cookie: cookie } });
  return { first, last, to, cookie, html: await last.text() };
}

test("a link fills in the form with its buyer's data, and no address contains them", async () => {
  const { seller, product, bump, create } = await openApi();
  await makeCoupon(seller, { percent: 20 });
  const sent = { ...BUYER, coupon: "menos10", order_bumps: [bump.id], utm_source: "crm" };
  const { status, body } = await create(sent);
  expect(status).toBe(201);
  expect(Date.parse(body.expires_at!)).toBeGreaterThan(Date.now() + 6.9 * DAY);
  const url = new URL(body.url!);
  expect(url.pathname).toBe(`/checkout/${product.checkoutSlug ? `s/${product.checkoutSlug}` : product.id}`);
  expect([...url.searchParams.keys()]).toEqual(["p", "cupom", "bump", "utm_source"]);
  for (const text of [...SHOWN, ...SHOWN.map(encodeURIComponent), "98765", "52998224725"])
    expect(body.url).not.toContain(text);
  const { first, last, to, cookie, html } = await browse(body.url!);
  expect(first.status).toBe(302);
  expect(first.headers.get("cache-control")).toBe("private, no-store");
  expect(to).toBe(`${url.pathname}?cupom=MENOS10&bump=${bump.id}&utm_source=crm&retry=1`);
  expect(last.headers.get("cache-control")).toBe("private, no-store");
  for (const value of SHOWN) expect(html).toContain(`value="${value}"`);
  expect(html).toContain("Cupom MENOS10 aplicado");
  expect(html).toMatch(/name="order_bumps"[^>]*checked=""/);
  expect(html).not.toContain(LATE);
  const order = new URLSearchParams({
    ...{ customer_name: SHOWN[0]!, customer_email: SHOWN[1]!, customer_email_confirmation: SHOWN[1]! },
    ...{ customer_phone: SHOWN[2]!, customer_document: SHOWN[3]!, order_bumps: String(bump.id) },
  });
  const headers = { Cookie: cookie, Origin: app.url };
  const ordered = await app.fetch(to, { method: "POST", body: order, headers });
  expect(ordered.status).toBe(303);
  const [sale] =
    await sql`select utm_source, coupon_code, amount_cents from sales where seller_id = ${seller.id}`;
  expect(sale).toEqual({ utm_source: "crm", coupon_code: "MENOS10", amount_cents: 9750 });
  // It can be opened again, also by a browser that keeps no cookies: then without the data.
  expect((await browse(body.url!)).html).toContain(`value="${SHOWN[1]}"`);
  expect(await (await fetch(body.url!)).text()).not.toContain(SHOWN[1]);
});

test("a link to an offer opens at its price, with the units and the coupon that it carries", async () => {
  const { seller, product, bump, create } = await openApi();
  const offer = await makeOffer(product, { priceCents: 3000, maxQuantity: 4, bumpIds: [] });
  await makeCoupon(seller, { percent: 10, offerIds: [offer.id], minimumCents: 9000 });
  const sent = { ...BUYER, offer_id: offer.id, quantity: 3, coupon: "menos10" };
  const { status, body } = await create(sent);
  expect([status, new URL(body.url!).pathname]).toEqual([201, `/checkout/s/${offer.slug}`]);
  const { html, to } = await browse(body.url!);
  expect(to).toBe(`/checkout/s/${offer.slug}?cupom=MENOS10&qtd=3&retry=1`);
  expect(html).toContain(`value="${SHOWN[1]}"`);
  expect(html).toMatch(/name="quantity"[^>]*value="3"/);
  expect(html).toContain("Cupom MENOS10 aplicado");
  const stranger = await makeOffer(await makeProduct(await makeSeller()));
  const tier = await makeOffer(product, { kind: "tier", slug: null });
  const over = await makeOffer(product, { endsAt: new Date("2020-01-01T15:00:00Z") });
  const early = await makeOffer(product, { startsAt: new Date("2099-01-01T15:00:00Z") });
  for (const [change, refused, field] of [
    [{ offer_id: stranger.id }, 404, undefined],
    [{ offer_id: tier.id }, 400, "offer_id"],
    [{ offer_id: "1" }, 400, "offer_id"],
    [{ offer_id: over.id, quantity: null, coupon: "" }, 409, "offer_id"],
    [{ quantity: 5 }, 400, "quantity"],
    [{ quantity: 0 }, 400, "quantity"],
    [{ quantity: 2 }, 409, "coupon"],
    [{ offer_id: null }, 400, "quantity"],
    [{ order_bumps: [bump.id] }, 400, "order_bumps"],
  ] as const) {
    const answer = await create({ ...sent, ...change });
    expect([answer.status, answer.body.field], JSON.stringify(change)).toEqual([refused, field]);
  }
  expect((await create({ ...BUYER, offer_id: early.id })).status).toBe(201);
});

test("a link's data replace all that this browser typed before: it may be another person's", async () => {
  const { create } = await openApi();
  const both = await create(BUYER);
  const { cookie } = await browse(both.body.url!);
  const { body } = await create({ customer_name: "Beto" });
  const moved = await fetch(body.url!, { redirect: "manual", headers: { Cookie: cookie } });
  const next = moved.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  const html = await (
    await fetch(new URL(moved.headers.get("location")!, body.url!), { headers: { Cookie: next } })
  ).text();
  expect(html).toContain('value="Beto"');
  for (const value of SHOWN) expect(html).not.toContain(`value="${value}"`);
});

test("an expired, changed or foreign token opens the ordinary page, cached, with one sentence", async () => {
  const { seller, product, create } = await openApi();
  await makeCoupon(seller, { percent: 20 });
  const other = await makeProduct(seller);
  const buyer = { name: "Ana Lima", email: "ana@exemplo.com.br", phone: "", document: "52998224725" };
  const soon = new Date(Date.now() + DAY);
  const valid = sealBuyer(product, buyer, soon);
  const changed = `${valid.slice(0, 40)}${valid[40] === "A" ? "B" : "A"}${valid.slice(41)}`;
  const tokens = {
    expired: sealBuyer(product, buyer, new Date(Date.now() - 1)),
    changed,
    "another product's": sealBuyer(other, buyer, soon),
    "another seller's": sealBuyer({ ...product, sellerId: crypto.randomUUID() }, buyer, soon),
    "sealed for another purpose": seal(JSON.stringify({ productId: product.id, buyer })),
    empty: "",
    endless: "v1.".repeat(1000),
  };
  for (const [kind, token] of Object.entries(tokens)) {
    const query = new URLSearchParams({ p: token });
    const { last, html, to } = await browse(`${app.url}/checkout/${product.id}?${query}`);
    expect(to, kind).toContain("p=");
    expect(last.status, kind).toBe(200);
    expect(last.headers.get("cache-control"), kind).toContain("public");
    expect(html, kind).toContain(LATE);
    expect(html, kind).not.toContain("Ana Lima");
    expect(html, kind).not.toContain("52998224725");
  }
  const plain = await (await app.fetch(`/checkout/${product.id}`)).text();
  expect(plain).not.toContain(LATE);
  // Its coupon still counts.
  const { html, last } = await browse(`${app.url}/checkout/${product.id}?p=${changed}&cupom=MENOS10`);
  expect(html).toContain(LATE);
  expect(html).toContain("Cupom MENOS10 aplicado");
  expect(last.headers.get("cache-control")).toContain("public");
  expect(await (await app.fetch(`/checkout/${product.id}?cupom=MENOS10`)).text()).not.toContain(LATE);
  const { body } = await create({ utm_source: "crm" });
  expect(body).toEqual({ url: expect.stringMatching(/\?utm_source=crm$/), expires_at: null });
});

test("what a form would refuse, and what no link can do, is refused with its field", async () => {
  const { seller, bump, create } = await openApi();
  const at = (days: number) => new Date(Date.now() + days * DAY).toISOString();
  await makeCoupon(seller, { code: "PASSADO", endsAt: new Date("2020-01-01T15:00:00Z") });
  await makeCoupon(seller, { code: "FUTURO", startsAt: new Date("2099-01-01T15:00:00Z") });
  for (const [sent, status, field] of [
    [{ customer_email: "ana@" }, 400, "customer_email"],
    [{ customer_phone: "119" }, 400, "customer_phone"],
    [{ customer_document: "52998224724" }, 400, "customer_document"],
    [{ customer_name: "a".repeat(81) }, 400, "customer_name"],
    [{ order_bumps: [bump.id + 1000] }, 400, "order_bumps"],
    [{ coupon: "NENHUM" }, 409, "coupon"],
    [{ coupon: "PASSADO" }, 409, "coupon"],
    [{ ...BUYER, expires_at: at(-1) }, 400, "expires_at"],
    [{ ...BUYER, expires_at: at(31) }, 400, "expires_at"],
    [{ ...BUYER, expires_at: "amanhã" }, 400, "expires_at"],
    [{ expires_at: at(1) }, 400, "expires_at"],
    [{ product_id: undefined }, 400, "product_id"],
  ] as const) {
    const answer = await create(sent);
    expect([answer.status, answer.body.field], JSON.stringify(sent)).toEqual([status, field]);
  }
  await makeCoupon(seller, { code: "PAUSADO", deactivatedAt: new Date() });
  const paused = await create({ coupon: "PAUSADO" });
  expect([paused.status, paused.body]).toEqual([
    409,
    expect.objectContaining({ error: "O cupom PAUSADO está pausado.", code: "coupon-unknown" }),
  ]);
  expect((await create({ coupon: "FUTURO" })).status).toBe(201);
  const { body } = await create({ ...BUYER, expires_at: at(29) });
  expect(Date.parse(body.expires_at!)).toBeGreaterThan(Date.now() + 28 * DAY);
});

test("a link to an inactive product comes with a warning, and opens once the product is active", async () => {
  const { product, create } = await openApi();
  await sql`update products set deactivated_at = now() where id = ${product.id}`;
  const { status, body } = await create({ utm_source: "crm" });
  expect([status, body.warning]).toEqual([201, expect.stringContaining("inativo")]);
  expect((await browse(body.url!)).last.status).toBe(404);
  await sql`update products set deactivated_at = null where id = ${product.id}`;
  expect((await browse(body.url!)).last.status).toBe(200);
  expect((await create({ utm_source: "crm" })).body).toEqual({ url: body.url, expires_at: null });
});

test("the longest data make a token that opens", async () => {
  const buyer = {
    name: "😀".repeat(80),
    email: `${"a".repeat(64)}@${"b".repeat(180)}.com.br`,
    phone: "+5511987654321",
    document: "52998224725",
  };
  const product = { id: 999_999_999_999, sellerId: crypto.randomUUID() };
  const opened = openBuyer(sealBuyer(product, buyer, new Date(Date.now() + DAY)));
  expect(opened?.buyer).toEqual(buyer);
  expect(opened?.isOf(product)).toBe(true);
});
