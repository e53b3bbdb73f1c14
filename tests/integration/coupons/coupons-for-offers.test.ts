import { expect, test } from "vitest";
import { formatDateTime } from "#app/kit/dates.ts";
import { DAY } from "#app/kit/duration.ts";
import { openShop } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeCoupon, makeOffer, makeProduct, signedIn } from "#tests/support/make.ts";

const app = await startApp({ worker: 0 });

async function signIn() {
  const shop = await openShop();
  const cookie = await signedIn(shop.seller);
  const open = async (path: string) =>
    (await (await app.fetch(path, { headers: cookie })).text())
      .replaceAll("<!-- -->", "")
      .replaceAll("&amp;", "&");
  /** Posts what the page's form posts: its ticked radios, and `fields`. */
  const save = async (path: string, fields: Record<string, string>) => {
    const html = await open(path);
    const ticked = [...html.matchAll(/<input type="radio"[^>]*>/g)].flatMap(([tag]) =>
      tag.includes('checked=""') ? [[/name="([^"]+)"/.exec(tag)![1]!, /value="([^"]+)"/.exec(tag)![1]!]] : [],
    );
    const version = /name="version" value="([^"]+)"/.exec(html)?.[1];
    const body = new URLSearchParams({
      ...Object.fromEntries(ticked),
      ...(version ? { version } : {}),
      ...fields,
    });
    const answer = await app.fetch(path, {
      ...{ method: "POST", redirect: "manual", body },
      headers: { ...cookie, Origin: app.url },
    });
    return { status: answer.status, html: await answer.text() };
  };
  return { ...shop, open, save };
}

test("a coupon whose only offer was deleted is not saved as one for everything", async () => {
  const { seller, product, save } = await signIn();
  const offer = await makeOffer(product);
  const coupon = await makeCoupon(seller, { offerIds: [offer.id] });
  await sql`update offers set archived_at = now() where id = ${offer.id}`;
  const fields = { code: "MENOS10", discount: "10", max_uses: "50", is_active: "on" };
  const path = `/coupons/${coupon.id}/edit`;
  const { html } = await save(path, fields);
  expect(html).toContain("As ofertas deste cupom foram apagadas.");
  expect(html).toContain("Escolha ao menos uma oferta");
  const [row] = await sql`select offer_ids, max_uses from coupons where id = ${coupon.id}`;
  expect(row).toEqual({ offer_ids: [offer.id], max_uses: null });
  expect((await save(path, { ...fields, offers_scope: "all" })).status).toBe(302);
});

test("a coupon's links are of offers that are sold now, or later, which they say", async () => {
  const { seller, product, open } = await signIn();
  const [past, later] = [new Date(Date.now() - DAY), new Date(Date.now() + DAY)];
  const make = (name: string, fields: object) => makeOffer(product, { name, slug: name, ...fields });
  const all = [
    await make("aberta", {}),
    await make("terminada", { endsAt: past }),
    await make("esgotada", { maxUnits: 1, units: 1 }),
    await make("futura", { startsAt: later }),
  ];
  const coupon = await makeCoupon(seller, { offerIds: all.map(({ id }) => id) });
  const html = await open(`/coupons/${coupon.id}/edit`);
  const [, options] = /<select name="product"[^>]*>(.*?)<\/select>/s.exec(html)!;
  const names = [...options!.matchAll(/<option[^>]*>(.*?)<\/option>/g)].map(
    ([, name]) => name!.split(": ")[1],
  );
  expect(names).toEqual(["aberta", `futura (começa em ${formatDateTime(later)})`]);
  const unopened = await open(`/coupons/${coupon.id}/edit?product=${all[3]!.id}`);
  expect(unopened).toContain(`só começa em ${formatDateTime(later)}`);
  // The list copies the link of a coupon's only offer while it is sold.
  for (const [offer, isCopied] of [
    [all[0]!, true],
    [all[1]!, false],
    [all[3]!, false],
  ] as const) {
    await sql`update coupons set offer_ids = ${[offer.id]} where id = ${coupon.id}`;
    expect((await open("/coupons")).includes("Copiar link do cupom"), offer.name).toBe(isCopied);
  }
});

test("the link of a coupon with a minimum price promises the discount from that price on", async () => {
  const { seller, open } = await signIn();
  const coupon = await makeCoupon(seller, { minimumCents: 20_000 });
  const promise = "quem abre o checkout por este link já vê o preço com o desconto";
  const read = async () => (await open(`/coupons/${coupon.id}/edit`)).replaceAll("\u00a0", " ");
  expect(await read()).toContain(`${promise}, se o preço cheio for de R$ 200,00 ou mais.`);
  await sql`update coupons set minimum_cents = null where id = ${coupon.id}`;
  expect(await read()).toContain(`${promise}.`);
});

test("an offer without order bumps stays without them where the product has none at the moment", async () => {
  const { seller, save } = await signIn();
  const product = await makeProduct(seller);
  const offer = await makeOffer(product, { bumpIds: [], upsellIds: [] });
  const fields = { name: offer.name, kind: "link", price: "37", slug: offer.slug, is_active: "on" };
  const { status } = await save(`/products/${product.id}/offers/${offer.id}/edit`, fields);
  expect(status).toBe(302);
  const [row] = await sql`select price_cents, bump_ids, upsell_ids from offers where id = ${offer.id}`;
  expect(row).toEqual({ price_cents: 3700, bump_ids: [], upsell_ids: [] });
});

test("the list and the page of a coupon for some offers name them, and link to their checkouts", async () => {
  const { seller, product, open } = await signIn();
  const offer = await makeOffer(product);
  const paused = await makeOffer(product, { name: "Pausada", deactivatedAt: new Date() });
  const coupon = await makeCoupon(seller, { offerIds: [offer.id] });
  const link = `/checkout/s/${offer.slug}?cupom=MENOS10`;
  const productLink = `/checkout/${product.id}?cupom`;
  const list = await open("/coupons");
  expect(list).toContain(">Vale para<");
  expect(list).toContain(`${product.name}: Lançamento`);
  expect(list).toContain(link);
  expect(list).not.toContain("Todos os produtos");
  const page = await open(`/coupons/${coupon.id}/edit`);
  expect(page).toContain(link);
  expect(page).not.toContain(productLink);

  await sql`update coupons set offer_ids = ${[offer.id, paused.id]} where id = ${coupon.id}`;
  const both = await open("/coupons");
  expect(both).toContain("2 ofertas");
  expect(both).not.toContain(link);
  expect(await open(`/coupons/${coupon.id}/edit`)).not.toContain(`${paused.slug}?cupom`);

  await sql`update offers set archived_at = now() where product_id = ${product.id}`;
  expect(await open("/coupons")).toContain("Nenhuma: as ofertas dele foram apagadas");
  const empty = await open(`/coupons/${coupon.id}/edit`);
  expect(empty).toContain("nenhuma oferta deste cupom está à venda");
  expect(empty).not.toContain(productLink);
});
