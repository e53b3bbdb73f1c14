import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { DeliveryEvent } from "#app/db/schema/lists.ts";
import { readNotification } from "#app/domain/sale/notification/read-notification.server.ts";
import { createPurchaseKey } from "#app/domain/sale/purchase-key.server.ts";
import { seal } from "#app/platform/secrets.server.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeCoupon, makeOffer, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";

const AT = new Date("2026-11-25T12:00:00Z");
const before = (minutes: number) => new Date(AT.getTime() - minutes * 60_000);

/** What destinations receive of a sale. `aboutId`: of what the event is about; the sale's own by default. */
async function notificationOf(
  sale: { id: string; sellerId: string },
  event: DeliveryEvent = "sale.paid",
  aboutId: string = sale.id,
) {
  const occurrence = { sellerId: sale.sellerId, saleId: sale.id, aboutId, event, at: AT, email: null };
  return (await readNotification(occurrence))!;
}

const keyOf = (sale: { id: string; customerEmail: string }) => createPurchaseKey(sale.id, sale.customerEmail);

test("a notification has what was recorded of a sale", async () => {
  const seller = await makeSeller({ company: "Escola da Vera" });
  const product = await makeProduct(seller);
  const offer = await makeOffer(product);
  const coupon = await makeCoupon(seller, { code: "MENOS10" });
  const sale = await makeSale(product, {
    ...{ status: "completed", paymentMethod: "card", guaranteeDays: 15 },
    ...{ couponId: coupon.id, couponCode: coupon.code },
    ...{ offerId: offer.id, offerName: offer.name, customerDocumentSealed: seal("52998224725") },
    ...{ adConsent: true, adIds: { agent: "Mozilla/5.0" }, utmSource: "instagram", campaign: { src: "bio" } },
  });
  await sql`update sale_lines set discount_cents = 970 where sale_id = ${sale.id}`;
  expect(await notificationOf(sale)).toMatchObject({
    ...{ isTest: false, at: AT, seller: { id: seller.id, name: "Escola da Vera", email: seller.email } },
    sale: {
      ...{ coupon: { code: "MENOS10", discountCents: 970 }, offer: { id: offer.id, name: offer.name } },
      ...{ guaranteeDays: 15, amountCents: 9700, refundedCents: 0, paymentMethod: "card" },
    },
    product: { checkoutUrl: `${process.env.APP_URL}/checkout/s/${offer.slug}` },
    customer: { email: sale.customerEmail, document: "52998224725" },
    ...{ campaign: { utm_source: "instagram", src: "bio" }, ads: { agent: "Mozilla/5.0" }, pix: null },
    accessUrl: `${process.env.APP_URL}/thank-you/${sale.id}?chave=${keyOf(sale)}`,
  });
});

test("what was not recorded is null, and ads need the buyer's consent", async () => {
  const adIds = { agent: "Mozilla/5.0" };
  const sale = await makeSale(await makeProduct(await makeSeller()), { adConsent: false, adIds });
  expect(await notificationOf(sale, "checkout.started")).toMatchObject({
    ...{ seller: { name: "Vera Vendedora" }, customer: { document: null }, campaign: {}, ads: null },
    ...{ pix: null, sale: { coupon: null, offer: null, instalments: null, refundCents: null } },
    ...{ refundRequest: null, dispute: null, moneyReturned: false, suspended: false, stillOwnedCodes: [] },
  });
});

test("the PIX is that of the event, else the one that counts, else the newest", async () => {
  const sale = await makeSale(await makeProduct(await makeSeller()));
  const code = (pixCode: string | null, minutesAgo: number, fields: Parameters<typeof makeCharge>[1]) =>
    makeCharge(sale, { pixCode, createdAt: before(minutesAgo), expiresAt: before(0), ...fields });
  const pixOf = async (aboutId?: string) => (await notificationOf(sale, "pix.generated", aboutId)).pix;
  const first = await code("first", 50, { status: "expired" });
  await code("second", 40, { status: "expired" });
  await code(null, 5, { status: "creating" });
  const url = `${process.env.APP_URL}/checkout/pix/${sale.id}?chave=${keyOf(sale)}`;
  expect(await pixOf()).toEqual({ code: "second", expiresAt: before(0), url });
  await code("paid", 30, { status: "paid", expiresAt: null });
  await code("twice", 20, { status: "paid", overpaidAt: AT });
  await code("newest", 10, {});
  expect(await pixOf()).toEqual({ code: "paid", expiresAt: null, url });
  expect(await pixOf(first.id)).toMatchObject({ code: "first" });
});

test("the instalments are those of the card that paid, else of the newest, and of no PIX", async () => {
  const product = await makeProduct(await makeSeller());
  const instalmentsOf = async (paymentMethod: "card" | "pix", paid: boolean) => {
    const sale = await makeSale(product, { paymentMethod });
    const card = (instalments: number, minutesAgo: number, fields: Parameters<typeof makeCharge>[1] = {}) =>
      makeCharge(sale, {
        ...{ provider: "mercadopago", method: "card", status: "declined", declineReason: "limit" },
        ...{ instalments, createdAt: before(minutesAgo), ...fields },
      });
    await card(3, 50);
    if (paid) await card(12, 40, { status: "paid", declineReason: null });
    await card(6, 30);
    return (await notificationOf(sale)).sale.instalments;
  };
  expect(await instalmentsOf("card", true)).toBe(12);
  expect(await instalmentsOf("card", false)).toBe(6);
  expect(await instalmentsOf("pix", false)).toBeNull();
});

test("a refund request and a dispute are delivered with their own events, and whether the access is suspended", async () => {
  const sale = await makeSale(await makeProduct(await makeSeller()), { status: "disputed" });
  const [requestId, disputeId] = [randomUUID(), randomUUID()];
  await sql`insert into refund_requests (id, sale_id, seller_id, kind) values (${requestId}, ${sale.id}, ${sale.sellerId}, 'question')`;
  await sql`insert into disputes (id, sale_id, seller_id, amount_cents, origin)
    values (${disputeId}, ${sale.id}, ${sale.sellerId}, 9700, 'seller')`;
  const of = (event: DeliveryEvent, aboutId: string) => notificationOf(sale, event, aboutId);
  expect(await of("refund.requested", requestId)).toMatchObject({ refundRequest: "question" });
  expect(await of("sale.disputed", requestId)).toMatchObject({ refundRequest: null });
  const disputed = { dispute: "open", moneyReturned: false };
  expect(await of("sale.disputed", disputeId)).toMatchObject({ ...disputed, suspended: false });
  await sql`update sales set access_suspended_at = now() where id = ${sale.id}`;
  expect(await of("access.revoked", disputeId)).toMatchObject({ ...disputed, suspended: true });
});

test("a notification has the disputes that the bank rejected, oldest first", async () => {
  const sale = await makeSale(await makeProduct(await makeSeller()), { status: "completed" });
  await sql`insert into disputes (sale_id, seller_id, amount_cents, status, origin, opened_at, decided_at) values
    (${sale.id}, ${sale.sellerId}, 9700, 'won', 'seller', ${before(20)}, ${before(10)}),
    (${sale.id}, ${sale.sellerId}, 9700, 'won', 'seller', ${before(40)}, ${before(30)})`;
  const { rejectedDisputes } = (await notificationOf(sale, "refund.requested")).sale;
  expect(
    rejectedDisputes.map(({ openedAt, decidedAt }) => [new Date(openedAt), new Date(decidedAt)]),
  ).toEqual([
    [before(40), before(30)],
    [before(20), before(10)],
  ]);
});

test("a payment that is booked with its dispute comes before it", async () => {
  const sale = await makeSale(await makeProduct(await makeSeller()), { status: "disputed" });
  const disputeId = randomUUID();
  await sql`insert into disputes (id, sale_id, seller_id, amount_cents, origin, opened_at)
    values (${disputeId}, ${sale.id}, ${sale.sellerId}, 9700, 'provider', ${AT})`;
  expect(await notificationOf(sale, "access.granted")).toMatchObject({ wasDisputed: false });
  expect(await notificationOf(sale, "access.revoked", disputeId)).toMatchObject({ wasDisputed: true });
});

test.each(["refunded", "chargedback"] as const)("the money of a sale that is %s is back", async (status) => {
  const sale = await makeSale(await makeProduct(await makeSeller()), { status });
  expect(await notificationOf(sale)).toMatchObject({ moneyReturned: true });
});

test("where access ends the buyer's other purchases from the seller are named, as far as they have access", async () => {
  const customerEmail = `bia-${randomUUID()}@exemplo.com.br`;
  const [seller, stranger] = [await makeSeller(), await makeSeller()];
  const buy = async (of: { id: string }, fields: Parameters<typeof makeSale>[1] = {}) =>
    makeSale(await makeProduct(of), { status: "completed", customerEmail, ...fields });
  const ended = await buy(seller, { status: "refunded", completedAt: before(100) });
  const kept = await buy(seller);
  const disputed = await buy(seller, { status: "disputed" });
  const suspended = await buy(seller, { status: "disputed", accessSuspendedAt: AT });
  const earlier = { status: "refunded", completedAt: before(300), refundedAt: before(200) } as const;
  await buy(seller, earlier);
  await buy(seller, { status: "pending" });
  await buy(seller, { customerEmail: "caio@exemplo.com.br" });
  await buy(stranger);
  const { stillOwnedCodes, heldLines } = await notificationOf(ended, "access.revoked");
  expect(stillOwnedCodes.sort()).toEqual([kept, disputed].map(({ productId }) => String(productId)).sort());
  expect(heldLines.map(({ orderId }) => orderId)).toEqual([suspended.id]);
  expect(await notificationOf(ended, "sale.refunded")).toMatchObject({ stillOwnedCodes: [], heldLines: [] });
});
