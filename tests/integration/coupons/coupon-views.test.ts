import { and, eq, inArray } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { mails as mailRows } from "#app/db/schema/mails.server.ts";
import { findPurchaseReceipt } from "#app/domain/buyer/list-purchases.server.ts";
import { placeOrder } from "#app/domain/checkout/place-order.server.ts";
import { orderBody } from "#app/domain/delivery/utmify/order-body.ts";
import { hotmartBody } from "#app/domain/delivery/webhook/hotmart-body.server.ts";
import { kiwifyBody } from "#app/domain/delivery/webhook/kiwify-body.server.ts";
import { singleOrders } from "#app/domain/delivery/webhook/single-orders.server.ts";
import { standardBody } from "#app/domain/delivery/webhook/standard-body.ts";
import { readBreakdown } from "#app/domain/reports/figures/read-breakdown.server.ts";
import { listSales } from "#app/domain/reports/list-sales.server.ts";
import { toSaleJson } from "#app/domain/reports/sale-json.ts";
import { readSalesFilter } from "#app/domain/reports/sales-filter.ts";
import { showSale } from "#app/domain/reports/show-sale.server.ts";
import { streamCsv } from "#app/domain/reports/stream-csv.server.ts";
import { renderMail } from "#app/domain/sale/mails/render-mail.server.ts";
import { readNotification } from "#app/domain/sale/read-notification.server.ts";
import { settleCharge } from "#app/domain/settlement/settle-charge.server.ts";
import { buildReceipt } from "#app/ui/buyer/purchases/build-receipt.ts";
import { orderOf } from "#tests/integration/orders/order-of.ts";
import { openShop } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeCoupon } from "#tests/support/make.ts";

await startApp({ web: 0, worker: 0 });

const EMAIL = "bia@exemplo.com.br";

/** A paid sale of R$ 97,00 and R$ 19,90, both half off. */
async function sold() {
  const shop = await openShop();
  await makeCoupon(shop.seller, { code: "METADE", percent: 50, includesBumps: true });
  const order = { ...orderOf(shop, EMAIL), coupons: { typed: "metade", linked: null } };
  const { saleId, chargeId } = await placeOrder(order);
  const [charge] = await sql`select provider_id from charges where id = ${chargeId}`;
  await settleCharge(chargeId!, {
    providerId: charge!.provider_id,
    state: "paid",
    providerStatus: "paid",
    amountCents: 5845,
    feeCents: 35,
    refundedCents: null,
    webhookUrl: null,
  });
  return { ...shop, saleId };
}

const plain = (html: string) => html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");

test("receipt and mails show list prices, the discount by its code, and what was paid", async () => {
  const { saleId } = await sold();
  const receipt = buildReceipt({ ...(await findPurchaseReceipt(EMAIL, saleId)), email: EMAIL });
  expect(receipt.lines.map(({ name, amount }) => [name, amount])).toEqual([
    ["Curso de Violão", "R$ 97,00"],
    ["Apostila de cifras", "R$ 19,90"],
    ["Cupom METADE", "− R$ 58,45"],
  ]);
  expect(receipt.total).toBe("R$ 58,45");
  const mails = await db
    .select()
    .from(mailRows)
    .where(and(eq(mailRows.saleId, saleId), inArray(mailRows.kind, ["purchase", "new-sale"])));
  expect(mails.map(({ kind }) => kind).sort()).toEqual(["new-sale", "purchase"]);
  for (const mail of mails) {
    const rendered = await renderMail(mail as unknown as Parameters<typeof renderMail>[0]);
    expect(plain(rendered.mail.html)).toMatch(
      /Curso de Violão R\$ 97,00 Apostila de cifras R\$ 19,90 Cupom METADE − R\$ 58,45 Total R\$ 58,45/,
    );
  }
});

test("API, details, file and report name the coupon and its discount", async () => {
  const { saleId, seller } = await sold();
  const filter = readSalesFilter(new URLSearchParams({ range: "30d" }), new Date());
  const { items } = await listSales(seller.id, filter, { limit: 10 });
  expect(toSaleJson(items[0]!)).toMatchObject({
    coupon: { code: "METADE", discount: 58.45 },
    amount: 58.45,
  });
  const { sale, lines } = await showSale(seller.id, saleId);
  expect([sale.couponCode, sale.discountCents]).toEqual(["METADE", 5845]);
  expect(lines.map((line) => [line.priceCents, line.discountCents])).toEqual([
    [4850, 4850],
    [995, 995],
  ]);
  let csv = "";
  for await (const piece of streamCsv(seller.id, filter)) csv += piece;
  const [head, row] = csv
    .trimEnd()
    .split("\r\n")
    .map((line) => line.split(";").slice(-2));
  expect([head, row]).toEqual([
    ["Cupom", "Desconto"],
    ["METADE", "58,45"],
  ]);
  const { rows } = await readBreakdown(seller.id, "coupon", filter.period);
  expect(rows).toMatchObject([
    { key: "METADE", created: 1, sold: 1, revenueCents: 5845, discountCents: 5845 },
  ]);
});

test("webhooks in the three formats and UTMify get the values after the discount, and the code where they have a field", async () => {
  const { saleId } = await sold();
  const [event] = await sql`select created_at as at from sales where id = ${saleId}`;
  const notification = (await readNotification({
    saleId,
    aboutId: saleId,
    event: "sale.paid",
    at: event!.at,
    email: null,
  } as Parameters<typeof readNotification>[0]))!;
  expect(standardBody(notification).data).toMatchObject({
    sale: { amount_cents: 5845, coupon: { code: "METADE", discount: 58.45, discount_cents: 5845 } },
    items: [
      { price_cents: 4850, discount_cents: 4850 },
      { price_cents: 995, discount_cents: 995 },
    ],
  });
  const orders = singleOrders(notification);
  expect(orders.map((order) => hotmartBody(notification, order)!.data.purchase)).toMatchObject([
    { price: { value: 48.5 }, original_offer_price: { value: 97 }, offer: { coupon_code: "METADE" } },
    { price: { value: 9.95 }, original_offer_price: { value: 19.9 }, offer: { coupon_code: "METADE" } },
  ]);
  expect(orders.map((order) => kiwifyBody(notification, order)!.Commissions)).toMatchObject([
    { charge_amount: 4850, product_base_price: 9700 },
    { charge_amount: 995, product_base_price: 1990 },
  ]);
  const utmify = orderBody(notification, "checkintelli");
  expect(utmify.commission.totalPriceInCents).toBe(5845);
  expect(utmify.products.map(({ priceInCents }) => priceInCents)).toEqual([4850, 995]);
});
