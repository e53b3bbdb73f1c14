import { expect, test } from "vitest";
import { firstSteps } from "#app/domain/reports/first-steps.server.ts";
import { noteCheckoutSeen } from "#app/domain/storefront/note-checkout-seen.server.ts";
import { sql } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";

test("the first steps are read from what there is, one after the other", async () => {
  const seller = await makeSeller({ emailVerifiedAt: null });
  expect(await firstSteps(seller.id)).toEqual({ emailConfirmed: false, product: null, checkoutSeen: false });
  await sql`update sellers set email_verified_at = now() where id = ${seller.id}`;
  expect(await firstSteps(seller.id)).toMatchObject({ emailConfirmed: true });
  const first = await makeProduct(seller, { checkoutSlug: null });
  const second = await makeProduct(seller, { checkoutSlug: "segundo-passo", deactivatedAt: new Date() });
  expect((await firstSteps(seller.id))!.product).toEqual({
    id: second.id,
    checkoutSlug: "segundo-passo",
    active: false,
  });
  await sql`update products set archived_at = now() where id = ${second.id}`;
  expect((await firstSteps(seller.id))!.product).toMatchObject({ id: first.id, active: true });
  await noteCheckoutSeen(seller.id);
  expect(await firstSteps(seller.id)).toMatchObject({ checkoutSeen: true });
});

test("looking at the checkout twice keeps the first time", async () => {
  const seller = await makeSeller();
  await noteCheckoutSeen(seller.id);
  const [first] = await sql`select checkout_seen_at from sellers where id = ${seller.id}`;
  await noteCheckoutSeen(seller.id);
  expect(await sql`select checkout_seen_at from sellers where id = ${seller.id}`).toEqual([first]);
});

test("who has an order has a checkout that was seen; who has sold needs no first steps, though it was given back", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  await makeSale(product);
  expect(await firstSteps(seller.id)).toMatchObject({ checkoutSeen: true });
  const now = new Date();
  await makeSale(product, { status: "refunded", completedAt: now, refundedAt: now });
  expect(await firstSteps(seller.id)).toBeNull();
});

test("another seller's products and sales are no steps of one's own", async () => {
  const [seller, other] = [await makeSeller(), await makeSeller()];
  await makeSale(await makeProduct(other), { status: "completed" });
  await noteCheckoutSeen(other.id);
  expect(await firstSteps(seller.id)).toEqual({ emailConfirmed: true, product: null, checkoutSeen: false });
});
