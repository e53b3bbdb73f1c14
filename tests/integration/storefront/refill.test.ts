import { beforeAll, expect, test, vi } from "vitest";
import { paths } from "#app/kit/paths.ts";
import { unseal } from "#app/platform/secrets.server.ts";
import { recallOrder, rememberOrder } from "#app/server/session/order-cookie.server.ts";
import { type App, startApp } from "#tests/support/app.ts";
import { visitor } from "#tests/support/clients/visitor.ts";
import { sql } from "#tests/support/database.ts";
import {
  makeBump,
  makeCoupon,
  makeGateway,
  makeProduct,
  makeSeller,
  makeUpsell,
} from "#tests/support/make.ts";
import { makeCheckoutSettings } from "#tests/support/rows/make-storefront.ts";

let app: App;
let product: Awaited<ReturnType<typeof makeProduct>>;
let other: typeof product;
let bump: Awaited<ReturnType<typeof makeBump>>;

beforeAll(async () => {
  const seller = await makeSeller();
  await makeGateway(seller);
  await makeCheckoutSettings(seller, { urgency_timer_enabled: true });
  product = await makeProduct(seller, { checkoutSlug: "violao" });
  bump = await makeBump(product);
  other = await makeProduct(seller, { checkoutSlug: "piano" });
  app = await startApp({ worker: 0 });
});

const TYPED = {
  customer_name: 'Ana "Lima" <b>',
  customer_email: "Ana@exemplo.com.br",
  customer_email_confirmation: "Ana@exemplo.com.br",
  customer_phone: "(11) 98765-4321",
  customer_document: "529.982.247-25",
};

/** A buyer who ordered with one bump and sees the PIX screen of an expired code. */
async function orderer() {
  const buyer = visitor(app.url);
  const answer = await buyer.post("/checkout/s/violao?utm_source=ig", {
    ...TYPED,
    order_bumps: String(bump.id),
  });
  expect(answer.status).toBe(303);
  const pix = answer.headers.get("location")!;
  await sql`update charges set expires_at = now() - interval '1 second' where sale_id = ${pix.split("/").at(-1)!}`;
  const back = /href="([^"]*)">Voltar ao formulário/.exec(await (await buyer.get(pix)).text())![1]!;
  return { buyer, answer, back: back.replaceAll("&amp;", "&") };
}

/** The sealed text that a cookie carries. */
function opened(cookie: string): string {
  const value = JSON.parse(Buffer.from(decodeURIComponent(cookie.split(/[=;]/)[1]!), "base64").toString());
  expect(value).toEqual(expect.any(String));
  return value;
}

/** The same cookie with one bit of the encrypted text changed: another phone number, if it were not authenticated. */
function tampered(cookie: string): string {
  const sealed = opened(cookie);
  const [version, nonce, body] = sealed.split(".");
  const bytes = Buffer.from(body!, "base64url");
  bytes[unseal(sealed).indexOf("98765-4321")]! ^= 1;
  return closed([version, nonce, bytes.toString("base64url")].join("."));
}

function closed(sealed: string): string {
  return `pedido=${encodeURIComponent(Buffer.from(JSON.stringify(sealed)).toString("base64"))}`;
}

test("a buyer who returns from the PIX screen without a script finds the form as they left it", async () => {
  const { buyer, answer, back } = await orderer();
  const line = answer.headers.getSetCookie().find((one) => one.startsWith("pedido="))!;
  expect(line).toMatch(/; Path=\/; .*HttpOnly; SameSite=Lax/);
  expect(line).not.toMatch(/max-age|expires/i);
  // Nothing that base64url holds by chance.
  expect(opened(line)).not.toMatch(/@exemplo|529\.982\.|"Lima/);
  expect(back).toBe("/checkout/s/violao?utm_source=ig&retry=1");
  const page = await buyer.get(back);
  expect(page.headers.get("cache-control")).toBe("private, no-store");
  expect(page.headers.get("etag")).toBeNull();
  const html = await page.text();
  expect(html).toContain('value="Ana &quot;Lima&quot; &lt;b&gt;"');
  for (const field of ["customer_email", "customer_phone", "customer_document"] as const)
    expect(html).toContain(`value="${TYPED[field]}"`);
  expect(html).toMatch(new RegExp(`<input[^>]*name="order_bumps"[^>]*checked=""[^>]*value="${bump.id}"`));
  expect(html.replace(/\s/g, " ")).toContain("116,90");
});

test("after a correction of the e-mail the form has the new one, and sent again it is the sale that was corrected", async () => {
  const { buyer, answer, back } = await orderer();
  const saleId = answer.headers.get("location")!.split("/").at(-1)!;
  const email = "ana-lima@exemplo.com.br";
  expect((await buyer.post(paths.correctEmail(saleId), { email })).status).toBe(200);
  const html = await (await buyer.get(back)).text();
  expect(html).toContain(`value="${email}"`);
  expect(html).not.toContain(TYPED.customer_email);
  const ticked = { order_bumps: String(bump.id) };
  const send = async (fields: Partial<typeof TYPED>, bumps: Partial<typeof ticked> = ticked) => {
    const { headers } = await buyer.post("/checkout/s/violao", { ...TYPED, ...fields, ...bumps });
    return headers.get("location")!.split("/").at(-1);
  };
  const corrected = { customer_email: email, customer_email_confirmation: email };
  expect(await send(corrected)).toBe(saleId);
  expect(await send({}), "as it was typed first").toBe(saleId);
  const others = [
    await send({ ...corrected, customer_document: "111.444.777-35" }),
    await send(corrected, {}),
  ];
  expect(new Set([saleId, ...others]).size).toBe(3);
});

test("an order bump of the link that the buyer unticked stays so when they return, also after a link with their CPF", async () => {
  const ticked = new RegExp(`<input[^>]*name="order_bumps"[^>]*checked=""[^>]*value="${bump.id}"`);
  const link = `/checkout/s/violao?bump=${bump.id}`;
  const buyer = visitor(app.url);
  expect(await (await buyer.get(link)).text()).toMatch(ticked);
  expect((await buyer.post(link, TYPED)).status).toBe(303);
  expect(await (await buyer.get(`${link}&retry=1`)).text()).not.toMatch(ticked);
  expect(await (await visitor(app.url).get(`${link}&retry=1`)).text()).toMatch(ticked);
  const moved = visitor(app.url);
  const { answer } = await moved.follow(await moved.get(`${link}&cpf=52998224725`));
  expect(await answer.text()).toMatch(ticked);
});

test("a link with another person's CPF fills in nothing that was typed before in this browser", async () => {
  const { buyer } = await orderer();
  const link = "/checkout/s/violao?nome=Bia+Souza&email=bia@exemplo.com.br&cpf=11144477735";
  const html = await (await buyer.get((await buyer.get(link)).headers.get("location")!)).text();
  for (const value of ["Bia Souza", "bia@exemplo.com.br", "11144477735"])
    expect(html).toContain(`value="${value}"`);
  expect(html).not.toContain("Ana");
  for (const value of [TYPED.customer_phone, TYPED.customer_document])
    expect(html).not.toContain(`value="${value}"`);
  expect(html).not.toMatch(/<input[^>]*name="order_bumps"[^>]*checked=""/);
});

test("a link with a CPF and a coupon brings its coupon to a buyer who has ordered without one", async () => {
  const seller = await makeSeller();
  await makeGateway(seller);
  await makeCoupon(seller, { code: "VOLTE10", percent: 10 });
  const { id } = await makeProduct(seller, { checkoutSlug: "flauta" });
  const buyer = visitor(app.url);
  expect((await buyer.post(`/checkout/${id}`, { ...TYPED, coupon: "" })).status).toBe(303);
  const lead = await buyer.get(`/checkout/${id}?cpf=52998224725&cupom=VOLTE10`);
  const page = await (await buyer.get(lead.headers.get("location")!)).text();
  expect(page.replace(/<style>.*?<\/style>/gs, "")).toContain("Cupom VOLTE10 aplicado");
});

test("the shared page stays the same for everyone, with the cookie and after the return", async () => {
  const { buyer, back } = await orderer();
  await buyer.get(back);
  const [mine, theirs] = [await buyer.get("/checkout/s/violao"), await app.fetch("/checkout/s/violao")];
  expect(mine.headers.get("etag")).toBe(theirs.headers.get("etag"));
  expect(mine.headers.get("cache-control")).toContain("public");
  const html = await mine.text();
  expect(html).toBe(await theirs.text());
  expect(html).not.toContain("Ana");
});

test("the return without a cookie, to another product, or with a changed one is an empty page that is not cached", async () => {
  const { buyer } = await orderer();
  const [cookie] = buyer.cookies().filter((pair) => pair.startsWith("pedido="));
  const attempts: [string, Record<string, string>][] = [
    ["/checkout/s/violao?retry=1", {}],
    ["/checkout/s/piano?retry=1", { Cookie: cookie! }],
    ["/checkout/s/violao?retry=1", { Cookie: "pedido=InYxLmEuYiI%3D" }],
    ["/checkout/s/violao?retry=1", { Cookie: tampered(cookie!) }],
  ];
  const untouched = await app.fetch("/checkout/s/violao?retry=1", {
    headers: { Cookie: closed(opened(cookie!)) },
  });
  expect(await untouched.text(), "sealed and encoded as it was").toContain("Ana");
  for (const [path, headers] of attempts) {
    const page = await app.fetch(path, { headers });
    expect([page.status, page.headers.get("cache-control")]).toEqual([200, "private, no-store"]);
    expect(await page.text()).not.toContain("Ana");
  }
});

test("typed values are dropped after an hour, and too large ones are not stored at all", async () => {
  const typed = { ...TYPED, order_bumps: [] };
  const [pair] = (await rememberOrder(product.id, typed))["Set-Cookie"]!.split(";");
  const request = new Request(app.url, { headers: { Cookie: pair! } });
  expect(await recallOrder(request, product.id)).toEqual(typed);
  expect(await recallOrder(request, other.id)).toBeNull();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_601_000 });
  try {
    expect(await recallOrder(request, product.id)).toBeNull();
  } finally {
    vi.useRealTimers();
  }
  const long = { ...typed, order_bumps: Array.from({ length: 100 }, () => "1".repeat(20)) };
  expect(await rememberOrder(product.id, long)).toEqual({});
});

test("a refused order that has become dearer meanwhile reports both", async () => {
  const seen = `${product.priceCents - 100} ${bump.id}:${bump.priceCents}`;
  const buyer = visitor(app.url);
  const dearer = /O preço mudou: agora o total é R\$\s97,00 \(antes, R\$\s96,00\)\. Nada foi cobrado\./;
  const late = await buyer.post("/checkout/s/violao", {
    ...TYPED,
    seen_prices: seen,
    offer_expires_at: String(Date.now() - 60_000),
  });
  const lateText = await late.text();
  expect(late.status).toBe(400);
  expect(lateText).toContain("Esta oferta expirou! Recarregue a página para uma nova oportunidade.");
  expect(lateText).toMatch(dearer);
  const gone = await buyer.post("/checkout/s/violao", {
    ...TYPED,
    seen_prices: `${seen} 999999:0`,
    order_bumps: "999999",
  });
  const goneText = await gone.text();
  expect(gone.status).toBe(409);
  expect(goneText).toContain("Uma das ofertas escolhidas não está mais disponível.");
  expect(goneText).toMatch(dearer);
  const only = await buyer.post("/checkout/s/violao", { ...TYPED, seen_prices: seen });
  expect((await only.text()).match(/O preço mudou/g)).toHaveLength(1);
});

test("a paid buyer's values are dropped, with an upsell on the page or without; an unpaid one's are not", async () => {
  const { buyer, answer } = await orderer();
  const saleId = answer.headers.get("location")!.split("/").at(-1)!;
  const thankYou = `/thank-you/${saleId}`;
  expect((await buyer.get(thankYou)).headers.getSetCookie()).toEqual([]);
  await sql`update sales set status = 'completed', completed_at = now() where id = ${saleId}`;
  const upsell = await makeUpsell(product);
  for (const view of [upsell.name, "Obrigado pela sua compra!"]) {
    const page = await buyer.get(thankYou);
    expect(await page.text()).toContain(view);
    const lines = page.headers.getSetCookie();
    expect(lines).toEqual([expect.stringMatching(/^pedido=; Max-Age=0; Path=\/;/)]);
    await sql`update upsells set deactivated_at = now() where id = ${upsell.id}`;
  }
  // What stays lists the sales placed here, and nothing that was typed.
  expect(buyer.cookies()).toEqual([expect.stringMatching(/^compras-/)]);
});

test("the page of a paid purchase drops nothing that was typed for another product since", async () => {
  const { buyer, answer } = await orderer();
  const saleId = answer.headers.get("location")!.split("/").at(-1)!;
  await sql`update sales set status = 'completed', completed_at = now() where id = ${saleId}`;
  await buyer.post("/checkout/s/piano", TYPED);
  expect((await buyer.get(`/thank-you/${saleId}`)).status).toBe(200);
  const back = await (await buyer.get("/checkout/s/piano?retry=1")).text();
  expect(back).toContain(`value="${TYPED.customer_phone}"`);
});

test("a link fills in the buyer's fields and order bumps, by English and Portuguese names", async () => {
  const page = await visitor(app.url).get(`/checkout/s/violao?nome=Ana+Lima&tel=11987654321&bump=${bump.id}`);
  const html = await page.text();
  expect(page.headers.get("cache-control")).toBe("private, no-store");
  for (const value of ["Ana Lima", "11987654321"]) expect(html).toContain(`value="${value}"`);
  expect(html).toMatch(new RegExp(`value="${bump.id}"[^>]*checked=""|checked=""[^>]*value="${bump.id}"`));
});

test.each(["document", "cpf"])(
  "a CPF in a link (%s) leaves the address at once and fills the form",
  async (name) => {
    const buyer = visitor(app.url);
    const led = await buyer.get(`/checkout/s/violao?utm_source=crm&name=Ana&${name}=529.982.247-25`);
    expect(led.status).toBe(302);
    expect(led.headers.get("cache-control")).toBe("private, no-store");
    const to = led.headers.get("location")!;
    expect(to).toBe("/checkout/s/violao?utm_source=crm&name=Ana&retry=1");
    const html = await (await buyer.get(to)).text();
    for (const value of ["Ana", "529.982.247-25"]) expect(html).toContain(`value="${value}"`);
  },
);
