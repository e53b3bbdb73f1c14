import { beforeAll, expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { claimCardPayment } from "#app/domain/card/claim-card-payment.server.ts";
import { findGateway } from "#app/domain/gateway/find-gateway.server.ts";
import { acceptUpsell } from "#app/domain/order/accept-upsell.server.ts";
import { orderMutexKeys } from "#app/domain/order/order-fingerprint.server.ts";
import { placeSale } from "#app/domain/order/place-sale.server.ts";
import { prepareFirstCharge } from "#app/domain/pix/prepare-charge.server.ts";
import { showPix } from "#app/domain/pix/show-pix.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { requestRefund } from "#app/domain/refund/request/request-refund.server.ts";
import { mayRemind } from "#app/domain/reminder/may-remind.server.ts";
import { remindBuyer } from "#app/domain/reminder/remind-buyer.server.ts";
import { checkCharge } from "#app/domain/settlement/check-charge.server.ts";
import { startNextUpsell } from "#app/domain/upsell/start-next-upsell.server.ts";
import { unseal } from "#app/platform/secrets.server.ts";
import * as cardPage from "#app/routes/buyer/card.tsx";
import * as pixPage from "#app/routes/buyer/pix.tsx";
import * as thankYou from "#app/routes/buyer/thank-you.tsx";
import { ANY_TERMS } from "#tests/integration/orders/order-of.ts";
import { buy, openShop, order, stateOf } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { countStatements, holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { makeCardGateway, makeCharge, makeSale, makeUpsell } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";
import { makeCheckoutSettings } from "#tests/support/rows/make-storefront.ts";

const app = await startApp({ web: 0, worker: 0 });
let shop: Awaited<ReturnType<typeof openShop>>;

beforeAll(async () => {
  shop = await openShop();
});

let buyers = 0;
function someone() {
  return { customer: { name: "Bia", email: `bia${++buyers}@exemplo.com.br`, phone: null, document: null } };
}

test("the price comes from the product and its bumps, the row before the provider", async () => {
  const { saleId } = await placeSale(order(shop.product.id, { ...someone(), bumpIds: [shop.bump.id] }));
  await startPix(saleId);
  const [sale] = await sql`select amount_cents, customer_document_sealed from sales where id = ${saleId}`;
  expect(sale!.amount_cents).toBe(9700 + 1990);
  const [charge] = await sql`select * from charges where sale_id = ${saleId}`;
  expect(charge).toMatchObject({ status: "open", amount_cents: 11690, provider: "pushinpay" });
  const transaction = await app.sandbox.transaction(charge!.provider_id);
  expect(transaction.value).toBe(11690);
  expect(transaction.webhook_url).toContain(charge!.reference);
});

test("the document is stored encrypted and never in plain text", async () => {
  const { saleId } = await placeSale(order(shop.product.id));
  const [row] = await sql`
    select s::text as everything, customer_document_sealed as sealed from sales s where id = ${saleId}`;
  expect(row!.sealed).toMatch(/^v1\./);
  expect(unseal(row!.sealed)).toBe("52998224725");
  expect(row!.everything).not.toContain("52998224725");
});

test("the same order again gets the same sale and the same PIX", async () => {
  const buyer = someone();
  const first = await buy(shop.product.id, buyer);
  const before = (await app.sandbox.calls()).pushinpay.cashIn;
  const second = await buy(shop.product.id, buyer);
  expect(second).toEqual(first);
  expect((await app.sandbox.calls()).pushinpay.cashIn).toBe(before);
});

test("the same order ten times at once makes one sale and one PIX", async () => {
  const buyer = someone();
  const before = (await app.sandbox.calls()).pushinpay.cashIn;
  const all = await Promise.all(Array.from({ length: 10 }, () => buy(shop.product.id, buyer)));
  expect(new Set(all.map((one) => one.saleId)).size).toBe(1);
  expect(new Set(all.map((one) => one.chargeId)).size).toBe(1);
  expect((await app.sandbox.calls()).pushinpay.cashIn).toBe(before + 1);
});

test("other bumps, another buyer or a new price make another order", async () => {
  const buyer = someone();
  const first = await placeSale(order(shop.product.id, buyer));
  const withBump = await placeSale(order(shop.product.id, { ...buyer, bumpIds: [shop.bump.id] }));
  const other = await placeSale(order(shop.product.id, someone()));
  await sql`update products set price_cents = 9800 where id = ${shop.product.id}`;
  const dearer = await placeSale(order(shop.product.id, buyer));
  await sql`update products set price_cents = 9700 where id = ${shop.product.id}`;
  expect(new Set([first, withBump, other, dearer].map((one) => one.saleId)).size).toBe(4);
});

test("an expired code is replaced by a fresh one for the same sale", async () => {
  const first = await buy(shop.product.id, someone());
  await sql`update charges set expires_at = now() where id = ${first.chargeId}`;
  const { chargeId } = await startPix(first.saleId);
  expect(chargeId).not.toBe(first.chargeId);
});

for (const [fault, kind, message] of [
  [{ mode: "http-500" }, "no-answer", "Não conseguimos gerar o PIX agora"],
  [{ mode: "http-429" }, "busy", "Não conseguimos gerar o PIX agora"],
  [{ mode: "http-422" }, "refused", "tente de novo; se continuar, fale com o vendedor"],
  [{ mode: "malformed" }, "nonsense", "Não conseguimos gerar o PIX agora"],
  [{ mode: "reset" }, "no-answer", "Não conseguimos gerar o PIX agora"],
  [{ mode: "status-401", body: { message: "Unauthenticated." } }, "credentials", "revisar a conexão"],
  [
    { mode: "status-200", body: { id: "9f0e2c34-aaaa-4bbb-8ccc-1234567890ab", qr_code: "00020126" } },
    "nonsense",
    "Não conseguimos",
  ],
  [{ mode: "reset", after: true }, "no-answer", "Não conseguimos gerar o PIX agora"],
] as const) {
  test(`cashIn answering ${fault.mode}${"after" in fault ? " after acting" : ""} is reported to the buyer, stored in the row, and a new attempt works`, async () => {
    const { saleId } = await placeSale(order(shop.product.id, someone()));
    await app.sandbox.fault({ service: "pushinpay", route: "cashIn", times: 1, ...fault });
    await expect(startPix(saleId)).rejects.toMatchObject({
      kind: "unavailable",
      message: expect.stringContaining(message),
    });
    const [failed] = (await stateOf(saleId)).charges;
    expect(failed).toMatchObject({
      status: "failed",
      failure: expect.stringMatching(new RegExp(`^${kind}: `)),
    });
    expect((await sql`select pix_code from charges where id = ${failed!.id}`)[0]!.pix_code).toBeNull();
    const { chargeId } = await startPix(saleId);
    expect(chargeId).not.toBe(failed!.id);
  });
}

test.each([299, 300])("a refusal cut after %i characters is booked all the same", async (length) => {
  const { saleId } = await placeSale(order(shop.product.id, someone()));
  const body = { message: `${"x".repeat(length)}${"😀".repeat(300)}` };
  await app.sandbox.fault({ service: "pushinpay", route: "cashIn", times: 1, mode: "status-422", body });
  await expect(startPix(saleId)).rejects.toMatchObject({ kind: "unavailable" });
  const { status, charges } = await stateOf(saleId);
  expect([status, charges[0]!.status]).toEqual(["failed", "failed"]);
});

/** A new sale with its first charge's row, as an order by a checkout leaves them before the provider is called. */
async function placeWithCharge(buyer: ReturnType<typeof someone>) {
  const gateway = (await findGateway(shop.seller.id))!;
  const asking = prepareFirstCharge([gateway], 9700, { name: null, email: "", document: null })!;
  const { provider, keyId: gatewayKeyId } = gateway;
  const row = { provider: provider.name, gatewayKeyId, reference: asking.chargeRequest.reference };
  const { saleId, charge } = await placeSale(order(shop.product.id, { ...buyer, charge: row }));
  return { saleId, asking, charge: charge! };
}

test("a buyer who waited for the mutex has as much time for the PIX as any other", async () => {
  const buyer = someone();
  const [mutexKey] = orderMutexKeys({ client: buyer.customer.email });
  const lock = await holdLock((tx) => tx`select pg_advisory_xact_lock(hashtextextended(${mutexKey}, 0))`);
  const placed = placeWithCharge(buyer);
  await untilLockedOut();
  await sql`select pg_sleep(1.5)`;
  await lock.release();
  const { charge } = await placed;
  const [row] = await sql`select creating_until > now() + interval '3 seconds' as is_long from charges
    where id = ${charge.id}`;
  expect(row!.is_long).toBe(true);
});

test("a process frozen before its call, which is refused, fails no sale that can be paid by another charge", async () => {
  for (const pay of ["code", "card"] as const) {
    const { saleId, asking, charge } = await placeWithCharge(someone());
    const [chargeId, claimedAt] = [charge.id, performance.now() - 5000];
    await sql`update charges set creating_until = now() where id = ${chargeId}`;
    if (pay === "code") await startPix(saleId);
    else
      await makeCharge(
        { id: saleId, amountCents: 9700 },
        { method: "card", instalments: 1, status: "in_review" },
      );
    await app.sandbox.fault({ service: "pushinpay", route: "cashIn", times: 1, mode: "http-422" });
    const late = {
      ...asking,
      chargeId,
      sellerId: shop.seller.id,
      claimedAt,
      databaseOffset: charge.databaseOffset,
      saleStatus: "pending",
      chargedNote: "Nada foi cobrado",
    } as const;
    await expect(startPix(saleId, late)).rejects.toMatchObject({ kind: "unavailable" });
    expect((await stateOf(saleId)).status).toBe("pending");
    const mails = await sql`select from mails where sale_id = ${saleId} and kind = 'failed-payment'`;
    expect(mails.length, "mails of a failed payment").toBe(0);
  }
});

test("a process frozen before its call finds the sale as others left it", async () => {
  const { saleId, asking, charge } = await placeWithCharge(someone());
  const [chargeId, claimedAt] = [charge.id, performance.now() - 5000];
  await sql`update charges set creating_until = now() where id = ${chargeId}`;
  await app.sandbox.fault({ service: "pushinpay", route: "cashIn", times: 1, mode: "http-422" });
  await expect(startPix(saleId)).rejects.toMatchObject({ kind: "unavailable" });
  expect((await stateOf(saleId)).status).toBe("failed");
  await startPix(saleId, {
    ...asking,
    chargeId,
    sellerId: shop.seller.id,
    claimedAt,
    databaseOffset: charge.databaseOffset,
    saleStatus: "pending",
    chargedNote: "Nada foi cobrado",
  });
  expect((await stateOf(saleId)).status).toBe("pending");
});

test("a cashIn that never answers times out and is reported as such", async () => {
  const { saleId } = await placeSale(order(shop.product.id, someone()));
  await app.sandbox.fault({ service: "pushinpay", route: "cashIn", mode: "timeout", times: 1 });
  await expect(startPix(saleId)).rejects.toMatchObject({ kind: "unavailable" });
  expect((await stateOf(saleId)).charges[0]!.failure).toMatch(/^no-answer: /);
});

test("a code for another amount is never shown", async () => {
  const { saleId } = await placeSale(order(shop.product.id, someone()));
  const cheap = await app.sandbox.transactions();
  const body = { id: crypto.randomUUID(), qr_code: cheap[0]!.qr_code, status: "created", value: 9700 };
  await app.sandbox.fault({ service: "pushinpay", route: "cashIn", mode: "status-200", body, times: 1 });
  await expect(startPix(saleId)).rejects.toMatchObject({ kind: "unavailable" });
  expect((await stateOf(saleId)).charges[0]!.failure).toContain("amount 116.90");
});

test("an inactive, archived or missing product cannot be ordered; a missing bump is reported", async () => {
  await expect(placeSale(order(999_999_999, someone()))).rejects.toMatchObject({ kind: "not-found" });
  const other = await openShop();
  await expect(
    placeSale(order(shop.product.id, { ...someone(), bumpIds: [other.bump.id] })),
  ).rejects.toMatchObject({
    kind: "conflict",
  });
  await sql`update products set deactivated_at = now() where id = ${other.product.id}`;
  await expect(placeSale(order(other.product.id, someone()))).rejects.toMatchObject({ kind: "not-found" });
});

test("a product deleted while it is being ordered is not for sale", async () => {
  const other = await openShop();
  const lock = await holdLock((tx) => tx`delete from products where id = ${other.product.id}`);
  const placed = placeSale(order(other.product.id, someone()));
  const refused = expect(placed).rejects.toMatchObject({ kind: "not-found" });
  await untilLockedOut();
  await lock.release();
  await refused;
});

test("a seller without a gateway sends no orders to the provider", async () => {
  const other = await openShop();
  await sql`update gateway_accounts set enabled_at = null where seller_id = ${other.seller.id}`;
  const { saleId } = await placeSale(order(other.product.id, someone()));
  await expect(startPix(saleId)).rejects.toMatchObject({
    kind: "unavailable",
    message: expect.stringContaining("vendedor"),
  });
  expect((await stateOf(saleId)).charges).toEqual([]);
});

test("submit to PIX takes few statements", async () => {
  const { count, statements } = await countStatements(() =>
    buy(shop.product.id, { ...someone(), bumpIds: [shop.bump.id] }),
  );
  expect(count, statements.join("\n")).toBeLessThanOrEqual(14);
});

for (const [what, change] of [
  ["deactivated", "deactivated_at"],
  ["deleted", "archived_at"],
] as const) {
  test(`a product ${what} meanwhile gets no fresh PIX, nor does its reminder, and the old code still completes`, async () => {
    const other = await openShop();
    const { saleId, chargeId, providerId } = await buy(other.product.id, someone());
    await sql`update products set ${sql(change)} = now() where id = ${other.product.id}`;
    expect(await startPix(saleId)).toEqual({ chargeId });
    await sql`update charges set expires_at = now() where id = ${chargeId}`;
    const before = (await app.sandbox.calls()).pushinpay.cashIn;
    await expect(startPix(saleId)).rejects.toMatchObject({
      kind: "conflict",
      message: expect.stringContaining("não está mais à venda"),
    });
    expect(await showPix(saleId)).toMatchObject({ isForSale: false });
    await remindBuyer({ saleId, number: 1, since: new Date() });
    expect((await app.sandbox.calls()).pushinpay.cashIn).toBe(before);
    await app.sandbox.pay(providerId);
    await checkCharge(chargeId);
    expect((await stateOf(saleId)).status).toBe("completed");
  });
}

const BUMP_GONE = "Um dos itens deste pedido não está mais à venda. Nada foi cobrado";

test.each([
  ["paused", (id: number) => sql`update order_bumps set deactivated_at = now() where id = ${id}`],
  ["removed", (id: number) => sql`delete from order_bumps where id = ${id}`],
])(
  "an order with a bump %s meanwhile gets no fresh PIX, card or reminder, and the old code still completes",
  async (_, takeOff) => {
    const other = await openShop();
    await makeCardGateway(other.seller, { apiKey: `APP_USR-sandbox-${crypto.randomUUID()}` });
    const with2 = { ...someone(), bumpIds: [other.bump.id] };
    const { saleId, chargeId, providerId } = await buy(other.product.id, with2);
    const params = { params: { saleId } };
    const page = async () => (await call(pixPage, `/checkout/pix/${saleId}`, params)).text();
    expect(await page()).toContain("Pagar com cartão");
    await takeOff(other.bump.id);
    expect(await startPix(saleId)).toEqual({ chargeId });
    expect(await page()).not.toContain("Pagar com cartão");
    await sql`update charges set expires_at = now() where id = ${chargeId}`;
    const before = (await app.sandbox.calls()).pushinpay.cashIn;
    await expect(startPix(saleId)).rejects.toMatchObject({
      code: "bump-gone",
      message: expect.stringContaining(BUMP_GONE),
    });
    const card = { token: crypto.randomUUID(), instalments: 1 };
    await expect(db.transaction((tx) => claimCardPayment(tx, saleId, card))).rejects.toThrow(BUMP_GONE);
    expect(await mayRemind(saleId)).toBe("no");
    await remindBuyer({ saleId, number: 1, since: new Date() });
    expect((await app.sandbox.calls()).pushinpay.cashIn).toBe(before);
    expect(await page()).toMatch(/Um dos itens .+ não está mais à venda.+>Fazer um novo pedido</s);
    expect(await page()).not.toContain("Gerar novo PIX");
    const thanks = await (await call(thankYou, `/thank-you/${saleId}`, params)).text();
    expect(thanks).toMatch(/Um dos itens .+ não está mais à venda/);
    expect(thanks).not.toContain("gere um novo código");
    const cardHtml = await (await call(cardPage, `/checkout/card/${saleId}`, params)).text();
    expect(cardHtml).toContain(BUMP_GONE);
    expect(cardHtml).toContain(">Fazer um novo pedido</a>");
    await app.sandbox.pay(providerId);
    await checkCharge(chargeId);
    expect((await stateOf(saleId)).status).toBe("completed");
  },
);

test("a seller who switched PIX off gives no fresh PIX, nor does a reminder, and the code that was shown is mailed", async () => {
  const other = await openShop();
  const { saleId, chargeId } = await buy(other.product.id, someone());
  await makeCheckoutSettings(other.seller, { enable_pix: false });
  const remind = (number: number) => remindBuyer({ saleId, number, since: new Date() });
  const reminders = async () =>
    (await sql`select from mails where sale_id = ${saleId} and kind = 'reminder'`).length;
  await remind(1);
  expect(await reminders()).toBe(1);
  expect(await startPix(saleId)).toEqual({ chargeId });
  await sql`update charges set expires_at = now() where id = ${chargeId}`;
  const before = (await app.sandbox.calls()).pushinpay.cashIn;
  await expect(startPix(saleId)).rejects.toMatchObject({
    code: "pix-off",
    message: "Este vendedor não está recebendo pagamentos no momento. Nada foi cobrado.",
  });
  await remind(2);
  expect(await reminders()).toBe(1);
  expect(await sql`select from reminders where sale_id = ${saleId}`).toHaveLength(0);
  expect((await app.sandbox.calls()).pushinpay.cashIn).toBe(before);
});

test("an upsell off sale gets no fresh PIX; its product switched off changes nothing", async () => {
  const other = await openShop();
  const upsell = await makeUpsell(other.product);
  const parent = await makeSale(other.product, { status: "completed" });
  await startNextUpsell({ sellerId: parent.sellerId, saleId: parent.id, productId: other.product.id });
  const { saleId } = await acceptUpsell({
    ...ANY_TERMS,
    saleId: parent.id,
    upsellId: upsell.id,
    buyerContext: { client: "bia" },
  });
  await sql`update products set deactivated_at = now() where id = ${other.product.id}`;
  const { chargeId } = await startPix(saleId);
  await sql`update charges set expires_at = now() where id = ${chargeId}`;
  await sql`update upsells set deactivated_at = now() where id = ${upsell.id}`;
  await expect(startPix(saleId)).rejects.toMatchObject({ kind: "conflict" });
});

test.each(["asked back", "returned", "disputed"] as const)(
  "an accepted upsell gets no fresh PIX, and is not listed as still to be paid, where the purchase before it was %s",
  async (what) => {
    const { product } = await openShop();
    const upsell = await makeUpsell(product);
    const parent = await makeSale(product, { status: "completed" });
    const { id, sellerId } = parent;
    await startNextUpsell({ sellerId, saleId: id, productId: product.id });
    const accepted = { ...ANY_TERMS, saleId: id, upsellId: upsell.id, buyerContext: { client: "bia" } };
    const { saleId } = await acceptUpsell(accepted);
    const { chargeId } = await startPix(saleId);
    const page = async () => (await call(thankYou, `/thank-you/${id}`, { params: { saleId: id } })).text();
    expect(await page()).toContain("Falta pagar");
    const payable = await (await call(pixPage, `/checkout/pix/${saleId}`, { params: { saleId } })).text();
    // The order stays: the link only leads back.
    expect(payable).toContain(">Voltar à minha compra</a>");
    await sql`update charges set expires_at = now() where id = ${chargeId}`;
    if (what === "asked back") await requestRefund(parent.customerEmail!, id, "");
    if (what === "returned")
      await sql`update sales set status = 'refunded', refunded_at = now() where id = ${id}`;
    if (what === "disputed") await sql`update sales set status = 'disputed' where id = ${id}`;
    await expect(startPix(saleId)).rejects.toThrow("Este produto não está mais à venda.");
    expect((await showPix(saleId))!.isForSale).toBe(false);
    expect(await page()).not.toContain("Falta pagar");
    expect(await mayRemind(saleId)).toBe("no");
  },
);

test("the payment's screen lists each item with its price as sold", async () => {
  const other = await openShop();
  const { saleId } = await buy(other.product.id, { ...someone(), bumpIds: [other.bump.id] });
  await sql`update order_bumps set price_cents = 1 where id = ${other.bump.id}`;
  expect(await showPix(saleId)).toMatchObject({
    isForSale: true,
    amountCents: 11_690,
    lines: [
      { name: "Curso de Violão", priceCents: 9700 },
      { name: "Apostila de cifras", priceCents: 1990 },
    ],
  });
});
