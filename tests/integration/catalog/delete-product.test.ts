import { expect, test } from "vitest";
import { showPurchase } from "#app/domain/access/show-purchase.server.ts";
import { deleteProduct } from "#app/domain/catalog/delete-product.server.ts";
import { findForSale } from "#app/domain/catalog/find-for-sale.server.ts";
import { listProducts } from "#app/domain/catalog/list-products.server.ts";
import { holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { makeBump, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";

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
  expect(await showPurchase(sale.id)).toEqual(before);
  expect(before!.lines[0]!.hasFile).toBe(true);
  await makeProduct(seller, { checkoutSlug: "vendido" });
  await expect(deleteProduct(seller.id, product.id)).rejects.toMatchObject({ kind: "not-found" });
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

test("another seller's product is not deleted", async () => {
  const [a, b] = [await makeSeller(), await makeSeller()];
  const theirs = await makeProduct(b);
  await expect(deleteProduct(a.id, theirs.id)).rejects.toMatchObject({ kind: "not-found" });
  expect(await findForSale({ id: theirs.id })).not.toBeNull();
});
