import { expect, test } from "vitest";
import { duplicateProduct } from "#app/domain/catalog/duplicate-product.server.ts";
import { addItem } from "#app/domain/content/save-item.server.ts";
import { couponForm } from "#app/domain/coupon/coupon-form.server.ts";
import { createCoupon, updateCoupon } from "#app/domain/coupon/save-coupon.server.ts";
import { deleteOffer, duplicateOffer, moveOffer } from "#app/domain/offer/arrange-offers.server.ts";
import { findOffer, type OfferOwner } from "#app/domain/offer/find-offer.server.ts";
import { findOpenTier, listOffers } from "#app/domain/offer/list-offers.server.ts";
import { newOfferBody, type OfferFields } from "#app/domain/offer/offer-form.server.ts";
import { offerVersion } from "#app/domain/offer/offer-json.server.ts";
import { createOffer, MAX_OFFERS, setOfferActive, updateOffer } from "#app/domain/offer/save-offer.server.ts";
import { startNextUpsell } from "#app/domain/upsell/start-next-upsell.server.ts";
import { sql } from "#tests/support/database.ts";
import {
  makeBump,
  makeCoupon,
  makeOffer,
  makeProduct,
  makeSale,
  makeSeller,
  makeUpsell,
} from "#tests/support/make.ts";

const fields = (more: object = {}): OfferFields =>
  newOfferBody.parse({ name: "Primeiro lote", price: 47, ...more });
const inUse = { kind: "conflict", field: "slug" };
const missing = { kind: "not-found" };

async function makeOwner(more: object = {}) {
  const seller = await makeSeller();
  const product = await makeProduct(seller, more);
  return { seller, product, owner: { sellerId: seller.id, productId: product.id } satisfies OfferOwner };
}
function addLink({ seller, product }: { seller: { id: string }; product: { id: number } }) {
  const of = { kind: "product", id: product.id } as const;
  const item = { kind: "link", name: "Grupo", url: "https://exemplo.com.br/grupo" } as const;
  return addItem(seller.id, product.id, of, item);
}
const namesOf = async (owner: OfferOwner) => (await listOffers(owner)).offers.map(({ name }) => name);

test("an address is of one offer or product, whoever's, in any spelling", async () => {
  const { owner } = await makeOwner({ checkoutSlug: "curso-com-ofertas" });
  const other = (await makeOwner()).owner;
  const slug = "Lote-Unico";
  const both = await Promise.allSettled([owner, other].map((of) => createOffer(of, fields({ slug }))));
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(both.find(({ status }) => status === "rejected")).toMatchObject({ reason: inUse });
  await expect(createOffer(owner, fields({ slug: "lote-unico" }))).rejects.toMatchObject(inUse);
  await expect(createOffer(owner, fields({ slug: "CURSO-com-ofertas" }))).rejects.toMatchObject(inUse);
  const mine = await createOffer(other, fields());
  await expect(updateOffer(other, mine, fields({ slug }))).rejects.toMatchObject(inUse);
});

test("an offer without an address gets a random one, and keeps it", async () => {
  const { owner } = await makeOwner();
  const [first, second] = [await createOffer(owner, fields()), await createOffer(owner, fields())];
  const { slug } = await findOffer(owner, first);
  expect(slug).toMatch(/^[a-z0-9]{9}$/);
  expect((await findOffer(owner, second)).slug).not.toBe(slug);
  await updateOffer(owner, first, fields({ name: "Outro" }));
  expect(await findOffer(owner, first)).toMatchObject({ slug, name: "Outro" });
});

test("a product has at most so many offers, copies included; deleted ones do not count", async () => {
  const { owner } = await makeOwner();
  await sql`insert into offers (seller_id, product_id, kind, name, price_cents, position)
    select ${owner.sellerId}, ${owner.productId}, 'link', 'Lote ' || n, 100, n - 1
    from generate_series(1, ${MAX_OFFERS - 1}::int) n`;
  const last = await createOffer(owner, fields());
  const full = { kind: "conflict", message: expect.stringContaining("50 ofertas") };
  await expect(createOffer(owner, fields())).rejects.toMatchObject(full);
  await expect(duplicateOffer(owner, last)).rejects.toMatchObject(full);
  await deleteOffer(owner, last);
  await createOffer(owner, fields());
});

test("a save of what was saved meanwhile is refused; a sold unit and a move make no form stale", async () => {
  const { owner, product } = await makeOwner();
  const offer = await makeOffer(product);
  const version = offerVersion(offer);
  await sql`update offers set units = 3 where id = ${offer.id}`;
  await createOffer(owner, fields());
  await moveOffer(owner, offer.id, "down");
  await updateOffer(owner, offer.id, fields(), version);
  await expect(updateOffer(owner, offer.id, fields(), version)).rejects.toMatchObject({ code: "stale" });
  const now = await findOffer(owner, offer.id);
  expect(now).toMatchObject({ name: "Primeiro lote", units: 3, slug: offer.slug });
  await setOfferActive(owner, offer.id, false);
  await expect(updateOffer(owner, offer.id, fields(), offerVersion(now))).rejects.toMatchObject({
    code: "stale",
  });
});

test("a copy is paused and unsold, the last, with an address of its own", async () => {
  const { owner, product } = await makeOwner();
  const original = await makeOffer(product, { name: "A".repeat(100), units: 4, maxUnits: 9, kind: "tier" });
  const { id, name } = await duplicateOffer(owner, original.id);
  expect(name).toBe(`${"A".repeat(92)} (cópia)`);
  const copy = await findOffer(owner, id);
  expect(copy).toMatchObject({ kind: "tier", maxUnits: 9, units: 0, deactivatedAt: expect.any(Date) });
  expect(copy.slug).not.toBe(original.slug);
  expect((await listOffers(owner)).offers.map((one) => one.id)).toEqual([original.id, id]);
});

test("offers move by one place, not beyond the ends, and without gaps", async () => {
  const { owner } = await makeOwner();
  const ids: string[] = [];
  for (const name of ["A", "B", "C", "D"]) ids.push(await createOffer(owner, fields({ name })));
  const [a, b, c, d] = ids as [string, string, string, string];
  await moveOffer(owner, c, "up");
  expect(await namesOf(owner)).toEqual(["A", "C", "B", "D"]);
  await moveOffer(owner, a, "up");
  await moveOffer(owner, d, "down");
  await deleteOffer(owner, c);
  await moveOffer(owner, a, "down");
  expect(await namesOf(owner)).toEqual(["B", "A", "D"]);
  const rows = await sql`select name, position from offers where product_id = ${owner.productId}
    and archived_at is null order by position`;
  expect(rows.map(({ position }) => position)).toEqual([0, 1, 2]);
  await Promise.all([moveOffer(owner, b, "down"), moveOffer(owner, d, "up")]);
  expect((await namesOf(owner)).sort()).toEqual(["A", "B", "D"]);
});

test("the product's address charges its first open tier", async () => {
  const { owner, product } = await makeOwner();
  const past = new Date("2020-01-01T00:00:00Z");
  const openTier = async () => findOpenTier((await listOffers(owner)).offers)?.name ?? null;
  await makeOffer(product, { name: "Link" });
  await makeOffer(product, { kind: "tier", name: "Passado", endsAt: past, position: 1 });
  expect(await openTier()).toBeNull();
  const sold = await makeOffer(product, { kind: "tier", name: "Um", maxUnits: 2, units: 1, position: 2 });
  await makeOffer(product, { kind: "tier", name: "Dois", position: 3 });
  expect(await openTier()).toBe("Um");
  await sql`update offers set units = 2 where id = ${sold.id}`;
  expect(await openTier()).toBe("Dois");
});

test("nothing of another product or seller is found", async () => {
  const [{ owner, product, seller }, other] = [await makeOwner(), await makeOwner()];
  const offer = await makeOffer(product);
  const [bump, upsell] = [await makeBump(other.product), await makeUpsell(other.product)];
  const sibling = { sellerId: seller.id, productId: (await makeProduct(seller)).id };
  const stolen = { sellerId: other.owner.sellerId, productId: owner.productId };
  for (const of of [other.owner, sibling, stolen]) {
    await expect(findOffer(of, offer.id)).rejects.toMatchObject(missing);
    await expect(updateOffer(of, offer.id, fields())).rejects.toMatchObject(missing);
    await expect(setOfferActive(of, offer.id, false)).rejects.toMatchObject(missing);
    await expect(duplicateOffer(of, offer.id)).rejects.toMatchObject(missing);
    await expect(moveOffer(of, offer.id, "up")).rejects.toMatchObject(missing);
    await expect(deleteOffer(of, offer.id)).rejects.toMatchObject(missing);
  }
  await expect(createOffer(stolen, fields())).rejects.toMatchObject(missing);
  await expect(listOffers(stolen)).rejects.toMatchObject(missing);
  const foreignItem = await addLink(other);
  for (const foreign of [
    { bump_ids: [bump.id] },
    { upsell_ids: [upsell.id] },
    { content_item_ids: [foreignItem] },
  ]) {
    await expect(createOffer(owner, fields(foreign))).rejects.toMatchObject(missing);
    await expect(updateOffer(owner, offer.id, fields(foreign))).rejects.toMatchObject(missing);
  }
  await expect(findOffer(owner, "x")).rejects.toMatchObject(missing);
  expect(await findOffer(owner, offer.id)).toEqual(offer);
});

test("an offer is saved although one of its order bumps was deleted meanwhile", async () => {
  const { owner, product } = await makeOwner();
  const [kept, gone] = [await makeBump(product), await makeBump(product)];
  const offer = await makeOffer(product, { bumpIds: [kept.id, gone.id] });
  await sql`delete from order_bumps where id = ${gone.id}`;
  await updateOffer(owner, offer.id, fields({ bump_ids: [kept.id, gone.id], price: 30 }));
  expect(await findOffer(owner, offer.id)).toMatchObject({ bumpIds: [kept.id, gone.id], priceCents: 3000 });
});

test("content that is included is the product's own", async () => {
  const { seller, owner, product } = await makeOwner();
  const item = await addLink({ seller, product });
  const id = await createOffer(owner, fields({ content_item_ids: [item] }));
  expect((await findOffer(owner, id)).contentItemIds).toEqual([item]);
  const sibling = await addLink({ seller, product: await makeProduct(seller) });
  await expect(updateOffer(owner, id, fields({ content_item_ids: [sibling] }))).rejects.toMatchObject(
    missing,
  );
});

test("a copy of a product has none of its offers", async () => {
  const { seller, product } = await makeOwner();
  await makeOffer(product);
  const copy = await duplicateProduct(seller.id, product.id);
  expect(await namesOf({ sellerId: seller.id, productId: copy.id })).toEqual([]);
});

test("after a purchase only the upsells of its offer are shown", async () => {
  const { seller, product } = await makeOwner();
  const [, second] = [await makeUpsell(product), await makeUpsell(product, { position: 1 })];
  const shownTo = async (offer: { id: string; name: string } | null) => {
    const sale = await makeSale(product, {
      status: "completed",
      ...(offer ? { offerId: offer.id, offerName: offer.name } : {}),
    });
    const next = await startNextUpsell({ sellerId: seller.id, saleId: sale.id, productId: product.id });
    return next && { id: next.id, count: next.count };
  };
  expect(await shownTo(null)).toMatchObject({ count: 2 });
  expect(await shownTo(await makeOffer(product))).toMatchObject({ count: 2 });
  const only = await makeOffer(product, { upsellIds: [second.id] });
  expect(await shownTo(only)).toEqual({ id: second.id, count: 1 });
  expect(await shownTo(await makeOffer(product, { upsellIds: [] }))).toBeNull();
});

test("a coupon may be for some offers of its products", async () => {
  const { seller, product } = await makeOwner();
  const offer = await makeOffer(product);
  const other = await makeProduct(seller);
  const foreign = await makeOffer((await makeOwner()).product);
  const coupon = (more: object) => couponForm.parse({ code: "LOTE", discount: "10", ...more });
  const only = { offers_scope: "some", offer_ids: [offer.id] };
  const ofOther = { scope: "some", products: [other.id] };
  await expect(createCoupon(seller.id, coupon({ ...only, ...ofOther }))).rejects.toMatchObject({
    kind: "invalid",
    field: "offer_ids",
  });
  await expect(createCoupon(seller.id, coupon({ ...only, offer_ids: [foreign.id] }))).rejects.toMatchObject(
    missing,
  );
  const id = await createCoupon(seller.id, coupon(only));
  expect(await sql`select offer_ids from coupons where id = ${id}`).toEqual([{ offer_ids: [offer.id] }]);
  // An offer that was deleted since it was chosen may stay in the list.
  await deleteOffer({ sellerId: seller.id, productId: product.id }, offer.id);
  await updateCoupon(seller.id, id, coupon({ ...only, discount: "20" }));
  const { id: plain } = await makeCoupon(seller);
  await expect(updateCoupon(seller.id, plain, coupon({ ...only, code: "B10" }))).rejects.toMatchObject(
    missing,
  );
});
