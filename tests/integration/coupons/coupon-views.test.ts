import { expect, test } from "vitest";
import type { MailData, RenderedMailKind } from "#app/db/schema/mail-data.ts";
import { findPurchaseReceipt } from "#app/domain/buyer/list-purchases.server.ts";
import { placeOrder } from "#app/domain/checkout/place-order.server.ts";
import { orderBody } from "#app/domain/delivery/utmify/order-body.ts";
import { hotmartBody } from "#app/domain/delivery/webhook/hotmart-body.server.ts";
import { kiwifyBody } from "#app/domain/delivery/webhook/kiwify-body.server.ts";
import { singleOrders } from "#app/domain/delivery/webhook/single-orders.server.ts";
import { standardBody } from "#app/domain/delivery/webhook/standard-webhook.server.ts";
import { exportBuyer } from "#app/domain/erasure/export-buyer.server.ts";
import { exportSeller } from "#app/domain/erasure/export-seller.server.ts";
import { readBreakdown } from "#app/domain/reports/figures/read-breakdown.server.ts";
import { listSales } from "#app/domain/reports/list-sales.server.ts";
import { toSaleJson } from "#app/domain/reports/sale-json.ts";
import { readSalesFilter } from "#app/domain/reports/sales-filter.ts";
import { showSale } from "#app/domain/reports/show-sale.server.ts";
import { streamCsv } from "#app/domain/reports/stream-csv.server.ts";
import { renderMail } from "#app/domain/sale/mails/render-mail.server.ts";
import { readNotification } from "#app/domain/sale/notification/read-notification.server.ts";
import { settleCharge } from "#app/domain/settlement/settle-charge.server.ts";
import { buildReceipt } from "#app/ui/buyer/purchases/build-receipt.ts";
import { orderOf } from "#tests/integration/orders/order-of.ts";
import { openShop } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeCoupon } from "#tests/support/make.ts";

const app = await startApp({ worker: 0 });

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

const ROWS =
  /Curso de Violão R\$ 97,00 Apostila de cifras R\$ 19,90 Cupom METADE − R\$ 58,45 Total R\$ 58,45/;
const plain = (html: string) => html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");

test("a receipt shows list prices, the discount by its code, and what was paid", async () => {
  const { saleId } = await sold();
  const receipt = buildReceipt({ ...(await findPurchaseReceipt(EMAIL, saleId)), email: EMAIL });
  expect(receipt.lines.map(({ name, amount }) => [name, amount])).toEqual([
    ["Curso de Violão", "R$ 97,00"],
    ["Apostila de cifras", "R$ 19,90"],
    ["Cupom METADE", "− R$ 58,45"],
  ]);
  expect(receipt.totals).toEqual([{ label: "Total pago", amount: "R$ 58,45" }]);
});

test("every mail with the lines of a sale shows the same", async () => {
  const { saleId } = await sold();
  const at = new Date().toISOString();
  const pix = { pixCode: "00020126", expiresAt: null, notice: null };
  const data: { [K in RenderedMailKind]: MailData[K] } = {
    purchase: { paidAt: at },
    upsell: { paidAt: at },
    access: { paidAt: at },
    "new-sale": { paidAt: at },
    pix,
    reminder: { ...pix, number: 1 },
    refund: {},
    "payment-news": { what: "overpaid", amountCents: 5845, at },
    surplus: { amountCents: 5845 },
    "failed-payment": { why: "cancelled", detail: "" },
    "wrong-amount": { amountCents: 100 },
    "unconfirmed-refund": { amountCents: 5845, requestedAt: at },
    "shop-closed": { closedAt: at },
    "shop-reopened": { closedAt: at },
    "observed-refund": { amountCents: 5845, access: "ended" },
    dispute: { what: "opened", amountCents: 5845, suspends: true },
    "dispute-access": { what: "opened", amountCents: 5845 },
  };
  const withoutLines: string[] = [];
  for (const kind of Object.keys(data) as RenderedMailKind[]) {
    const { mail } = await renderMail({ kind, saleId, recipient: EMAIL, data: data[kind] });
    if (plain(mail.html).includes("Total")) expect(plain(mail.html), kind).toMatch(ROWS);
    else withoutLines.push(kind);
  }
  expect(withoutLines).toEqual(["payment-news", "shop-closed", "shop-reopened"]);
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
    .map((line) => line.split(";").slice(-4));
  expect([head, row]).toEqual([
    ["Cupom", "Desconto", "Oferta", "Quantidade"],
    ["METADE", "58,45", "", "1"],
  ]);
  const { rows } = await readBreakdown(seller.id, "coupon", filter.period);
  expect(rows).toMatchObject([
    { key: "METADE", created: 1, sold: 1, revenueCents: 5845, discountCents: 5845 },
  ]);
});

test("what seller and buyer may take with them names it, too", async () => {
  const { saleId, seller } = await sold();
  const files = { vendas: exportSeller(seller.id), pedidos: exportBuyer(EMAIL) };
  for (const [list, pieces] of Object.entries(files)) {
    let file = "";
    for await (const piece of pieces) file += piece;
    const orders = JSON.parse(file)[list];
    expect(orders.find(({ numero }: { numero: string }) => numero === saleId)).toMatchObject({
      valor: 58.45,
      cupom: "METADE",
      itens: [
        { valor: 48.5, desconto: 48.5 },
        { valor: 9.95, desconto: 9.95 },
      ],
    });
  }
});

test("webhooks in the three formats and UTMify get the values after the discount, and the code where they have a field", async () => {
  const { saleId, seller } = await sold();
  const notification = (await readNotification({
    ...{ sellerId: seller.id, saleId, aboutId: saleId, event: "sale.paid", at: new Date(), email: null },
  }))!;
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

test("an order that a coupon makes free says nothing of a payment", async () => {
  const shop = await openShop();
  await makeCoupon(shop.seller, { code: "BOLSA", percent: 100, includesBumps: true });
  const order = { ...orderOf(shop, EMAIL), coupons: { typed: "bolsa", linked: null } };
  const { saleId } = await placeOrder(order);
  const at = new Date().toISOString();
  for (const kind of ["purchase", "new-sale"] as const) {
    const { mail } = await renderMail({ kind, saleId, recipient: EMAIL, data: { paidAt: at } });
    const text = `${mail.subject} ${plain(mail.html)}`;
    expect(text, kind).toMatch(/Cupom BOLSA − R\$ 116,90 Total R\$ 0,00/);
    expect(text, kind).not.toMatch(/pagamento/i);
  }
  const receipt = buildReceipt({ ...(await findPurchaseReceipt(EMAIL, saleId)), email: EMAIL });
  expect(receipt.lines.at(-1)).toMatchObject({ name: "Cupom BOLSA", amount: "− R$ 116,90" });
  expect(receipt.details).toContainEqual(["Forma de pagamento", "Nenhuma: pedido gratuito"]);
  const page = plain(await (await app.fetch(`/thank-you/${saleId}`)).text());
  expect(page).toMatch(/Cupom BOLSA\s*− R\$ 116,90/);
  expect(page).not.toMatch(/PIX/);
});
