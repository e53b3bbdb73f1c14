import { expect, test } from "vitest";
import { openShop } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeCardGateway, makeCoupon, makeOffer, makeSeller, signedIn } from "#tests/support/make.ts";
import { makeCheckoutSettings } from "#tests/support/rows/make-storefront.ts";

const app = await startApp({ worker: 0 });

async function openLinks() {
  const shop = await openShop();
  const headers = await signedIn(shop.seller);
  const open = (query: string, page = "links") => {
    const path = `/products/${shop.product.id}/${page}?${query}`;
    return app.fetch(path, { headers });
  };
  const show = async (query: string) => {
    const html = (await (await open(query)).text()).replace(/<!-- -->/g, "").replace(/\u00a0/g, " ");
    const link = /href="([^"]+)"[^>]*class="link wrap-anywhere/.exec(html)?.[1]?.replaceAll("&amp;", "&");
    return { html, link };
  };
  return { ...shop, open, show };
}

test("a link carries what was chosen, and opens the checkout with it", async () => {
  const { seller, product, bump, show } = await openLinks();
  await makeCoupon(seller, { percent: 20 });
  const { html, link } = await show(
    `address=number&coupon=menos10&bump=${bump.id}&utm_source=lista+de+espera&sck=a%26b`,
  );
  expect(link).toBe(
    `${app.url}/checkout/${product.id}?cupom=MENOS10&bump=${bump.id}&utm_source=lista+de+espera&sck=a%26b`,
  );
  expect(html).toContain("R$ 97,50, no lugar de R$ 116,90");
  const checkout = await (await fetch(link!)).text();
  expect(checkout).toContain("Cupom MENOS10 aplicado");
  expect(checkout).toMatch(/name="order_bumps"[^>]*checked=""/);
});

test("the total is what the link's page asks for, by PIX and by card", async () => {
  const { seller, bump, show } = await openLinks();
  await makeCardGateway(seller);
  await makeCheckoutSettings(seller, { pix_discount_percent: 10 });
  await makeCoupon(seller, { percent: 20 });
  for (const [query, total] of [
    ["", "R$ 87,30 no PIX, R$ 97,00 no cartão"],
    [`coupon=MENOS10&bump=${bump.id}`, "R$ 87,75 no PIX, R$ 97,50 no cartão, no lugar de R$ 116,90"],
  ] as const) {
    const { html, link } = await show(query);
    expect(html).toContain(`>${total}</strong>`);
    const page = (await (await fetch(link!)).text()).replace(/\u00a0/g, " ");
    const pix = /class="sum" data-total="">([^<]+)</.exec(page)?.[1];
    const card = /data-card-total="">([^<]+)</.exec(page)?.[1];
    expect(total).toContain(`${pix} no PIX, ${card} no cartão`);
  }
});

test("the address by name is the usual one, that by number can be chosen", async () => {
  const { product, show } = await openLinks();
  const slug = `nome-${product.id}`;
  await sql`update products set checkout_slug = ${slug} where id = ${product.id}`;
  expect((await show("")).link).toBe(`${app.url}/checkout/s/${slug}`);
  expect((await show("address=number")).link).toBe(`${app.url}/checkout/${product.id}`);
});

test("a paused coupon is called so among more of them than the list offers", async () => {
  const { seller, show } = await openLinks();
  await sql`insert into coupons (seller_id, code, percent)
    select ${seller.id}, 'A' || lpad(n::text, 4, '0'), 10 from generate_series(1, 300) n`;
  await makeCoupon(seller, { code: "ZERADO", deactivatedAt: new Date() });
  expect((await show("coupon=zerado")).html).toContain("O cupom ZERADO está pausado.");
});

test("what a link does not do is said: a coupon that is not valid, a product that is not on sale", async () => {
  const { seller, product, show } = await openLinks();
  const past = new Date("2020-01-01T15:00:00Z");
  await makeCoupon(seller, { code: "PASSADO", endsAt: past });
  await makeCoupon(seller, { code: "PAUSADO", deactivatedAt: past });
  await makeCoupon(seller, { code: "DEOUTRO", productIds: [product.id + 1] });
  await makeCoupon(await makeSeller(), { code: "ALHEIO" });
  for (const [code, message] of [
    ["PASSADO", "O cupom PASSADO venceu em"],
    ["PAUSADO", "O cupom PAUSADO está pausado."],
    ["DEOUTRO", "O cupom DEOUTRO não vale para este produto."],
    ["ALHEIO", "O cupom ALHEIO não existe."],
  ] as const) {
    const { html } = await show(`coupon=${code}`);
    expect(html).toContain(message);
    expect(html).toContain("quem abre o link é avisado e vê o preço sem desconto");
    expect(html).toContain(">R$ 97,00</strong>");
  }
  await sql`update products set deactivated_at = now() where id = ${product.id}`;
  expect((await show("")).html).toContain("o link só abre depois que você o ativar");
});

test("the QR code is on the screen, and a file of either format", async () => {
  const { open, show } = await openLinks();
  const { html } = await show("utm_source=cartaz");
  expect(html).toMatch(/aria-label="QR code do link"[^>]*><svg/);
  expect(html).toMatch(/href="\/products\/\d+\/qrcode\?format=png&amp;utm_source=cartaz&amp;shown=/);
  const png = await open("format=png&utm_source=cartaz", "qrcode");
  expect(png.headers.get("content-type")).toBe("image/png");
  expect(png.headers.get("content-disposition")).toMatch(/^attachment; filename="qrcode-[^"]+\.png"/);
  expect(
    Buffer.from(await png.arrayBuffer())
      .subarray(1, 4)
      .toString(),
  ).toBe("PNG");
  const svg = await open("format=svg&utm_source=cartaz", "qrcode");
  expect(svg.headers.get("content-type")).toBe("image/svg+xml");
  expect(await svg.text()).toMatch(/^<svg .*<\/svg>\s*$/s);
});

test("a QR code that is saved after its offer was deleted is none of another price", async () => {
  const { product, open, show } = await openLinks();
  const offer = await makeOffer(product, { slug: `cartaz-${product.id}` });
  const { html } = await show(`address=${offer.id}`);
  const file = /qrcode\?(format=svg[^"]+)"/.exec(html)![1]!.replaceAll("&amp;", "&");
  expect((await open(file, "qrcode")).status).toBe(200);
  await sql`update offers set archived_at = now(), slug = null where id = ${offer.id}`;
  expect((await open(file, "qrcode")).status).toBe(404);
});

test("a link too long for a QR code has none, and one too long to be passed on is not built", async () => {
  const { open, show } = await openLinks();
  const all = (text: string) =>
    ["utm_source", "utm_medium", "utm_campaign", "utm_content", "utm_term", "src", "sck"]
      .map((name) => `${name}=${encodeURIComponent(text)}`)
      .join("&");
  const long = await show(all("a".repeat(100)));
  expect(long.link).toBeDefined();
  expect(long.html).toContain("longo demais para um QR code");
  expect((await open(`format=svg&${all("a".repeat(100))}`, "qrcode")).status).toBe(404);
  const longer = await show(all("ã".repeat(100)));
  expect(longer.link).toBeUndefined();
  expect(longer.html).toContain("O link ficou longo demais.");
});
