import { expect, test } from "vitest";
import { readTimeline } from "#app/domain/reports/read-timeline.server.ts";
import { showSale } from "#app/domain/reports/show-sale.server.ts";
import * as list from "#app/routes/api/reports/sales.ts";
import * as customer from "#app/routes/api/sales/customer.ts";
import * as details from "#app/routes/api/sales/details.ts";
import { countStatements, sql } from "#tests/support/database.ts";
import {
  makeCharge,
  makeCoupon,
  makeOffer,
  makeProduct,
  makeSale,
  makeSeller,
  makeUpsell,
  signedIn,
} from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";
import { writeMail } from "#tests/support/rows/make-reports.ts";

async function makeShop() {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const sale = await makeSale(product, {
    status: "completed",
    customerIp: "200.1.2.3",
    utmSource: "facebook",
  });
  return { seller, product, sale, headers: await signedIn(seller) };
}

test("a sale's details come in four statements", async () => {
  const { seller, sale } = await makeShop();
  const { count } = await countStatements(() => showSale(seller.id, sale.id));
  expect(count).toBe(4);
});

test("the details hold the sale, its lines, its history and its deliveries, never a mail's text", async () => {
  const { sale, product, headers } = await makeShop();
  await makeCharge(sale, { status: "cancelled", providerId: "aaaa" });
  await makeCharge(sale, { status: "paid", providerId: "bbbb" });
  await makeCharge(sale, { status: "open", providerId: "cccc" });
  await writeMail(sale, { status: "failed", attempts: 3, error: "550" });
  await writeMail(sale, { kind: "new-sale", recipient: "eu@exemplo.com.br" });
  await writeMail(sale, { kind: "upsell", status: "sent", attempts: 1 });
  const unpaid = await makeSale(product);
  await writeMail(unpaid);
  const answer = await call(details, "/api", { headers, params: { saleId: sale.id } });
  const body = await answer.json();
  expect(body.sale).toMatchObject({
    id: sale.id,
    product_id: product.id,
    product_name: product.name,
    amount: 97,
    status: "completed",
    payment_method: "pix",
    transaction_id: "bbbb",
    customer_ip: "200.1.2.3",
    utm_source: "facebook",
    utm_medium: null,
    product_file_url: product.fileUrl,
  });
  expect(body.email_logs).toHaveLength(2);
  expect(body.email_logs[1]).toMatchObject({
    sale_id: sale.id,
    recipient_email: sale.customerEmail,
    product_name: product.name,
    amount: 97,
    delivery_status: "failed",
    retry_count: 2,
    error_message: "O endereço não existe ou não recebe e-mails. Resposta do serviço: “550”",
    sent_at: null,
  });
  expect(body.lines).toMatchObject([{ kind: "product", name: product.name, price: 97 }]);
  const eventNames = body.events.map(
    ({ about, kind }: { about: string; kind: string }) => `${about} ${kind}`,
  );
  expect(eventNames).toEqual(expect.arrayContaining(["sale placed", "sale completed", "mail queued"]));
  for (const { at, text } of body.events) expect([Date.parse(at) > 0, text !== ""]).toEqual([true, true]);
  // Unpaid, its payment is the newest one.
  await makeCharge(unpaid, { providerId: "dddd", createdAt: new Date(Date.now() - 1000) });
  await makeCharge(unpaid, { providerId: "eeee" });
  expect((await showSale(sale.sellerId, unpaid.id)).sale.transactionId).toBe("eeee");
});

test("a charge's event names its provider, if there still is such a one, and whether it is a card's", async () => {
  const { sale } = await makeShop();
  const charges = [
    await makeCharge(sale),
    await makeCharge(sale, { provider: "mercadopago", method: "card", instalments: 1 }),
    await makeCharge(sale, { provider: "constructor" }),
  ];
  for (const { id } of charges)
    await sql`insert into charge_events (charge_id, seller_id, kind, data, cause)
      values (${id}, ${sale.sellerId}, 'expired', '{}', 'provider')`;
  const timeline = await readTimeline(sale.sellerId, sale.id);
  const isOfCharge = ({ source }: { source: string }) => source === "charge";
  expect(timeline.filter(isOfCharge)).toMatchObject([
    { byProvider: "pela PushInPay", isCard: false },
    { byProvider: "pelo Mercado Pago", isCard: true },
    { byProvider: "pelo provedor", isCard: false },
  ]);
  for (const entry of timeline) if (!isOfCharge(entry)) expect(entry).not.toHaveProperty("byProvider");
});

test("a mail stands as queued, sent, delivered, also if its delivery was reported before its sending was stored", async () => {
  const { sale } = await makeShop();
  await sql`delete from mails where sale_id = ${sale.id}`;
  const at = (second: number) => new Date(Date.UTC(2026, 10, 25, 12, 0, second));
  await writeMail(sale, { status: "sent", createdAt: at(1), sentAt: at(3), deliveredAt: at(2) });
  await writeMail(sale, { status: "failed", createdAt: at(4), sentAt: at(6), bouncedAt: at(5) });
  await writeMail(sale, { status: "failed", createdAt: at(7), failedAt: at(8) });
  const moments = (await readTimeline(sale.sellerId, sale.id)).filter(({ source }) => source === "mail");
  expect(moments.map(({ kind }) => kind)).toEqual([
    ...["queued", "sent", "delivered"],
    ...["queued", "sent", "bounced"],
    ...["queued", "failed"],
  ]);
});

test("an upsell's sale has the upsell's own link, not its product's, in the details and the list", async () => {
  const { seller, product, sale, headers } = await makeShop();
  const fileUrl = "https://arquivos.exemplo.com.br/mentoria.pdf";
  const upsell = await makeUpsell(product, { fileUrl });
  const bought = await makeSale(product, { status: "completed", parentSaleId: sale.id });
  await sql`update sale_lines set kind = 'offer', product_id = null, upsell_id = ${upsell.id},
    item_id = ${upsell.id}, name = ${upsell.name}, file_url = ${fileUrl} where sale_id = ${bought.id}`;
  const link = async () =>
    (await (await call(details, "/api", { headers, params: { saleId: bought.id } })).json()).sale;
  expect(await link()).toMatchObject({ product_name: upsell.name, product_file_url: fileUrl });
  const listed = await (await call(list, "/api/reports/sales?range=7d", { headers })).json();
  const links = listed.map((one: { id: string; product_file_url: string }) => [one.id, one.product_file_url]);
  expect(links).toEqual(
    expect.arrayContaining([
      [bought.id, fileUrl],
      [sale.id, product.fileUrl],
    ]),
  );
  // One without a link has none.
  await sql`update upsells set file_url = null where seller_id = ${seller.id}`;
  await sql`update sale_lines set file_url = null where sale_id = ${bought.id}`;
  expect(await link()).toMatchObject({ product_file_url: null });
});

test("of a long history the newest lines are shown, in order", async () => {
  const { seller, sale, headers } = await makeShop();
  const view = () => showSale(seller.id, sale.id);
  expect((await view()).hasOlderLines).toBe(false);
  await sql`insert into sale_events (sale_id, seller_id, kind, data, cause, at)
    select ${sale.id}, ${seller.id}, 'viewed', '{}', 'buyer', now() + n * interval '1 second' from generate_series(1, 501) n`;
  await sql`insert into sale_events (sale_id, seller_id, kind, data, cause, at)
    values (${sale.id}, ${seller.id}, 'refunded', '{}', 'provider', now() + interval '1 hour')`;
  const { timeline, hasOlderLines } = await view();
  expect([timeline.length, hasOlderLines]).toEqual([500, true]);
  expect(timeline.map(({ kind }) => kind)).toEqual([...Array(499).fill("viewed"), "refunded"]);
  expect(timeline.map(({ at }) => at.getTime())).toEqual(
    timeline.map(({ at }) => at.getTime()).sort((a, b) => a - b),
  );
  const { events } = await (await call(details, "/api", { headers, params: { saleId: sale.id } })).json();
  expect(events.at(-1).kind).toBe("refunded");
});

test("a customer is corrected, trimmed, and the e-mail small", async () => {
  const { seller, sale, headers } = await makeShop();
  const body = { customer_name: "  Nome Certo ", customer_email: " Certo@Exemplo.com.br " };
  const answer = await call(customer, "/api", { method: "PUT", headers, params: { saleId: sale.id }, body });
  expect(await answer.json()).toEqual({
    success: true,
    message: "Dados do cliente atualizados com sucesso!",
    version: expect.any(String),
  });
  const view = await showSale(seller.id, sale.id);
  expect(view.sale).toMatchObject({ customerName: "Nome Certo", customerEmail: "certo@exemplo.com.br" });
});

test("a customer needs an e-mail", async () => {
  const { sale, headers } = await makeShop();
  for (const customer_email of ["", "  ", "nada", undefined]) {
    const answer = await call(customer, "/api", {
      method: "PUT",
      headers,
      params: { saleId: sale.id },
      body: { customer_name: "A", customer_email },
    });
    expect(answer.status, String(customer_email)).toBe(400);
    expect((await answer.json()).field).toBe("customer_email");
  }
});

test("a customer's name has at most 200 characters", async () => {
  const { sale, headers } = await makeShop();
  const save = (customer_name: string) => {
    const body = { customer_name, customer_email: sale.customerEmail };
    return call(customer, "/api", { method: "PUT", headers, params: { saleId: sale.id }, body });
  };
  expect((await save("a".repeat(200))).status).toBe(200);
  const refused = await save("a".repeat(201));
  expect([refused.status, (await refused.json()).field]).toEqual([400, "customer_name"]);
});

test("another seller's sale is not found, neither shown nor corrected", async () => {
  const { seller, sale } = await makeShop();
  const headers = await signedIn(await makeSeller());
  for (const saleId of [sale.id, "nada", "00000000-0000-4000-8000-000000000000"]) {
    expect((await call(details, "/api", { headers, params: { saleId } })).status).toBe(404);
    const body = { customer_name: "X", customer_email: "x@exemplo.com.br" };
    expect((await call(customer, "/api", { method: "PUT", headers, params: { saleId }, body })).status).toBe(
      404,
    );
  }
  expect((await showSale(seller.id, sale.id)).sale.customerName).toBe(sale.customerName);
});

test("a stranger sees nothing", async () => {
  const { sale } = await makeShop();
  expect((await call(details, "/api", { params: { saleId: sale.id } })).status).toBe(401);
});

test("a sale names the offer or the coupon whose limit it exceeded, and none where it was within", async () => {
  const { seller, product } = await makeShop();
  const [offer, coupon] = [await makeOffer(product), await makeCoupon(seller)];
  const ofOffer = { offerId: offer.id, offerName: "Lançamento" };
  const ofCoupon = { couponId: coupon.id, couponCode: "MENOS10" };
  const exceeded = async (fields: Parameters<typeof makeSale>[1], isOver: boolean) => {
    const { id } = await makeSale(product, { status: "completed", ...fields });
    await sql`insert into offer_uses (sale_id, seller_id, offer_id, quantity, is_over_limit)
      select id, seller_id, offer_id, 1, ${isOver}::boolean from sales where id = ${id} and offer_id is not null`;
    await sql`insert into coupon_uses (sale_id, seller_id, coupon_id, is_over_limit)
      select id, seller_id, coupon_id, ${isOver}::boolean from sales where id = ${id} and coupon_id is not null`;
    return (await showSale(seller.id, id)).sale.exceeded;
  };
  expect(await exceeded(ofOffer, true)).toEqual({ of: "offer", name: "Lançamento" });
  expect(await exceeded(ofCoupon, true)).toEqual({ of: "coupon", name: "MENOS10" });
  expect([await exceeded(ofOffer, false), await exceeded(ofCoupon, false)]).toEqual([null, null]);
  expect(await exceeded({}, false)).toBeNull();
});
