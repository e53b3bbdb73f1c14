import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { HOUR, MINUTE } from "#app/kit/duration.ts";
import { openShop, typedBuyer } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeCoupon, makeOffer } from "#tests/support/make.ts";
import { makeCheckoutSettings } from "#tests/support/rows/make-storefront.ts";

const app = await startApp({ web: 2, worker: 0 });

const typed = typedBuyer();
const plain = (html: string) => html.replace(/<!-- -->/g, "").replace(/\u00a0/g, " ");
const open = async (path: string, init?: RequestInit) => {
  const answer = await app.fetch(path, init);
  return { status: answer.status, headers: answer.headers, html: plain(await answer.text()) };
};
const send = (path: string, fields: Record<string, string>) =>
  open(path, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({ ...typed, ...fields }),
    headers: { Origin: app.url },
  });
/** Orders, and opens the checkout again. */
const comeBack = async (path: string, fields: Record<string, string>) => {
  const { headers } = await send(path, fields);
  const cookies = headers.getSetCookie().map((cookie) => cookie.split(";")[0]);
  return open(`${path}?retry=1`, { headers: { Cookie: cookies.join("; ") } });
};
const seenIn = (html: string) => html.match(/name="seen_prices"[^>]*value="([^"]*)"/)![1]!;
const changed = (productId: number) => sql`select pg_notify('storefront', ${String(productId)})`;

test("an offer's page shows its price, its end and what is left, is cached, and follows changes in every process", async () => {
  const { product, bump } = await openShop();
  const offer = await makeOffer(product, {
    originalPriceCents: 9700,
    endsAt: new Date("2098-12-01T02:59:00Z"),
    maxUnits: 50,
    units: 12,
  });
  const path = `/checkout/s/${offer.slug}`;
  const { html, headers } = await open(path);
  expect(seenIn(html)).toBe(`4700 ${bump.id}:1990`);
  expect(html).toContain("Lançamento: até 30/11 às 23:59, restam 38 unidades");
  expect(html).toContain("52% OFF");
  expect(html).not.toContain('name="quantity"');
  expect(headers.get("cache-control")).toContain("public");
  expect((await open(path, { headers: { "If-None-Match": headers.get("etag")! } })).status).toBe(304);
  for (const web of app.web) await (await fetch(`${web.url}${path}`)).text();
  await sql`update offers set price_cents = 3700 where id = ${offer.id}`;
  await changed(product.id);
  for (const web of app.web)
    expect(seenIn(await (await fetch(`${web.url}${path}`)).text())).toBe(`3700 ${bump.id}:1990`);
});

test("a cached page is of the next tier as soon as its own has ended by the clock", async () => {
  const { product, bump } = await openShop();
  const end = new Date(Date.now() + HOUR);
  const tier = await makeOffer(product, { kind: "tier", name: "Lote 1", endsAt: end });
  await makeOffer(product, { kind: "tier", name: "Lote 2", priceCents: 6700, position: 1 });
  const path = `/checkout/${product.id}`;
  const { html } = await open(path);
  expect(seenIn(html)).toBe(`4700 ${bump.id}:1990`);
  expect(html).toContain(`name="seen_offer" autoComplete="off" value="${tier.id}"`);
  // The end comes near without a message to the processes: a page made now becomes stale by itself.
  await sql`update offers set ends_at = now() + interval '1500 milliseconds' where id = ${tier.id}`;
  await changed(product.id);
  expect(seenIn((await open(path)).html)).toBe(`4700 ${bump.id}:1990`);
  await expect.poll(async () => seenIn((await open(path)).html)).toBe(`6700 ${bump.id}:1990`);
});

test("the page names listed offers that can be ordered, and no others, which no search engine lists either", async () => {
  const { product } = await openShop();
  const listed = await makeOffer(product, { kind: "listed", name: "Pacote com 3" });
  await makeOffer(product, { kind: "listed", name: "Esgotada", maxUnits: 1, units: 1 });
  await makeOffer(product, { kind: "listed", name: "Pausada", deactivatedAt: new Date() });
  await makeOffer(product, { kind: "link", name: "Secreta" });
  const { html } = await open(`/checkout/${product.id}`);
  expect(html).toContain(
    `<a href="/checkout/s/${listed.slug}">Pacote com 3</a> <b class="nowrap">R$ 47,00</b>`,
  );
  for (const name of ["Esgotada", "Pausada", "Secreta"]) expect(html).not.toContain(name);
  // A search would show the secret price to everybody.
  const secret = await makeOffer(product, { kind: "link", name: "Do grupo" });
  const isHidden = async (path: string) =>
    (await open(path)).html.includes('name="robots" content="noindex"');
  expect(await isHidden(`/checkout/s/${secret.slug}`)).toBe(true);
  expect(await isHidden(`/checkout/s/${listed.slug}`)).toBe(false);
  expect(await isHidden(`/checkout/${product.id}`)).toBe(false);
  // Its own page does not name itself.
  expect((await open(`/checkout/s/${listed.slug}`)).html).not.toContain("Outras opções");
});

test("a visit from the product's checkout to another option keeps its campaign, and no other visit gets one", async () => {
  const { product } = await openShop();
  const listed = await makeOffer(product, { kind: "listed", name: "Pacote com 3" });
  const other = (await openShop()).product;
  const path = `/checkout/s/${listed.slug}`;
  const from = (address: string, query = "", base = app.url) =>
    app.fetch(`${path}${query}`, { redirect: "manual", headers: { Referer: `${base}${address}` } });
  const campaign = "utm_source=insta&utm_campaign=natal+25&fbclid=abc&src=a";
  const led = await from(`/checkout/${product.id}?${campaign}&name=Ana`);
  expect(led.status).toBe(302);
  expect(led.headers.get("cache-control")).toBe("private, no-store");
  const to = led.headers.get("location")!;
  expect(to).toMatch(new RegExp(`^${path}\\?`));
  expect(Object.fromEntries(new URL(to, app.url).searchParams)).toEqual(
    Object.fromEntries(new URLSearchParams(campaign)),
  );
  // The coupon of its link goes with it, unless the address has one.
  const coupled = async (query = "") => {
    const location = (await from(`/checkout/${product.id}?cupom=PROMO&utm_source=a`, query)).headers.get(
      "location",
    );
    return [...new URL(location!, app.url).searchParams].map(([name, value]) => `${name}=${value}`);
  };
  expect(await coupled()).toEqual(["utm_source=a", "cupom=PROMO"]);
  expect(await coupled("?cupom=OUTRO")).toEqual(["cupom=OUTRO", "utm_source=a"]);
  expect(await coupled("?utm_source=b")).toEqual(["utm_source=b", "cupom=PROMO"]);
  // Parameters without text are none, or the visit would be led on for ever.
  for (const blank of ["utm_source=%00", "utm_source=%01&fbclid=%00"])
    expect((await from(`/checkout/${product.id}?${blank}`)).status, blank).toBe(200);
  // A browser keeps the page that it came from when it is led on.
  expect((await from(`/checkout/${product.id}?${campaign}`, new URL(to, app.url).search)).status).toBe(200);
  expect(
    (await from(`/checkout/${product.id}?${campaign}`, "?cupom=X&tel=11")).headers.get("location"),
  ).toContain("?cupom=X&tel=11&utm_source=insta");
  const { headers } = await send(to, {});
  const saleId = headers.get("location")!.split("/").at(-1)!;
  const [sale] = await sql`select utm_source, utm_campaign from sales where id = ${saleId}`;
  expect(sale).toEqual({ utm_source: "insta", utm_campaign: "natal 25" });
  for (const [address, query, base] of [
    [`/checkout/${product.id}`],
    [`/checkout/${other.id}?${campaign}`],
    [`/checkout/pix/${saleId}?${campaign}`],
    ["/checkout/99999999?utm_source=a"],
    [`${path}?${campaign}`],
    [`/checkout/${product.id}?${campaign}`, "?utm_source=own"],
    [`/checkout/${product.id}?${campaign}`, "?retry=1"],
    [`/checkout/${product.id}?${campaign}`, "", "https://outra.example"],
    ["", "", "no address"],
  ])
    expect((await from(address!, query, base)).status, `${base} ${address} ${query}`).toBe(200);
});

test("an offer shows only the order bumps that it includes", async () => {
  const { product, bump } = await openShop();
  const offer = await makeOffer(product, { bumpIds: [] });
  const { html } = await open(`/checkout/s/${offer.slug}`);
  expect(seenIn(html)).toBe("4700");
  const refused = await send(`/checkout/s/${offer.slug}`, { order_bumps: String(bump.id) });
  expect(refused.html).toContain("não está mais disponível. Confira o pedido");
});

test("an offer that is over says so, whatever its address is sent", async () => {
  const { product } = await openShop();
  const offer = await makeOffer(product, { endsAt: new Date("2026-01-02T02:59:00Z") });
  const says = "A oferta &quot;Lançamento&quot; terminou em 01/01 às 23:59.";
  for (const [answer, text] of [
    [await open(`/checkout/s/${offer.slug}`), `${says}</p>`],
    [await send(`/checkout/s/${offer.slug}`, {}), `${says} Nada foi cobrado.</p>`],
  ] as const) {
    expect(answer.status).toBe(409);
    expect(answer.html).toContain(text);
  }
});

test.each([
  ["has not begun", { startsAt: new Date(Date.now() + HOUR) }, "Oferta ainda não começou"],
  ["is over", { endsAt: new Date(Date.now() - HOUR) }, "Oferta encerrada"],
  ["is sold out", { maxUnits: 1, units: 1 }, "Vagas esgotadas"],
])(
  "the page of an offer that %s is headed so, not as an error, and leads to earlier purchases",
  async (_, fields, title) => {
    const { product } = await openShop();
    const { html } = await open(`/checkout/s/${(await makeOffer(product, fields)).slug}`);
    expect(html).toContain(`<title>${title}</title>`);
    expect(html).toContain(`<h1>${title}</h1>`);
    expect(html).toContain("Já comprou? Encontre a sua compra");
  },
);

test("the last place taken by somebody else: both prices, and everything typed stays", async () => {
  const { product } = await openShop();
  const tier = await makeOffer(product, { kind: "tier", name: "Lote 1", maxUnits: 1 });
  const path = `/checkout/${product.id}`;
  const seen = seenIn((await open(path)).html);
  await sql`update offers set units = 1 where id = ${tier.id}`;
  const { status, html } = await send(path, { seen_prices: seen, seen_offer: tier.id });
  expect(status).toBe(409);
  expect(html).toContain("As vagas da oferta &quot;Lote 1&quot; acabaram. O preço mudou:");
  expect(html).toContain("agora o total é R$ 97,00 (antes, R$ 47,00)");
  for (const value of Object.values(typed)) expect(html).toContain(`value="${value}"`);
  expect(seenIn(html)).toMatch(/^9700 /);
  expect(html).not.toContain("seen_offer");
});

test("a form that comes back in the grace after its offer's end can still be ordered at its price, unless it is sold out", async () => {
  const { seller, product } = await openShop();
  await makeCheckoutSettings(seller, { price_grace_minutes: 10 });
  await makeCoupon(seller);
  const ended = { maxUnits: 9, endsAt: new Date(Date.now() - MINUTE) };
  const tier = await makeOffer(product, { kind: "tier", slug: null, ...ended });
  const link = await makeOffer(product, ended);
  const seen: Record<string, Record<string, string>> = {
    [`/checkout/${product.id}`]: { seen_offer: tier.id },
    [`/checkout/s/${link.slug}`]: {},
  };
  const mistakes: Record<string, string>[] = [
    { customer_phone: "1" },
    { customer_email: "bia@gmial.com" },
    { coupon: "nada", intent: "coupon" },
  ];
  for (const [path, seenOffer] of Object.entries(seen)) {
    for (const mistake of mistakes) {
      const { html } = await send(path, { ...seenOffer, seen_prices: "4700", ...mistake });
      expect(seenIn(html), `${path} ${JSON.stringify(mistake)}`).toMatch(/^4700 /);
      expect(html).toContain(`value="${typed.customer_name}"`);
      expect(html).not.toContain("O preço mudou");
    }
    const { html } = await send(path, { ...seenOffer, seen_prices: "4700", ...mistakes[0] });
    const again = { ...(html.includes(tier.id) && { seen_offer: tier.id }), seen_prices: seenIn(html) };
    expect((await send(path, again)).status, path).toBe(303);
  }
  // Nobody who opens the page anew saw the price in time.
  expect(seenIn((await open(`/checkout/${product.id}`)).html)).toMatch(/^9700 /);
  expect((await open(`/checkout/s/${link.slug}`)).status).toBe(409);
  await sql`update offers set units = 9 where id in (${tier.id}, ${link.id})`;
  const soldOut = await send(`/checkout/${product.id}`, {
    ...{ seen_offer: tier.id, seen_prices: "4700" },
    ...mistakes[0],
  });
  expect(seenIn(soldOut.html)).toMatch(/^9700 /);
  expect(soldOut.html).toContain("O preço mudou");
});

test("a form of an offer that was sold out meanwhile keeps what was typed, and says whose order holds the last place", async () => {
  const { product, bump } = await openShop();
  const offer = await makeOffer(product, { maxUnits: 1 });
  const path = `/checkout/s/${offer.slug}`;
  const { headers } = await send(path, {});
  const cookie = headers.getSetCookie().map((line) => line.split(";")[0]);
  const link = `<a href="${headers.get("location")}">Ir para o outro pedido</a>`;
  const post = (Cookie: string) =>
    open(path, {
      method: "POST",
      body: new URLSearchParams({
        ...typed,
        seen_prices: `4700 ${bump.id}:1990`,
        order_bumps: String(bump.id),
      }),
      headers: { Origin: app.url, Cookie },
    });
  for (const [answer, says, isLinked] of [
    [await post(""), "As vagas da oferta &quot;Lançamento&quot; acabaram.", false],
    [
      await post(cookie.join("; ")),
      "A sua vaga na oferta &quot;Lançamento&quot; está no seu outro pedido",
      true,
    ],
  ] as const) {
    expect(answer.status).toBe(409);
    expect(answer.html).toContain(says);
    expect(answer.html.includes(link)).toBe(isLinked);
    expect(answer.html).toContain(`value="${typed.customer_name}"`);
  }
});

test("from an order of an offer that is over a buyer comes to the product's page, with what they typed", async () => {
  const { product } = await openShop();
  const ends = [
    sql`ends_at = now() - interval '1 minute'`,
    sql`deactivated_at = now()`,
    sql`max_units = 1, units = 1`,
    sql`starts_at = now() + interval '1 hour'`,
    sql`archived_at = now(), slug = null`,
  ];
  for (const [at, end] of ends.entries()) {
    const offer = await makeOffer(product);
    const { headers } = await send(`/checkout/s/${offer.slug}`, {});
    const pix = headers.get("location")!;
    const cookie = headers.getSetCookie().map((line) => line.split(";")[0]);
    const saleId = pix.split("/").at(-1)!;
    await sql`update charges set status = 'expired', expires_at = now() where sale_id = ${saleId}`;
    const backOf = (html: string) => html.match(/<a href="([^"]+)">Voltar ao formulário/)![1]!;
    expect(backOf((await open(pix)).html)).toBe(`/checkout/s/${offer.slug}?retry=1`);
    await sql`update offers set ${end} where id = ${offer.id}`;
    const refused = await send(pix, { intent: "again" });
    const form = await open(backOf(refused.html), { headers: { Cookie: cookie.join("; ") } });
    expect(form.status, String(at)).toBe(200);
    expect(form.html).toContain(`value="${typed.customer_name}"`);
    expect(seenIn(form.html)).toMatch(/^9700 /);
  }
});

test("a quantity is kept by a refused form, and by a coupon that is applied", async () => {
  const { seller, product } = await openShop();
  await makeCoupon(seller, { minimumCents: 9000 });
  const { slug } = await makeOffer(product, { maxQuantity: 5 });
  const path = `/checkout/s/${slug}`;
  const field = 'name="quantity" type="number" inputMode="numeric" min="1" max="5" step="1"';
  expect((await open(path)).html).toContain(field);
  const many = await send(path, { quantity: "6" });
  expect(many.status).toBe(400);
  expect(many.html).toContain("A quantidade deve ser de 1 a 5.");
  expect(many.html).toMatch(/name="quantity"[^>]*value="6"/);
  const wrong = await send(path, { quantity: "3", customer_email: "bia@" });
  expect(wrong.html).toMatch(/name="quantity"[^>]*value="3"/);
  expect(wrong.html).toContain("R$ 141,00");
  const applied = await send(path, { quantity: "2", coupon: "menos10", intent: "coupon" });
  expect(applied.html).toContain("Cupom MENOS10 aplicado");
  expect(applied.html).toMatch(/name="quantity"[^>]*value="2"/);
  expect(applied.html).toContain("R$ 84,60");
  expect((await open(`${path}?qtd=4`)).html).toMatch(/name="quantity"[^>]*value="4"/);
});

test("a coupon with a minimum counts the units on every form that comes back", async () => {
  const { seller, product } = await openShop();
  await makeCoupon(seller, { minimumCents: 9000 });
  const { slug } = await makeOffer(product, { maxQuantity: 5 });
  const path = `/checkout/s/${slug}`;
  const filled = { quantity: "2", coupon: "menos10" };
  const forms = {
    "a field is wrong": await send(path, { ...filled, customer_phone: "1" }),
    "an e-mail looks mistyped": await send(path, { ...filled, customer_email: "bia@gmial.com" }),
    "the buyer comes back from paying": await comeBack(path, filled),
  };
  for (const [when, { html }] of Object.entries(forms)) {
    expect(html, when).toContain("Cupom MENOS10 aplicado");
    expect(html, when).toContain("R$ 84,60");
  }
});

test("an odd offer, tier or quantity orders nothing and breaks nothing, on the page and in the API", async () => {
  const { product } = await openShop();
  const { slug } = await makeOffer(product, { maxQuantity: 5 });
  const odd = ["\u0000", "\ud800", "__proto__", "' or 1=1 --", "9".repeat(5000), '<a href="'.repeat(100_000)];
  // The phone is wrong, so that nothing is ordered either way.
  const wrong = { ...typed, customer_phone: "1" };
  for (const value of odd)
    for (const field of ["offer", "seen_offer", "seen_prices", "quantity"]) {
      const page = await send(`/checkout/s/${slug}`, { ...wrong, [field]: value });
      const answer = await app.fetch("/api/payments/pushinpay", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ ...wrong, product_id: product.id, [field]: value }),
      });
      const sent = `${field}: ${JSON.stringify(value).slice(0, 40)}`;
      expect([400, 413], sent).toContain(page.status);
      expect([400, 404, 413], sent).toContain(answer.status);
    }
});

test("a page with a tier, listed offers, a quantity and bumps keeps its budget", async () => {
  const { product } = await openShop();
  await makeOffer(product, {
    ...{ kind: "tier", maxQuantity: 9, maxUnits: 100, originalPriceCents: 9700 },
    endsAt: new Date(Date.now() + HOUR),
  });
  for (let i = 0; i < 5; i++) await makeOffer(product, { kind: "listed", name: `Pacote com ${i}` });
  const { html } = await open(`/checkout/${product.id}`);
  expect(gzipSync(html, { level: 6 }).length).toBeLessThan(14_000);
});
