import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { payByCard } from "#app/domain/card/pay-by-card.server.ts";
import { endCharge } from "#app/domain/charge/end-charge.server.ts";
import { placeSale } from "#app/domain/order/place-sale.server.ts";
import { closeOrders } from "#app/domain/pix/close-orders.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { paths } from "#app/kit/paths.ts";
import * as api from "#app/routes/api/payments/pushinpay.ts";
import * as card from "#app/routes/buyer/card.tsx";
import * as pix from "#app/routes/buyer/pix.tsx";
import * as thankYou from "#app/routes/buyer/thank-you.tsx";
import { inBrowserOf } from "#tests/integration/buyer/support.ts";
import { cardShop, cardToken } from "#tests/integration/cards/support.ts";
import { openShop, order, typedBuyer } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { newAddress } from "#tests/support/clients/client-address.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeOffer, makeSale, makeUpsell } from "#tests/support/make.ts";
import { call, type RouteModule } from "#tests/support/routes/call.ts";
import { makeWebhook } from "#tests/support/rows/make-webhook.ts";

const app = await startApp({ web: 0, worker: 0 });

const AGAIN = "Gerar novo PIX";
const NEW_ORDER = "Fazer um novo pedido";

async function open(route: RouteModule, saleId: string, intent?: string) {
  const answer = await call(route, paths.pix(saleId), {
    params: { saleId },
    headers: await inBrowserOf({ id: saleId }),
    ...(intent ? { method: "POST", body: new URLSearchParams({ intent }) } : {}),
  });
  const retryAfter = Number(answer.headers.get("retry-after"));
  return { status: answer.status, retryAfter, html: await answer.text() };
}

/** An order that was cancelled, as its buyer left it three days ago. */
async function cancelledOrder(productId: number, fields: Parameters<typeof order>[1] = {}) {
  const customer = { name: "Bia", email: `${randomUUID()}@exemplo.com.br`, phone: null, document: null };
  const { saleId } = await placeSale(order(productId, { customer, ...fields }));
  await startPix(saleId);
  await sql`update sales set created_at = now() - interval '3 days' where id = ${saleId}`;
  await sql`update charges set created_at = now() - interval '3 days', expires_at = now() - interval '2 days' where sale_id = ${saleId}`;
  await sql`delete from reminders where sale_id = ${saleId}`;
  await closeOrders.handle({}, { number: 1, last: false });
  expect(await statusOf(saleId)).toBe("cancelled");
  return saleId;
}

const statusOf = async (saleId: string) =>
  (await sql`select status from sales where id = ${saleId}`)[0]!.status as string;

test("a buyer who comes back to a cancelled order gets another code, and is neither mailed nor reminded anew", async () => {
  const { product } = await openShop();
  const saleId = await cancelledOrder(product.id);
  const page = (await open(pix, saleId)).html;
  expect(page).toContain("Este pedido foi cancelado");
  expect(page).toContain(AGAIN);
  expect((await open(pix, saleId, "again")).status).toBe(303);
  expect((await open(pix, saleId)).html).toContain("Copiar código");
  expect(await statusOf(saleId)).toBe("pending");
  const events = await sql`select kind, cause from sale_events where sale_id = ${saleId} order by id`;
  expect(events.slice(1)).toEqual([
    { kind: "cancelled", cause: "clock" },
    { kind: "reopened", cause: "buyer" },
  ]);
  expect(await sql`select kind from mails where sale_id = ${saleId}`).toEqual([{ kind: "pix" }]);
  expect(await sql`select from reminders where sale_id = ${saleId}`).toHaveLength(0);
  // Its new code can be paid for as long as any.
  await closeOrders.handle({}, { number: 1, last: false });
  expect(await statusOf(saleId)).toBe("pending");
});

test("webhooks hear of the code of a cancelled order, before they hear that it expired", async () => {
  const { seller, product } = await openShop();
  await makeWebhook(seller, { name: "codes", events: ["pix.generated", "pix.expired"] });
  const saleId = await cancelledOrder(product.id);
  expect((await open(pix, saleId, "again")).status).toBe(303);
  const [code] = await sql`select id from charges where sale_id = ${saleId} order by created_at desc limit 1`;
  await endCharge(code!.id as string, "expired");
  const said = await sql`select event from deliveries where about_id = ${code!.id} order by sequence`;
  expect(said.map(({ event }) => event)).toEqual(["pix.generated", "pix.expired"]);
});

test("a cancelled order whose code cannot be created stays cancelled, and offers it again", async () => {
  const { product } = await openShop();
  const saleId = await cancelledOrder(product.id);
  await app.sandbox.fault({ service: "pushinpay", route: "cashIn", mode: "status-422", body: {} });
  const refused = await open(pix, saleId, "again");
  expect(refused.status).toBe(503);
  expect(refused.html).toContain(AGAIN);
  expect(await statusOf(saleId)).toBe("cancelled");
});

test("a code that its provider refuses is requested six times within the hour, by page or API, and then every two minutes", async () => {
  const { seller, product } = await openShop();
  const body = { ...typedBuyer(`${randomUUID()}@exemplo.com.br`), product_id: product.id };
  const headers = { "X-Forwarded-For": newAddress() };
  const send = () => call(api, "/api/payments/pushinpay", { method: "POST", headers, body });
  const calls = async () => (await app.sandbox.calls()).pushinpay.cashIn;
  const before = await calls();
  await app.sandbox.fault({ service: "pushinpay", route: "cashIn", mode: "status-401", body: {}, times: 20 });
  for (let attempt = 0; attempt < 5; attempt++) expect((await send()).status).toBe(503);
  const [sale] = await sql`select id from sales where seller_id = ${seller.id}`;
  expect((await open(pix, sale!.id, "again")).status).toBe(503);
  const [sent, opened] = [await send(), await open(pix, sale!.id, "again")];
  expect([sent.status, opened.status]).toEqual([429, 429]);
  for (const seconds of [Number(sent.headers.get("retry-after")), opened.retryAfter]) {
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(120);
  }
  expect(opened.html).toMatch(
    /Não conseguimos gerar o PIX deste pedido em 6 tentativas\. Nada foi cobrado\. Tente de novo em \d+ minutos?\./,
  );
  expect(await calls()).toBe(before + 6);
  expect(await sql`select from charges where sale_id = ${sale!.id}`).toHaveLength(6);
  const wait = () =>
    sql`update charges set created_at = created_at - interval '2 minutes' where sale_id = ${sale!.id}`;
  await wait();
  expect((await open(pix, sale!.id, "again")).status).toBe(503);
  expect((await open(pix, sale!.id, "again")).status).toBe(429);
  await app.sandbox.endFaults("pushinpay");
  await wait();
  expect((await open(pix, sale!.id, "again")).status).toBe(303);
  expect((await open(pix, sale!.id)).html).toContain("Copiar código");
});

test("a cancelled order gets its units of an offer again, or is told that it is gone", async () => {
  const { product } = await openShop();
  const offer = await makeOffer(product, { maxUnits: 1 });
  const saleId = await cancelledOrder(product.id);
  await sql`update sales set offer_id = ${offer.id}, offer_name = ${offer.name} where id = ${saleId}`;
  await sql`insert into offer_uses (sale_id, seller_id, offer_id, quantity, released_at)
    values (${saleId}, ${product.sellerId}, ${offer.id}, 1, now())`;
  const units = async () => (await sql`select units from offers where id = ${offer.id}`)[0]!.units as number;
  await sql`update offers set units = 1 where id = ${offer.id}`;
  expect((await open(pix, saleId, "again")).html).toContain("deste pedido não vale mais. Nada foi cobrado");
  expect(await statusOf(saleId)).toBe("cancelled");
  await sql`update offers set units = 0 where id = ${offer.id}`;
  expect((await open(pix, saleId, "again")).status).toBe(303);
  expect([await statusOf(saleId), await units()]).toEqual(["pending", 1]);
});

test("the page of a cancelled order offers the card beside a new PIX", async () => {
  const { product } = await cardShop();
  const sale = await makeSale(product, { status: "cancelled" });
  await makeCharge(sale, { status: "expired" });
  const page = (await open(pix, sale.id)).html;
  expect(page).toContain(AGAIN);
  expect(page).toContain(`href="${paths.card(sale.id)}"`);
});

test("a cancelled order that was sent with a card can be paid by PIX", async () => {
  const { product } = await cardShop();
  const sale = await makeSale(product, { status: "cancelled", paymentMethod: "card" });
  const page = (await open(card, sale.id)).html;
  expect(page).toContain("Pague com cartão");
  expect(page).toContain("Pagar com PIX");
  expect((await open(pix, sale.id, "again")).status).toBe(303);
  expect(await statusOf(sale.id)).toBe("pending");
});

test.each([
  ["APRO", "completed"],
  ["OTHE", "pending"],
])("a card reopens a cancelled order, whose buyer is not reminded anew: %s", async (name, status) => {
  const { product } = await cardShop();
  const saleId = await cancelledOrder(product.id);
  const [instalment, document] = [1, "52998224725"];
  const token = await cardToken(app, name);
  await payByCard(saleId, {
    ...{ token, brand: "visa", instalments: instalment, holderName: "Bia Souza", document, deviceId: null },
  });
  expect(await statusOf(saleId)).toBe(status);
  const events = await sql`select kind from sale_events where sale_id = ${saleId} order by id`;
  const kinds = events.map(({ kind }) => kind);
  expect(kinds.slice(1)).toEqual(["cancelled", "reopened", ...(status === "completed" ? [status] : [])]);
  expect(await sql`select from reminders where sale_id = ${saleId}`).toHaveLength(0);
});

test("where the product is sold no longer, the page of an unpaid order promises no new code", async () => {
  const { product } = await cardShop();
  const made = async (status: "cancelled" | "pending", charges: Parameters<typeof makeCharge>[1][]) => {
    const sale = await makeSale(product, { status });
    for (const charge of charges) await makeCharge(sale, charge);
    return sale.id;
  };
  const ifPaid = "Se você já pagou, o pagamento será reconhecido. Este produto não está mais à venda.";
  const cases = [
    [await made("pending", []), "Nada foi cobrado. Este produto não está mais à venda."],
    [await made("pending", [{ status: "expired" }]), ifPaid],
    [await made("cancelled", [{ status: "expired" }]), ifPaid],
  ] as const;
  for (const [saleId] of cases) expect((await open(thankYou, saleId)).html).toMatch(/ere um novo código/);
  await sql`update products set deactivated_at = now() where id = ${product.id}`;
  for (const [saleId, text] of cases) {
    const { html } = await open(thankYou, saleId);
    expect(html).toContain(text);
    expect(html).not.toMatch(/ere um novo código/);
  }
});

test.each(["cancelled", "failed", "pending"] as const)(
  "an order that is %s and was anonymized offers a new order instead of a code or a card",
  async (status) => {
    const { product } = await cardShop();
    const gone = { anonymizedAt: new Date(), customerName: null, customerEmail: null };
    const sale = await makeSale(product, { status, ...gone });
    await makeCharge(sale, { status: "expired" });
    for (const page of [await open(pix, sale.id), await open(thankYou, sale.id)]) {
      expect(page.status).toBe(200);
      expect(page.html).toContain(
        "Se você já pagou, o pagamento será reconhecido. Os dados deste pedido foram apagados: para comprar, faça um novo pedido.",
      );
      expect(page.html).not.toMatch(/ere um novo código|seus dados estão guardados|Gerar novo PIX/);
    }
    expect((await open(pix, sale.id)).html).toContain(NEW_ORDER);
    const cards = (await open(card, sale.id)).html;
    expect(cards).toContain("Os dados deste pedido foram apagados. Nada foi cobrado no cartão.");
    expect(cards).toContain(NEW_ORDER);
    expect(cards).not.toContain("Pagar com PIX");
    expect((await open(pix, sale.id, "again")).status).toBe(409);

    const bought = await makeSale(product, { status: "completed" });
    await makeUpsell(product);
    const upsell = await makeSale(product, { status, parentSaleId: bought.id, ...gone });
    await sql`insert into sale_lines (sale_id, seller_id, kind, upsell_id, name, price_cents)
      select ${upsell.id}, seller_id, 'offer', id, name, price_cents from upsells where product_id = ${product.id}`;
    const again = (await open(pix, upsell.id)).html;
    expect(again).toContain("Nada foi cobrado. Os dados deste pedido foram apagados.");
    expect(again).not.toMatch(/Gerar novo PIX|Fazer um novo pedido/);
    expect(again).toContain("Voltar à minha compra");
  },
);
