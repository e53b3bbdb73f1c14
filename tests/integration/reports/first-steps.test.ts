import { expect, test } from "vitest";
import { missingGatewayReason } from "#app/domain/gateway/missing-gateway-reason.server.ts";
import { readReceiving } from "#app/domain/gateway/read-receiving.server.ts";
import { readFirstSteps } from "#app/domain/reports/first-steps.server.ts";
import { markCheckoutSeen } from "#app/domain/storefront/find-preview-product.server.ts";
import { showSteps } from "#app/ui/seller/first-steps/steps.server.ts";
import { sql } from "#tests/support/database.ts";
import { makeGateway, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";

test("the first steps are derived from the data, one after the other", async () => {
  const seller = await makeSeller({ emailVerifiedAt: null });
  expect(await readFirstSteps(seller.id)).toEqual({
    emailConfirmed: false,
    product: null,
    checkoutSeen: false,
  });
  await sql`update sellers set email_verified_at = now() where id = ${seller.id}`;
  expect(await readFirstSteps(seller.id)).toMatchObject({ emailConfirmed: true });
  const first = await makeProduct(seller, { checkoutSlug: null });
  const second = await makeProduct(seller, { checkoutSlug: "segundo-passo" });
  expect((await readFirstSteps(seller.id))!.product).toEqual({
    id: second.id,
    checkoutSlug: "segundo-passo",
    active: true,
  });
  await sql`update products set archived_at = now() where id = ${second.id}`;
  await sql`update products set deactivated_at = now() where id = ${first.id}`;
  expect((await readFirstSteps(seller.id))!.product).toMatchObject({ id: first.id, active: false });
  await markCheckoutSeen(seller.id);
  expect(await readFirstSteps(seller.id)).toMatchObject({ checkoutSeen: true });
});

test("of products made at once the last one is the newest", async () => {
  const seller = await makeSeller();
  const createdAt = new Date();
  await makeProduct(seller, { createdAt });
  const last = await makeProduct(seller, { createdAt });
  expect((await readFirstSteps(seller.id))!.product).toMatchObject({ id: last.id });
});

test("a product on sale is the one to share, though a draft is newer", async () => {
  const seller = await makeSeller();
  const sold = await makeProduct(seller);
  await makeProduct(seller, { deactivatedAt: new Date() });
  const { product } = (await readFirstSteps(seller.id))!;
  expect(product).toMatchObject({ id: sold.id, active: true });
});

test("the step to a gateway says whether its key is missing, or receiving is switched off", async () => {
  const seller = await makeSeller();
  const stepOf = async () =>
    showSteps(seller, (await readFirstSteps(seller.id))!, await readReceiving(seller.id)).find(
      ({ id }) => id === "gateway",
    )!;
  await makeGateway(seller, { provider: "stripe" });
  expect(await stepOf()).toMatchObject({ done: false, text: expect.stringContaining("falta a sua API Key") });
  await makeGateway(seller, { enabledAt: null });
  const off = await stepOf();
  expect(off).toMatchObject({ done: false, text: expect.stringContaining("A API Key está salva") });
  expect(off.text).not.toContain("falta");
  expect(missingGatewayReason(await readReceiving(seller.id))).toContain("a API Key está salva");
  await sql`update gateway_accounts set enabled_at = now() where seller_id = ${seller.id} and provider = 'pushinpay'`;
  expect(await stepOf()).toMatchObject({ done: true });
  expect(missingGatewayReason(await readReceiving(seller.id))).toBeNull();
});

test("opening the checkout twice keeps the first time", async () => {
  const seller = await makeSeller();
  await markCheckoutSeen(seller.id);
  const [first] = await sql`select checkout_seen_at from sellers where id = ${seller.id}`;
  await markCheckoutSeen(seller.id);
  expect(await sql`select checkout_seen_at from sellers where id = ${seller.id}`).toEqual([first]);
});

test("an order implies a seen checkout; a sale needs no first steps, even if it was refunded", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  await makeSale(product);
  expect(await readFirstSteps(seller.id)).toMatchObject({ checkoutSeen: true });
  const now = new Date();
  await makeSale(product, { status: "refunded", completedAt: now, refundedAt: now });
  expect(await readFirstSteps(seller.id)).toBeNull();
});

test("another seller's products and sales are no steps of one's own", async () => {
  const [seller, other] = [await makeSeller(), await makeSeller()];
  await makeSale(await makeProduct(other), { status: "completed" });
  await markCheckoutSeen(other.id);
  expect(await readFirstSteps(seller.id)).toEqual({
    emailConfirmed: true,
    product: null,
    checkoutSeen: false,
  });
});
