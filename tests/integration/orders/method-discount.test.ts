import { expect, test } from "vitest";
import { findPurchaseReceipt } from "#app/domain/buyer/list-purchases.server.ts";
import { findCoupons } from "#app/domain/coupon/choose-coupon.server.ts";
import { hotmartBody } from "#app/domain/delivery/webhook/hotmart-body.server.ts";
import { kiwifyBody } from "#app/domain/delivery/webhook/kiwify-body.server.ts";
import { singleOrders } from "#app/domain/delivery/webhook/single-orders.server.ts";
import { standardBody } from "#app/domain/delivery/webhook/standard-webhook.server.ts";
import { exportBuyer } from "#app/domain/erasure/export-buyer.server.ts";
import { placeSale } from "#app/domain/order/place-sale.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { readNotification } from "#app/domain/sale/notification/read-notification.server.ts";
import { settleCharge } from "#app/domain/settlement/settle-charge.server.ts";
import { buildReceipt } from "#app/ui/buyer/purchases/build-receipt.ts";
import { openShop, order } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeCoupon, signedIn } from "#tests/support/make.ts";

const app = await startApp({ worker: 0 });

const EMAIL = "bia@exemplo.com.br";
/** R$ 97,00 less 10 % is R$ 87,30, less 5 % of that R$ 82,93; the bump of R$ 19,90 less 5 % is R$ 18,90. */
const LINES = [
  { price_cents: 8293, discount_cents: 970, method_discount_cents: 437 },
  { price_cents: 1890, discount_cents: 0, method_discount_cents: 100 },
];

test("a payment method's discount is stored by line, charged, and shown as a row of its own", async () => {
  const { seller, product, bump } = await openShop();
  await makeCoupon(seller, { code: "DEZ", percent: 10 });
  const [coupon] = await findCoupons(seller.id, ["DEZ"]);
  const { saleId } = await placeSale(
    order(product.id, { bumpIds: [bump.id], coupon: coupon!, pixPercent: 5 }),
  );
  const again = (pixPercent: number) =>
    placeSale(order(product.id, { bumpIds: [bump.id], coupon: coupon!, pixPercent }));
  expect((await again(5)).saleId).toBe(saleId);
  expect((await again(6)).saleId).not.toBe(saleId);
  const { chargeId } = await startPix(saleId);
  expect(
    await sql`select price_cents, discount_cents, method_discount_cents from sale_lines
      where sale_id = ${saleId} order by position`,
  ).toEqual(LINES);
  const [charge] = await sql`select c.amount_cents as charged, s.amount_cents as sold, c.provider_id as id
    from charges c inner join sales s on s.id = c.sale_id where c.id = ${chargeId}`;
  expect(charge).toMatchObject({ charged: 10_183, sold: 10_183 });
  const text = (html: string) => html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
  const rows = /97,00 .*19,90 .*Cupom DEZ − R\$.9,70 .*Desconto no PIX − R\$.5,37 .*R\$.101,83/;
  expect(text(await (await app.fetch(`/checkout/pix/${saleId}`)).text())).toMatch(rows);

  await settleCharge(chargeId, {
    ...{ providerId: charge!.id, state: "paid", providerStatus: "paid", amountCents: 10_183 },
    ...{ feeCents: null, refundedCents: null, webhookUrl: null },
  });
  expect(text(await (await app.fetch(`/thank-you/${saleId}`)).text())).toMatch(rows);
  const receipt = buildReceipt({ ...(await findPurchaseReceipt(EMAIL, saleId)), email: EMAIL });
  expect(receipt.lines.map(({ name, amount }) => `${name} ${amount}`).slice(2)).toEqual([
    "Cupom DEZ − R$ 9,70",
    "Desconto no PIX − R$ 5,37",
  ]);
  const headers = await signedIn(seller);
  expect(text(await (await app.fetch(`/reports/sales/${saleId}`, { headers })).text())).toMatch(rows);
  const details = await (await app.fetch(`/api/sales/${saleId}/details`, { headers })).json();
  expect(details.lines.map((line: { method_discount: number }) => line.method_discount)).toEqual([4.37, 1]);
  expect(details.sale).toMatchObject({ amount: 101.83, coupon: { code: "DEZ", discount: 9.7 } });

  const notification = (await readNotification({
    ...{ sellerId: seller.id, saleId, aboutId: saleId, event: "sale.paid", at: new Date(), email: null },
  }))!;
  expect(standardBody(notification).data.items).toMatchObject(LINES);
  const orders = singleOrders(notification);
  expect(orders.map((one) => kiwifyBody(notification, one)!.Commissions)).toMatchObject([
    { charge_amount: 8293, product_base_price: 9700 },
    { charge_amount: 1890, product_base_price: 1990 },
  ]);
  expect(orders.map((one) => hotmartBody(notification, one)!.data.purchase)).toMatchObject([
    { price: { value: 82.93 }, original_offer_price: { value: 97 } },
    { price: { value: 18.9 }, original_offer_price: { value: 19.9 } },
  ]);
  let file = "";
  for await (const piece of exportBuyer(EMAIL)) file += piece;
  const exported = JSON.parse(file).pedidos.find(({ numero }: { numero: string }) => numero === saleId);
  expect(exported.itens).toMatchObject([
    { valor: 82.93, desconto: 14.07 },
    { valor: 18.9, desconto: 1 },
  ]);
});
