import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { showPurchase } from "#app/domain/access/show-purchase.server.ts";
import { deleteProduct } from "#app/domain/catalog/delete-product.server.ts";
import { findForSale } from "#app/domain/catalog/find-for-sale.server.ts";
import { listProducts } from "#app/domain/catalog/list-products.server.ts";
import { holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { makeBump, makeOffer, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { until } from "#tests/support/until.ts";

test("a product without sales is deleted with its bumps; a second time it is not found", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  await makeBump(product);
  expect(await deleteProduct(seller.id, product.id)).toBe("deleted");
  expect(await sql`select 1 from products where id = ${product.id}`).toHaveLength(0);
  expect(await sql`select 1 from order_bumps where product_id = ${product.id}`).toHaveLength(0);
  await expect(deleteProduct(seller.id, product.id)).rejects.toMatchObject({ kind: "not-found" });
});

test("a product with sales is archived: out of the list and off sale, its sales whole, its slug free", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller, { checkoutSlug: "vendido" });
  const sale = await makeSale(product, { status: "completed" });
  const before = await showPurchase(sale.id);
  expect(await deleteProduct(seller.id, product.id)).toBe("archived");
  expect((await listProducts(seller.id, { limit: 10 })).items).toEqual([]);
  expect(await findForSale({ id: product.id })).toBeNull();
  // Only its page says that it is sold no longer.
  expect(await showPurchase(sale.id)).toEqual({ ...before, isForSale: false });
  expect(before!.lines[0]!.hasFile).toBe(true);
  await makeProduct(seller, { checkoutSlug: "vendido" });
  await expect(deleteProduct(seller.id, product.id)).rejects.toMatchObject({ kind: "not-found" });
});

test("the statements of docs/operations.md bring an archived product back with its offers, but none deleted before", async () => {
  const product = await makeProduct(await makeSeller(), { checkoutSlug: "apagado" });
  const [kept, earlier] = [await makeOffer(product), await makeOffer(product)];
  await sql`update offers set archived_at = now() - interval '1 day' where id = ${earlier.id}`;
  await makeSale(product, { status: "completed" });
  expect(await deleteProduct(product.sellerId, product.id)).toBe("archived");
  const docs = readFileSync("docs/operations.md", "utf8");
  const [, statements] = /\n```sql\n(update offers [^`]+)```/.exec(docs)!;
  const filled = statements!.replaceAll("<number>", String(product.id)).replace("<slug>", "apagado");
  await sql.unsafe(filled);
  expect(await findForSale({ slug: "apagado" })).toMatchObject({ id: product.id });
  const offers = await sql`select id from offers where product_id = ${product.id} and archived_at is null`;
  expect(offers.map(({ id }) => id)).toEqual([kept.id]);
});

test("an order being placed is waited for, and its product is not deleted", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const placing = await holdLock(
    (tx) => tx`insert into sales (seller_id, product_id, amount_cents, order_key)
               values (${seller.id}, ${product.id}, 100, 'x')`,
  );
  const deleting = deleteProduct(seller.id, product.id);
  await untilLockedOut();
  await placing.release();
  expect(await deleting).toBe("archived");
});

test("a change of its offers is waited for, and finds them unlocked", async () => {
  const product = await makeProduct(await makeSeller());
  const offer = await makeOffer(product);
  const deletions: Promise<string>[] = [];
  const changing = await holdLock(async (tx) => {
    await tx`select from products where id = ${product.id} for no key update`;
    deletions.push(deleteProduct(product.sellerId, product.id));
    await untilLockedOut();
    await tx`update offers set deactivated_at = now() where id = ${offer.id}`;
  });
  await changing.release();
  expect(await Promise.all(deletions)).toEqual(["deleted"]);
});

test("an order that holds an offer is waited for, and its product is not deleted", async () => {
  const product = await makeProduct(await makeSeller());
  const offer = await makeOffer(product);
  const deletions: Promise<string>[] = [];
  const placing = await holdLock(async (tx) => {
    await tx`update offers set units = units + 1 where id = ${offer.id}`;
    deletions.push(deleteProduct(product.sellerId, product.id));
    await untilLockedOut();
    await tx`insert into sales (seller_id, product_id, amount_cents, order_key)
             values (${product.sellerId}, ${product.id}, 100, 'x')`;
  });
  await placing.release();
  expect(await Promise.all(deletions)).toEqual(["archived"]);
});

test("another seller's product is not deleted", async () => {
  const [a, b] = [await makeSeller(), await makeSeller()];
  const theirs = await makeProduct(b);
  await expect(deleteProduct(a.id, theirs.id)).rejects.toMatchObject({ kind: "not-found" });
  expect(await findForSale({ id: theirs.id })).not.toBeNull();
});

test("only that product and its offers are deleted or archived, and every process is notified", async () => {
  const seller = await makeSeller();
  const [unsold, sold, other] = [
    await makeProduct(seller),
    await makeProduct(seller),
    await makeProduct(seller),
  ];
  for (const product of [sold, other]) await makeSale(product, { status: "completed" });
  const [archived, stays] = [await makeOffer(sold), await makeOffer(other)];
  const notified: string[] = [];
  const { unlisten } = await sql.listen("storefront", (payload) => void notified.push(payload));
  expect(await deleteProduct(seller.id, unsold.id)).toBe("deleted");
  expect(await deleteProduct(seller.id, sold.id)).toBe("archived");
  await until(() => notified.length >= 2);
  await unlisten();
  expect(notified).toEqual([String(unsold.id), String(sold.id)]);
  const offers = await sql`select id, slug, archived_at is not null as archived from offers
    where seller_id = ${seller.id} order by archived_at`;
  expect(offers).toEqual([
    { id: archived.id, slug: null, archived: true },
    { id: stays.id, slug: stays.slug, archived: false },
  ]);
  expect((await listProducts(seller.id, { limit: 10 })).items.map(({ id }) => id)).toEqual([other.id]);
});
