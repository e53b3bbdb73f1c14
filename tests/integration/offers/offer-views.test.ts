import { expect, test } from "vitest";
import { findPurchaseReceipt } from "#app/domain/buyer/list-purchases.server.ts";
import { placeOrder } from "#app/domain/checkout/place-order.server.ts";
import { orderBody } from "#app/domain/delivery/utmify/order-body.ts";
import { hotmartBody } from "#app/domain/delivery/webhook/hotmart-body.server.ts";
import { kiwifyBody } from "#app/domain/delivery/webhook/kiwify-body.server.ts";
import { singleOrders } from "#app/domain/delivery/webhook/single-orders.server.ts";
import { standardBody } from "#app/domain/delivery/webhook/standard-webhook.server.ts";
import { readBreakdown } from "#app/domain/reports/figures/read-breakdown.server.ts";
import { listChoices } from "#app/domain/reports/list-choices.server.ts";
import { listSales } from "#app/domain/reports/list-sales.server.ts";
import { toSaleJson } from "#app/domain/reports/sale-json.ts";
import { readSalesFilter } from "#app/domain/reports/sales-filter.ts";
import { streamCsv } from "#app/domain/reports/stream-csv.server.ts";
import { readNotification } from "#app/domain/sale/notification/read-notification.server.ts";
import { settleCharge } from "#app/domain/settlement/settle-charge.server.ts";
import { loadSales } from "#app/routes/seller/reports/sales.server.ts";
import { buildReceipt } from "#app/ui/buyer/purchases/build-receipt.ts";
import { orderOf } from "#tests/integration/orders/order-of.ts";
import { openShop } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeOffer, makeProduct, signedIn } from "#tests/support/make.ts";

const app = await startApp({ worker: 0 });

const EMAIL = "bia@exemplo.com.br";
const plain = (html: string) =>
  html
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .replace(/\u00a0/g, " ");

/** A paid sale of three units at R$ 47,00 with a bump at R$ 19,90, and one at the product's own price. */
async function sold() {
  const shop = await openShop();
  const offer = await makeOffer(shop.product, { name: "Turma", maxQuantity: 5 });
  const order = orderOf(shop, EMAIL);
  await placeOrder({ ...order, fields: { ...order.fields, customer_email: "ana@exemplo.com.br" } });
  const { saleId, chargeId } = await placeOrder({
    ...order,
    product: { slug: offer.slug },
    fields: { ...order.fields, quantity: "3" },
  });
  const [charge] = await sql`select provider_id from charges where id = ${chargeId}`;
  await settleCharge(chargeId!, {
    providerId: charge!.provider_id,
    state: "paid",
    providerStatus: "paid",
    amountCents: 16_090,
    feeCents: 35,
    refundedCents: null,
    webhookUrl: null,
  });
  return { ...shop, offer, saleId };
}

test("the buyer's pages show the units and what all of them cost", async () => {
  const { saleId } = await sold();
  const receipt = buildReceipt({ ...(await findPurchaseReceipt(EMAIL, saleId)), email: EMAIL });
  expect(receipt.lines.map(({ name, amount }) => [name, plain(amount)])).toEqual([
    ["3 × Curso de Violão", "R$ 141,00"],
    ["Apostila de cifras", "R$ 19,90"],
  ]);
  const page = await (await app.fetch(`/thank-you/${saleId}`)).text();
  expect(plain(page)).toContain("3 × Curso de Violão");
});

test("API, file, filter and report name the offer", async () => {
  const { seller, offer, saleId } = await sold();
  const filter = readSalesFilter(new URLSearchParams({ range: "7d", offer: offer.id }), new Date());
  const { items } = await listSales(seller.id, filter, { limit: 10 });
  expect(items.map(({ id }) => id)).toEqual([saleId]);
  expect(toSaleJson(items[0]!)).toMatchObject({
    offer: { id: offer.id, name: "Turma" },
    quantity: 3,
    amount: 160.9,
    coupon: null,
  });
  const found = await listSales(seller.id, { ...filter, search: "bia comp" }, { limit: 10 });
  expect(found.items.map(({ id }) => id)).toEqual([saleId]);
  let csv = "";
  for await (const piece of streamCsv(seller.id, { ...filter, offerId: null })) csv += piece;
  const rows = csv.trimEnd().split("\r\n");
  expect(rows.map((row) => row.split(";").slice(-2))).toEqual([
    ["Oferta", "Quantidade"],
    ["Turma", "3"],
    ["", "1"],
  ]);
  const { rows: byOffer } = await readBreakdown(seller.id, "offer", filter.period);
  expect(byOffer).toMatchObject([{ key: offer.id, sold: 1, revenueCents: 16_090 }]);
  expect(await listChoices(seller.id)).toMatchObject({
    coupons: [],
    offers: [{ id: offer.id, name: "Turma", productName: "Curso de Violão" }],
  });
  const headers = await signedIn(seller);
  const details = plain(await (await app.fetch(`/reports/sales/${saleId}`, { headers })).text());
  expect(details).toContain("Oferta Turma");
  const reports = plain(await (await app.fetch(`/reports?offer=${offer.id}`, { headers })).text());
  expect(reports).toContain("Por oferta");
  expect(reports).toContain("Preço do produto: também os upsells, que são vendas à parte.");
  expect(reports).toContain("Curso de Violão: Turma");
});

test("offers of two products with one name are two rows of the report, each named with its product", async () => {
  const { seller, offer } = await sold();
  const other = await makeOffer(await makeProduct(seller, { name: "Curso de Viola" }), { name: "Turma" });
  const [own] = await sql`select id from sales where seller_id = ${seller.id} and offer_id is null`;
  await sql`update sales set status = 'completed', completed_at = now(), payment_method = 'pix', offer_id = ${other.id}, offer_name = 'Turma'
    where id = ${own!.id}`;
  const load = async () => {
    const { byOffer } = await loadSales(seller.id, new URLSearchParams("range=7d"));
    return byOffer.rows.map(({ key, name }) => [name, key]).toSorted();
  };
  expect(await load()).toEqual([
    ["Curso de Viola: Turma", other.id],
    ["Curso de Violão: Turma", offer.id],
  ]);
  await sql`update offers set name = 'Lote' where id = ${other.id}`;
  expect(await load()).toEqual([
    ["Lote", other.id],
    ["Turma", offer.id],
  ]);
});

test("webhooks of all formats and UTMify have the paid amount; ours names offer and units", async () => {
  const { offer, saleId } = await sold();
  const notification = (await readNotification({
    ...{ sellerId: offer.sellerId, saleId, aboutId: saleId, event: "sale.paid", at: new Date(), email: null },
  }))!;
  expect(standardBody(notification).data).toMatchObject({
    sale: { offer: { id: offer.id, name: "Turma" }, amount_cents: 16_090 },
    items: [
      { name: "3 × Curso de Violão", quantity: 3, price_cents: 14_100 },
      { quantity: 1, price_cents: 1990 },
    ],
  });
  // The link of a reminder leads to the price that the buyer saw.
  expect(notification.product.checkoutUrl).toMatch(new RegExp(`/checkout/s/${offer.slug}$`));
  const [order] = singleOrders(notification);
  expect(JSON.stringify(kiwifyBody(notification, order!))).toContain("14100");
  expect(JSON.stringify(hotmartBody(notification, order!))).toContain('"value":141');
  const products = orderBody(notification, "checkintelli").products;
  expect(products.map(({ priceInCents, quantity }) => priceInCents * quantity)).toEqual([14_100, 1990]);
});

test("the buyer of an offer gets what it includes, as it is now, and nothing else of the product", async () => {
  const { offer, saleId, product } = await sold();
  const [content] = await sql<{ id: string }[]>`
    insert into contents (seller_id, product_id) values (${product.sellerId}, ${product.id}) returning id`;
  const items = await sql<{ id: string; name: string }[]>`
    insert into content_items (seller_id, content_id, kind, name, html, position)
    select ${product.sellerId}, ${content!.id}, 'text', name, '<p>Texto</p>', at
    from unnest(array['Aula 1', 'Bônus']) with ordinality as x (name, at) returning id, name`;
  const [lesson, bonus] = items;
  const include = (ids: string[] | null) =>
    sql`update offers set content_item_ids = ${ids} where id = ${offer.id}`;
  const shown = async () => {
    const receipt = await findPurchaseReceipt(EMAIL, saleId);
    return receipt.lines.flatMap((line) => line.items.map(({ name }) => name));
  };
  const { line } = (
    await sql`select id as line from sale_lines where sale_id = ${saleId} and kind = 'product'`
  )[0]!;
  const openItem = async ({ id }: { id: string }) =>
    (await app.fetch(`/download/${saleId}/${line}?item=${id}`, { redirect: "manual" })).status;
  expect(await shown()).toEqual(["Aula 1", "Bônus"]);
  await include([lesson!.id]);
  expect(await shown()).toEqual(["Aula 1"]);
  expect([await openItem(lesson!), await openItem(bonus!)]).toEqual([200, 404]);
  await include(null);
  expect([await openItem(lesson!), await openItem(bonus!)]).toEqual([200, 200]);
});
