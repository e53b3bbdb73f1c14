import { expect, test } from "vitest";
import { findNames } from "#app/domain/reports/find-names.server.ts";
import { listChoices } from "#app/domain/reports/list-choices.server.ts";
import { sql } from "#tests/support/database.ts";
import { makeCoupon, makeOffer, makeProduct, makeSeller } from "#tests/support/make.ts";

/** A seller with one of each that sales can be filtered by. */
async function makeShop() {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  return { seller, product, coupon: await makeCoupon(seller), offer: await makeOffer(product) };
}

test("sales can be filtered by what their seller has and did not delete, by 300 of a kind at most", async () => {
  const { seller, product, coupon, offer } = await makeShop();
  await makeShop();
  const archivedAt = new Date();
  await makeProduct(seller, { archivedAt });
  await makeCoupon(seller, { code: "ANTIGO", archivedAt });
  await makeOffer(product, { name: "Antiga", archivedAt });
  expect(await listChoices(seller.id)).toEqual({
    products: [{ id: product.id, name: product.name }],
    coupons: [{ id: coupon.id, code: coupon.code }],
    offers: [{ id: offer.id, name: offer.name, productName: product.name }],
  });
  await sql`insert into products (seller_id, name, price_cents)
    select ${seller.id}, 'Aula ' || n, 100 from generate_series(1, 300) n`;
  expect((await listChoices(seller.id)).products).toHaveLength(300);
});

test("the names of a report's products are those it asked for, of its seller alone, deleted ones too", async () => {
  const [{ seller, product }, theirs] = [await makeShop(), await makeShop()];
  await makeProduct(seller, { name: "Não vendido" });
  const deleted = await makeProduct(seller, { name: "Antigo", archivedAt: new Date() });
  const ids = [product.id, deleted.id, theirs.product.id].map(String);
  const { products: names } = await findNames(seller.id, { products: ids, offers: [] });
  expect(names).toEqual(
    new Map([
      [String(product.id), product.name],
      [String(deleted.id), "Antigo"],
    ]),
  );
});
