import { afterEach, expect, test, vi } from "vitest";
import {
  findForSale,
  loadForPreview,
  type ProductRef,
  readProductRef,
} from "#app/domain/catalog/find-for-sale.server.ts";
import { offersStaleAt, toOffer } from "#app/domain/catalog/offers-for-sale.server.ts";
import { HOUR } from "#app/kit/duration.ts";
import { sql } from "#tests/support/database.ts";
import { makeBump, makeCoupon, makeOffer, makeProduct, makeSeller } from "#tests/support/make.ts";

afterEach(() => {
  vi.useRealTimers();
});

const inHours = (hours: number) => new Date(Date.now() + hours * HOUR);
const idOf = async (ref: ProductRef) => (await findForSale(ref))?.id ?? null;
const NOT_FOUND = { kind: "not-found" };

/** Two products of one seller, each with an offer. */
async function shop() {
  const seller = await makeSeller();
  const product = await makeProduct(seller, { checkoutSlug: `Curso-${seller.id.slice(0, 8)}` });
  const sibling = await makeProduct(seller, { name: "Outro curso" });
  const [offer, siblings] = [await makeOffer(product), await makeOffer(sibling, { name: "Do outro" })];
  return { seller, product, sibling, offer, siblings, slug: product.checkoutSlug! };
}

test("a product is found by its number, its address or an offer's, in any case", async () => {
  const { product, sibling, offer, siblings, slug } = await shop();
  const { id } = product;
  expect(await idOf({ id })).toBe(id);
  expect(await idOf({ slug: slug.toUpperCase() })).toBe(id);
  expect(await findForSale({ slug: offer.slug.toUpperCase() })).toMatchObject({ id, priceCents: 4700 });
  expect(await findForSale({ id, offer: offer.slug })).toMatchObject({ id, offer: { id: offer.id } });
  expect(await findForSale({ id, offer: "" })).toMatchObject({ id, offer: null, priceCents: 9700 });
  expect(await idOf({ slug: siblings.slug })).toBe(sibling.id);
  // Beside a number counts the address of an offer of that product, and no other.
  for (const other of [siblings.slug, slug, "nenhuma"]) expect(await idOf({ id, offer: other })).toBeNull();
  expect(await idOf({ slug: "nenhum" })).toBeNull();
});

test("an address names a product by its number or a slug", () => {
  expect(readProductRef({ productId: "1001" })).toEqual({ id: 1001 });
  expect(readProductRef({ slug: "curso" })).toEqual({ slug: "curso" });
  for (const productId of ["", "curso", "1e3", "-1", "1".repeat(16)])
    expect(readProductRef({ productId })).toBeNull();
  expect(readProductRef({})).toBeNull();
});

test("a product that is paused, deleted or of a closed shop is not for sale", async () => {
  for (const column of ["deactivated_at", "archived_at"]) {
    const { product } = await shop();
    await sql`update products set ${sql(column)} = now() where id = ${product.id}`;
    expect(await findForSale({ id: product.id }), column).toBeNull();
  }
  const { seller, product } = await shop();
  await sql`update sellers set closed_at = now() where id = ${seller.id}`;
  expect(await findForSale({ id: product.id })).toBeNull();
});

test("its seller sees a product before it is for sale, and at an offer's address", async () => {
  const { seller, product, offer } = await shop();
  const shown = await loadForPreview(seller.id, product.id);
  expect(shown).toMatchObject({ active: true, product: { id: product.id } });
  await sql`update products set deactivated_at = now() where id = ${product.id}`;
  expect(await loadForPreview(seller.id, product.id, offer.slug)).toMatchObject({
    active: false,
    product: { id: product.id, priceCents: 4700 },
  });
  const other = await makeSeller();
  await expect(loadForPreview(other.id, product.id)).rejects.toMatchObject(NOT_FOUND);
  await sql`update products set archived_at = now() where id = ${product.id}`;
  await expect(loadForPreview(seller.id, product.id)).rejects.toMatchObject(NOT_FOUND);
});

test("its order bumps on sale are shown in the seller's order, or those that its offer includes", async () => {
  const { product, sibling, offer } = await shop();
  const last = await makeBump(product, { name: "Último", position: 2 });
  await makeBump(product, { name: "Primeiro", position: 0 });
  await makeBump(product, { name: "Pausado", position: 1, deactivatedAt: new Date() });
  await makeBump(sibling, { name: "Do outro" });
  const bumps = async (ref: ProductRef) => (await findForSale(ref))!.bumps.map(({ name }) => name);
  expect(await bumps({ id: product.id })).toEqual(["Primeiro", "Último"]);
  expect(await bumps({ slug: offer.slug })).toEqual(["Primeiro", "Último"]);
  const chosen = await makeOffer(product, { bumpIds: [last.id] });
  expect(await bumps({ slug: chosen.slug })).toEqual(["Último"]);
});

test("buyers get a field for a coupon where one is, or will be, valid for the product", async () => {
  const { seller, product, sibling } = await shop();
  const asks = async () => (await findForSale({ id: product.id }))!.hasCoupons;
  await makeCoupon(await makeSeller());
  await makeCoupon(seller, { code: "PAUSADO", deactivatedAt: new Date() });
  await makeCoupon(seller, { code: "APAGADO", archivedAt: new Date() });
  await makeCoupon(seller, { code: "VENCIDO", endsAt: inHours(-1) });
  await makeCoupon(seller, { code: "DOOUTRO", productIds: [sibling.id] });
  expect(await asks()).toBe(false);
  const valid: Parameters<typeof makeCoupon>[1][] = [
    { startsAt: inHours(1) },
    { endsAt: inHours(1) },
    { productIds: [sibling.id, product.id] },
  ];
  for (const fields of valid) {
    const coupon = await makeCoupon(seller, { code: "VALIDO", ...fields });
    expect(await asks(), JSON.stringify(fields)).toBe(true);
    await sql`delete from coupons where id = ${coupon.id}`;
  }
  // What is free has nothing to take off, unless an order bump is paid.
  await makeCoupon(seller);
  await sql`update products set price_cents = 0 where id = ${product.id}`;
  expect(await asks()).toBe(false);
  await makeBump(product);
  expect(await asks()).toBe(true);
});

test("an offer changes the price, also one that is over: whoever orders is told so", async () => {
  const { product } = await shop();
  const units = { maxUnits: 5, units: 2, maxUnitsPerBuyer: 9, minQuantity: 2, maxQuantity: 3 };
  const times = { startsAt: inHours(-9), endsAt: inHours(-8) };
  const offer = await makeOffer(product, { originalPriceCents: 9700, ...units, ...times });
  const found = await findForSale({ slug: offer.slug });
  expect(found).toMatchObject({ priceCents: 4700, originalPriceCents: 9700, discountPercentage: null });
  expect(found!.offer).toMatchObject({
    ...{ id: offer.id, unitsLeft: 3, isPerBuyer: true, isPaused: false, minQuantity: 2, maxQuantity: 3 },
    ...{ startsAt: offer.startsAt!.getTime(), endsAt: offer.endsAt!.getTime() },
  });
  await sql`update offers set units = 7, deactivated_at = now() where id = ${offer.id}`;
  expect((await findForSale({ slug: offer.slug }))!.offer).toMatchObject({ unitsLeft: 0, isPaused: true });
});

test("the product's own address names its listed offers that can be ordered", async () => {
  const { product, sibling } = await shop();
  const list = (name: string, more: object = {}) => makeOffer(product, { kind: "listed", name, ...more });
  await list("Segunda", { position: 2 });
  const first = await list("Primeira", { position: 1, endsAt: inHours(1) });
  await list("Pausada", { deactivatedAt: new Date() });
  await list("Apagada", { archivedAt: new Date(), slug: null });
  await makeOffer(sibling, { kind: "listed", name: "Do outro" });
  const found = await findForSale({ id: product.id });
  expect(found!.otherOffers.map(({ name }) => name)).toEqual(["Primeira", "Segunda"]);
  expect(found).toMatchObject({ offer: null, offersChangeAt: first.endsAt!.getTime() });
});

test("nobody is offered more units than one buyer may have, nor fewer than an order must have", async () => {
  const { product } = await shop();
  for (const [maxUnitsPerBuyer, most] of [
    [4, 4],
    [5, 5],
    [9, 5],
    [1, 2],
    [null, 5],
  ] as const) {
    const row = await makeOffer(product, { maxUnitsPerBuyer, minQuantity: 2, maxQuantity: 5 });
    const found = await findForSale({ slug: row.slug });
    expect([found!.offer!.maxQuantity, toOffer(row).maxQuantity], `${maxUnitsPerBuyer}`).toEqual([
      most,
      most,
    ]);
  }
});

test("an offer's row tells what is left of it, and that it is paused once it is deleted", async () => {
  const { offer } = await shop();
  expect(toOffer(offer)).toMatchObject({ unitsLeft: null, isPerBuyer: false, isPaused: false, endsAt: null });
  const limited = { ...offer, maxUnits: 5, units: 2, maxUnitsPerBuyer: 1 };
  expect(toOffer(limited)).toMatchObject({ unitsLeft: 3, isPerBuyer: true });
  expect(toOffer({ ...limited, units: 7 }).unitsLeft).toBe(0);
  for (const ended of [{ deactivatedAt: new Date() }, { archivedAt: new Date() }])
    expect(toOffer({ ...offer, ...ended }).isPaused).toBe(true);
});

test("a page on which units of an offer count is stale after five seconds, others at the next change", async () => {
  const { product } = await shop();
  const end = inHours(1);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  const staleIn = async (slug?: string) => {
    const ref = slug ? { slug } : { id: product.id };
    return offersStaleAt((await findForSale(ref))!) - Date.now();
  };
  expect(await staleIn()).toBe(Number.POSITIVE_INFINITY);
  await makeOffer(product, { kind: "tier", endsAt: end });
  expect(await staleIn()).toBe(end.getTime() - Date.now());
  const linked = await makeOffer(product, { maxUnits: 5 });
  expect(await staleIn()).toBe(end.getTime() - Date.now());
  expect(await staleIn(linked.slug)).toBe(5000);
  // Its unit may be free again, however many hours the others last.
  await makeOffer(product, { kind: "tier", position: -1, maxUnits: 1, units: 1 });
  expect(await staleIn()).toBe(5000);
});

test.each(["tier", "listed"] as const)(
  "a sold-out %s offer keeps its page fresh until its units return",
  async (kind) => {
    const { product } = await shop();
    await makeOffer(product, { kind, maxUnits: 1, units: 1, deactivatedAt: new Date() });
    const found = async () => (await findForSale({ id: product.id }))!;
    expect(await found()).toMatchObject({ offer: null, otherOffers: [], hasLimitedOffers: false });
    await sql`update offers set deactivated_at = null where product_id = ${product.id}`;
    expect(await found()).toMatchObject({ offer: null, otherOffers: [], hasLimitedOffers: true });
  },
);
