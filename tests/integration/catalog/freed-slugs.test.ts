import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { deleteProduct } from "#app/domain/catalog/delete-product.server.ts";
import { duplicateProduct } from "#app/domain/catalog/duplicate-product.server.ts";
import { findForSale } from "#app/domain/catalog/find-for-sale.server.ts";
import { findProduct } from "#app/domain/catalog/find-product.server.ts";
import { productBody } from "#app/domain/catalog/product-form.server.ts";
import { updateProduct } from "#app/domain/catalog/update-product.server.ts";
import { anonymizeShop } from "#app/domain/erasure/anonymize-shop.server.ts";
import { cleanUp } from "#app/domain/maintenance/clean-up.server.ts";
import { deleteOffer } from "#app/domain/offer/arrange-offers.server.ts";
import { newOfferBody } from "#app/domain/offer/offer-form.server.ts";
import { createOffer } from "#app/domain/offer/save-offer.server.ts";
import { holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { makeOffer, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";

type Product = Awaited<ReturnType<typeof makeProduct>>;

const rename = (product: Product, checkout_slug: string) =>
  updateProduct(
    product.sellerId,
    product.id,
    productBody.parse({ name: "Curso", price: 97, file_url: "https://exemplo.com.br/curso", checkout_slug }),
  );
const inUse = { kind: "conflict", message: expect.stringContaining("em uso") };

/** Each frees the slug. */
const FREEINGS: Record<string, (product: Product, slug: string) => Promise<unknown>> = {
  "a product renamed": (product) => rename(product, `novo-${product.id}`),
  "a product deleted": ({ sellerId, id }) => deleteProduct(sellerId, id),
  "a sold product deleted": async (product) => {
    await makeSale(product);
    await deleteProduct(product.sellerId, product.id);
  },
  "an offer deleted": async (product, slug) => {
    await rename(product, "");
    const offer = await makeOffer(product, { slug });
    await deleteOffer({ sellerId: product.sellerId, productId: product.id }, offer.id);
  },
};

test.each(Object.keys(FREEINGS))(
  "the slug of %s leads nowhere, is no other seller's for 90 days, and its seller may take it again",
  async (name) => {
    const [seller, stranger] = [await makeSeller(), await makeSeller()];
    const slug = `Livre-${seller.id.slice(0, 8)}`;
    const freed = await makeProduct(seller, { checkoutSlug: slug });
    const own = await makeProduct(seller);
    const foreign = await makeProduct(stranger);
    await FREEINGS[name]!(freed, slug);
    expect(await findForSale({ slug })).toBeNull();
    await expect(rename(foreign, slug)).rejects.toMatchObject(inUse);
    const offer = newOfferBody.parse({ name: "Lote", price: 47, slug: slug.toLowerCase() });
    const owner = { sellerId: stranger.id, productId: foreign.id };
    await expect(createOffer(owner, offer)).rejects.toMatchObject(inUse);
    await sql`update freed_slugs set freed_at = now() - interval '89 days' where seller_id = ${seller.id}`;
    await cleanUp.handle({}, { number: 1, last: false });
    await expect(rename(foreign, slug)).rejects.toMatchObject(inUse);
    await rename(own, slug);
    expect(await findForSale({ slug })).toMatchObject({ id: own.id });
    await rename(own, "");
    await sql`update freed_slugs set freed_at = now() - interval '91 days' where seller_id = ${seller.id}`;
    await cleanUp.handle({}, { number: 1, last: false });
    await rename(foreign, slug);
    expect(await findForSale({ slug })).toMatchObject({ id: foreign.id });
  },
);

test("the slugs of an anonymized shop are nobody's for as long", async () => {
  const [seller, stranger] = [await makeSeller(), await makeSeller()];
  const slug = `encerrado-${seller.id.slice(0, 8)}`;
  await makeProduct(seller, { checkoutSlug: slug });
  await db.transaction((tx) => anonymizeShop(tx, seller.id));
  await expect(rename(await makeProduct(stranger), slug)).rejects.toMatchObject(inUse);
});

test("who waits for a slug while it is freed is refused it as well", async () => {
  const [seller, stranger] = [await makeSeller(), await makeSeller()];
  const slug = `disputado-${seller.id.slice(0, 8)}`;
  const product = await makeProduct(seller, { checkoutSlug: slug });
  const foreign = await makeProduct(stranger);
  const freeing = await holdLock(
    (tx) => tx`update products set checkout_slug = null where id = ${product.id}`,
  );
  const waiting = expect(rename(foreign, slug)).rejects.toMatchObject(inUse);
  await untilLockedOut();
  await freeing.release();
  await waiting;
});

test("a copy is not given the freed slug of another seller", async () => {
  const [seller, stranger] = [await makeSeller(), await makeSeller()];
  const slug = `par-${seller.id.slice(0, 8)}`;
  await rename(await makeProduct(stranger, { checkoutSlug: `${slug}-copia` }), "");
  const copy = await duplicateProduct(seller.id, (await makeProduct(seller, { checkoutSlug: slug })).id);
  expect((await findProduct(seller.id, copy.id)).checkoutSlug).toBe(`${slug}-copia-2`);
});
