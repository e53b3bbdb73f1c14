import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { isUnavailable } from "#app/db/errors.server.ts";
import { endCharge } from "#app/domain/charge/end-charge.server.ts";
import { placeOrder } from "#app/domain/checkout/place-order.server.ts";
import { recordFailure } from "#app/domain/gateway/circuit-breaker.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { settleCharge } from "#app/domain/settlement/settle-charge.server.ts";
import { sweepCharges } from "#app/domain/settlement/sweep-charges.server.ts";
import { MINUTE, SECOND } from "#app/kit/duration.ts";
import type { Refusal } from "#app/kit/refusal.ts";
import * as checkout from "#app/routes/buyer/checkout.tsx";
import { cardShop, orderCard } from "#tests/integration/cards/support.ts";
import { orderOf } from "#tests/integration/orders/order-of.ts";
import { openShop, typedBuyer } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { countStatements, sql } from "#tests/support/database.ts";
import {
  makeCardGateway,
  makeCharge,
  makeCoupon,
  makeGateway,
  makeOffer,
  makeProduct,
  markPaid,
} from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";
import { makeCheckoutSettings } from "#tests/support/rows/make-storefront.ts";

await startApp({ web: 0, worker: 0 });

type Shop = Awaited<ReturnType<typeof openShop>>;

const orderFrom = (
  shop: Shop,
  email = `bia-${randomUUID()}@exemplo.com.br`,
  code: string | null = "MENOS10",
) => ({
  ...orderOf(shop, email),
  coupons: { typed: code, linked: null },
});
/** An order with the coupon: its sale, or the rule that refused it. */
async function buy(shop: Shop, email = `bia-${randomUUID()}@exemplo.com.br`, code?: string) {
  for (;;) {
    const answer = await placeOrder(orderFrom(shop, email, code)).then(
      ({ saleId, chargeId }) => ({ saleId, chargeId: chargeId!, rule: null, isBusy: false }),
      (error: Refusal) => ({
        // What a busy process answers: the buyer sends the order again.
        isBusy: isUnavailable(error),
        saleId: null,
        chargeId: null,
        rule: error.code ?? String(error),
      }),
    );
    if (!answer.isBusy) return answer;
  }
}
const usesOf = async ({ id }: { id: string }) => {
  const [row] = await sql<{ uses: number; counted: number }[]>`select uses,
    (select count(*)::int from coupon_uses u where u.coupon_id = c.id and u.released_at is null) as counted
    from coupons c where id = ${id}`;
  expect(row!.uses).toBe(row!.counted);
  return row!.uses;
};
const chargeOf = async (saleId: string) => {
  const [row] = await sql<{ id: string; providerId: string; amount: number }[]>`
    select id, provider_id as "providerId", amount_cents as amount from charges where sale_id = ${saleId} order by created_at desc`;
  return row!;
};
const paid = (charge: { providerId: string; amount: number }) => ({
  providerId: charge.providerId,
  state: "paid" as const,
  providerStatus: "paid",
  amountCents: charge.amount,
  feeCents: null,
  refundedCents: null,
  webhookUrl: null,
});

test("the sale keeps code, list price, discount and paid price, and the charge is their sum", async () => {
  const shop = await openShop();
  const coupon = await makeCoupon(shop.seller, { percent: 15, includesBumps: true });
  const { saleId } = await buy(shop, undefined, " menos 10 ");
  const [sale] = await sql`select s.amount_cents, s.coupon_id, s.coupon_code, c.amount_cents as charged
    from sales s join charges c on c.sale_id = s.id where s.id = ${saleId}`;
  expect(sale).toEqual({ amount_cents: 9936, coupon_id: coupon.id, coupon_code: "MENOS10", charged: 9936 });
  const lines =
    await sql`select kind, price_cents, discount_cents from sale_lines where sale_id = ${saleId} order by position`;
  expect([...lines]).toEqual([
    { kind: "product", price_cents: 8245, discount_cents: 1455 },
    { kind: "bump", price_cents: 1691, discount_cents: 299 },
  ]);
  expect(await usesOf(coupon)).toBe(1);
});

test("60 buyers at once on a coupon with 15 uses are exactly 15 orders with it", async () => {
  const shop = await openShop();
  const coupon = await makeCoupon(shop.seller, { maxUses: 15 });
  const bought = await Promise.all(Array.from({ length: 60 }, () => buy(shop)));
  expect(bought.filter(({ saleId }) => saleId)).toHaveLength(15);
  expect(new Set(bought.map(({ rule }) => rule))).toEqual(new Set([null, "coupon-used-up"]));
  expect(await usesOf(coupon)).toBe(15);
  const [{ sales }] = await sql<
    [{ sales: number }]
  >`select count(*)::int as sales from sales where seller_id = ${shop.seller.id}`;
  expect(sales).toBe(15);
});

test("the last use is one buyer's, however often they send the order", async () => {
  const shop = await openShop();
  const coupon = await makeCoupon(shop.seller, { maxUses: 1 });
  const email = `bia-${randomUUID()}@exemplo.com.br`;
  const sent = await Promise.all(Array.from({ length: 8 }, () => buy(shop, email)));
  sent.push(await buy(shop, email));
  expect(new Set(sent.map(({ saleId }) => saleId)).size).toBe(1);
  expect(sent[0]!.rule).toBeNull();
  expect((await buy(shop)).rule).toBe("coupon-used-up");
  expect(await usesOf(coupon)).toBe(1);
});

test.each([
  ["a coupon that has ended since", "MENOS10", null],
  ["the link's coupon that has ended since, beside a worse one", "LINK5", "MENOS10"],
])("an order that is sent again with %s is that order", async (_, typed, linked) => {
  const shop = await openShop();
  const coupon = await makeCoupon(shop.seller);
  await makeCoupon(shop.seller, { code: "LINK5", percent: 5 });
  const send = (email: string) =>
    placeOrder({ ...orderFrom(shop, email), coupons: { typed, linked } }).then(
      ({ saleId, chargeId }) => ({ saleId, chargeId }),
      (error: Refusal) => error.code,
    );
  const email = `bia-${randomUUID()}@exemplo.com.br`;
  const first = await send(email);
  await sql`update coupons set ends_at = now() where id = ${coupon.id}`;
  expect(await send(email)).toEqual(first);
  expect(await usesOf(coupon)).toBe(1);
  const other = `caio-${randomUUID()}@exemplo.com.br`;
  if (linked) expect(await send(other)).toMatchObject({ saleId: expect.any(String) });
  else expect(await send(other)).toBe("coupon-expired");
  await markPaid((first as { saleId: string }).saleId);
  expect(await send(email)).toEqual(first);
});

test("an order whose use was returned is not taken up once its coupon has ended", async () => {
  const shop = await openShop();
  const coupon = await makeCoupon(shop.seller);
  const email = `bia-${randomUUID()}@exemplo.com.br`;
  const { saleId } = await buy(shop, email);
  await sql`update coupons set ends_at = now() where id = ${coupon.id}`;
  await sql`update coupon_uses set released_at = now() where sale_id = ${saleId}`;
  expect((await buy(shop, email)).rule).toBe("coupon-expired");
});

test("beside a better coupon that is used up the other one counts, as the page shows it", async () => {
  const shop = await openShop();
  await makeCoupon(shop.seller);
  await makeCoupon(shop.seller, { code: "METADE", percent: 50, maxUses: 1, uses: 1 });
  const order = { ...orderFrom(shop), coupons: { typed: "MENOS10", linked: "METADE" } };
  const { saleId } = await placeOrder(order);
  const [sale] = await sql`select coupon_code from sales where id = ${saleId}`;
  expect(sale).toEqual({ coupon_code: "MENOS10" });
});

test.each([
  ["typed beside a worse one of the link", "METADE", "LINK5", ""],
  ["of the link beside a worse typed one", "LINK5", "METADE", ""],
  ["of the link, at the price that was shown", "LINK5", "METADE", "4850 BUMP:1990"],
])(
  "the last use of a coupon %s is one buyer's, however often they send the order",
  async (_, typed, linked, seen) => {
    const shop = await openShop();
    await makeCoupon(shop.seller, { code: "LINK5", percent: 5 });
    const coupon = await makeCoupon(shop.seller, { code: "METADE", percent: 50, maxUses: 1 });
    const seenPrices = seen.replace("BUMP", String(shop.bump.id));
    const orderWith = (email: string, codes = { typed, linked }) =>
      placeOrder({ ...orderFrom(shop, email), coupons: codes, seenPrices });
    const email = `bia-${randomUUID()}@exemplo.com.br`;
    const sent = [await orderWith(email), ...(await Promise.all([orderWith(email), orderWith(email)]))];
    expect(new Set(sent.map(({ saleId }) => saleId)).size).toBe(1);
    expect(await usesOf(coupon)).toBe(1);

    const other = `caio-${randomUUID()}@exemplo.com.br`;
    const answer = await orderWith(other).catch((error: Refusal) => error.message);
    if (typed === "METADE")
      expect(answer).toBe("O cupom METADE esgotou. Continua valendo o LINK5. Nada foi cobrado.");
    else if (seen) expect(answer).toMatch(/^O preço mudou: agora o total é R\$.112,05 \(antes, R\$.68,40\)/);
    const alone = { ...orderFrom(shop, other, "LINK5"), seenPrices: "" };
    const { saleId } = await placeOrder(alone);
    const [sale] = await sql`select coupon_code, amount_cents from sales where id = ${saleId}`;
    expect(sale).toEqual({ coupon_code: "LINK5", amount_cents: 9215 + 1990 });
    if (typeof answer !== "string") expect(answer.saleId).toBe(saleId);
  },
);

test("an order by card with a coupon that is used up is refused before it is placed", async () => {
  const { seller, product } = await cardShop();
  await makeCoupon(seller, { maxUses: 1, uses: 1 });
  const ordered = orderCard(product.id, { coupon: "MENOS10" });
  await expect(ordered).rejects.toMatchObject({ code: "coupon-used-up" });
  expect(await sql`select from sales where seller_id = ${seller.id}`).toHaveLength(0);
});

test("a use per buyer is one, for the e-mail and for the CPF, also from several clients at once", async () => {
  const shop = await openShop();
  await makeCoupon(shop.seller, { maxUsesPerBuyer: 1 });
  const email = `bia-${randomUUID()}@exemplo.com.br`;
  const from = (client: string, customer_email: string, customer_document = "529.982.247-25") => {
    const order = orderFrom(shop, customer_email);
    const fields = { ...order.fields, customer_document };
    return placeOrder({
      ...order,
      fields,
      buyerContext: { client, userAgent: client, placedSaleIds: [] },
    }).then(
      () => "placed",
      (error: Refusal) => error.code,
    );
  };
  const answers = await Promise.all(Array.from({ length: 10 }, (_, at) => from(`client ${at}`, email)));
  expect(answers.toSorted()).toEqual([...Array(9).fill("coupon-not-valid"), "placed"]);
  expect(await from("another", `other-${email}`)).toBe("coupon-not-valid");
  expect(await from("another", `third-${email}`, "111.444.777-35")).toBe("placed");
});

test("who gives neither e-mail nor CPF uses no coupon that is limited per buyer", async () => {
  const shop = await openShop();
  await makeCheckoutSettings(shop.seller, { require_email: false, require_document: false });
  await makeCoupon(shop.seller, { maxUsesPerBuyer: 5 });
  await makeCoupon(shop.seller, { code: "PRIMEIRA", isFirstPurchaseOnly: true });
  const free = await makeCoupon(shop.seller, { code: "LIVRE" });
  const orderAs = (customer_email: string, code: string) => {
    const { fields, ...order } = orderFrom(shop, customer_email, code);
    const buyerContext = { client: randomUUID(), userAgent: "test", placedSaleIds: [] };
    return placeOrder({ ...order, fields: { ...fields, customer_document: "" }, buyerContext });
  };
  for (const code of ["MENOS10", "PRIMEIRA"]) {
    await expect(orderAs("", code)).rejects.toMatchObject({ code: "coupon-not-valid" });
    await orderAs(`bia-${randomUUID()}@exemplo.com.br`, code);
  }
  const { saleId, chargeId } = await orderAs("", "LIVRE");
  await endCharge(chargeId!, "expired");
  await sql`update coupons set max_uses_per_buyer = 5 where id = ${free.id}`;
  await expect(startPix(saleId)).rejects.toThrow("O cupom LIVRE deste pedido não vale mais");
  expect(await usesOf(free)).toBe(0);
});

test("a first purchase is one order, however many are placed before one of them is paid", async () => {
  const shop = await openShop();
  const coupon = await makeCoupon(shop.seller, { isFirstPurchaseOnly: true });
  const email = `bia-${randomUUID()}@exemplo.com.br`;
  const order = async (order_bumps: string[], { placedSaleIds = [] as string[], client = email } = {}) => {
    const sent = orderFrom(shop, email);
    const buyerContext = { client, userAgent: client, placedSaleIds };
    return placeOrder({ ...sent, fields: { ...sent.fields, order_bumps }, buyerContext });
  };
  const bump = [String(shop.bump.id)];
  const first = await order([]);
  await expect(order(bump, { client: "another" })).rejects.toMatchObject({ code: "coupon-not-valid" });
  await expect(order(bump, { placedSaleIds: [first.saleId] })).rejects.toThrow(
    "O cupom MENOS10 está no seu outro pedido, que espera o pagamento",
  );
  expect((await order([])).saleId).toBe(first.saleId);
  // Its code ends, another order takes the use, and the first cannot be paid any more.
  await endCharge(first.chargeId!, "expired");
  await order(bump, { client: "another" });
  await expect(startPix(first.saleId)).rejects.toThrow("O cupom MENOS10 deste pedido não vale mais");
  expect(await usesOf(coupon)).toBe(1);
});

test.each(["coupon", "offer"] as const)(
  "who went back and chose otherwise reads that their own unpaid order holds the %s, and nobody else does",
  async (what) => {
    for (const limit of ["all", "buyer"] as const) {
      const shop = await openShop();
      const max = limit === "all" ? { maxUses: 1, maxUnits: 1 } : { maxUsesPerBuyer: 1, maxUnitsPerBuyer: 1 };
      const { maxUses, maxUsesPerBuyer, ...ofOffer } = { maxUses: null, maxUsesPerBuyer: null, ...max };
      if (what === "coupon") await makeCoupon(shop.seller, { maxUses, maxUsesPerBuyer });
      const offer = what === "offer" ? await makeOffer(shop.product, ofOffer) : null;
      const email = `bia-${randomUUID()}@exemplo.com.br`;
      const send = (placedSaleIds: string[], order_bumps: string[]) => {
        const order = orderFrom(shop, email, what === "coupon" ? "MENOS10" : null);
        return placeOrder({
          ...order,
          ...(offer && { product: { slug: offer.slug } }),
          fields: { ...order.fields, order_bumps },
          buyerContext: { ...order.buyerContext, placedSaleIds },
        });
      };
      const { saleId, chargeId } = await send([], []);
      const bump = [String(shop.bump.id)];
      await expect(send([saleId], bump), limit).rejects.toThrow(
        "está no seu outro pedido, que espera o pagamento",
      );
      await expect(send([], bump), limit).rejects.not.toThrow("outro pedido");
      const card = await makeCharge(
        { id: saleId, amountCents: 9700 },
        { method: "card", status: "in_review", instalments: 1 },
      );
      const inReview = await send([saleId], bump).catch((error: Error) => error.message);
      expect(inReview).toContain(
        "está no seu outro pedido, cujo pagamento está sendo confirmado: espere a resposta",
      );
      expect(inReview).not.toContain("pague aquele");
      await sql`delete from charges where id = ${card.id}`;
      await settleCharge(chargeId!, { ...paid(await chargeOf(saleId)), amountCents: 100 });
      const mispaid = await send([saleId], bump).catch((error: Error) => error.message);
      expect(mispaid).toContain(
        "está no seu outro pedido, que recebeu um PIX de outro valor e espera o vendedor",
      );
      expect(mispaid).not.toContain("pague aquele");
      await settleCharge(chargeId!, paid(await chargeOf(saleId)));
      await expect(send([saleId], bump), limit).rejects.not.toThrow("outro pedido");
    }
  },
);

test("a refusal names the coupon that their unpaid order holds only where it is the one that was refused", async () => {
  const shop = await openShop();
  await makeCoupon(shop.seller, { code: "LINK5", percent: 5 });
  await makeCoupon(shop.seller, { code: "METADE", percent: 50, maxUses: 1 });
  await makeCoupon(shop.seller, { code: "DEZ", maxUses: 1, uses: 1 });
  const email = `bia-${randomUUID()}@exemplo.com.br`;
  const sendWith = (placedSaleIds: string[], typed: string, linked: string, order_bumps: string[] = []) => {
    const order = orderFrom(shop, email);
    const fields = { ...order.fields, order_bumps };
    const buyerContext = { ...order.buyerContext, placedSaleIds };
    return placeOrder({ ...order, coupons: { typed, linked }, fields, buyerContext });
  };
  const bump = [String(shop.bump.id)];
  const linked = await sendWith([], "LINK5", "");
  await expect(sendWith([linked.saleId], "DEZ", "LINK5", bump)).rejects.toThrow(
    "O cupom DEZ esgotou. Continua valendo o LINK5. Nada foi cobrado.",
  );
  const last = await sendWith([], "METADE", "");
  await expect(sendWith([last.saleId], "METADE", "LINK5", bump)).rejects.toThrow(
    "O cupom METADE está no seu outro pedido",
  );
});

test("who has a place in an unpaid order and wants more than are left reads how many are", async () => {
  const shop = await openShop();
  const offer = await makeOffer(shop.product, { maxUnits: 4, maxQuantity: 4 });
  const sendWith = (placedSaleIds: string[], quantity: string) => {
    const order = orderFrom(shop, undefined, null);
    return placeOrder({
      ...order,
      product: { slug: offer.slug! },
      fields: { ...order.fields, quantity },
      buyerContext: { ...order.buyerContext, placedSaleIds },
    });
  };
  const { saleId } = await sendWith([], "1");
  await expect(sendWith([saleId], "4")).rejects.toThrow('Restam só 3 na oferta "Lançamento"');
  // Who has the fourth is led to it.
  await expect(sendWith([saleId], "4")).rejects.toMatchObject({
    ...{ code: "offer-sold-out", field: "quantity", heldBySaleId: saleId },
    message: expect.stringMatching(
      /Diminua a quantidade\. Você já tem outro pedido nesta oferta, que espera/,
    ),
  });
  await expect(sendWith([], "4")).rejects.not.toHaveProperty("heldBySaleId");
});

test("an unpaid use is free again when its PIX has ended, and the next PIX of the order needs one", async () => {
  const shop = await openShop();
  const coupon = await makeCoupon(shop.seller, { maxUses: 1 });
  const first = await buy(shop);
  await endCharge(first.chargeId!, "expired");
  expect(await usesOf(coupon)).toBe(0);
  await startPix(first.saleId!);
  expect(await usesOf(coupon)).toBe(1);
  expect((await buy(shop)).rule).toBe("coupon-used-up");
  await endCharge((await chargeOf(first.saleId!)).id, "cancelled");
  expect(await usesOf(coupon)).toBe(0);
  expect((await buy(shop)).rule).toBeNull();
  await expect(startPix(first.saleId!)).rejects.toThrow(
    "O cupom MENOS10 deste pedido não vale mais. Nada foi cobrado.",
  );
  expect(await usesOf(coupon)).toBe(1);
});

test("a use is free again when its PIX has ended by the clock, its next PIX is judged anew, and a late payment counts", async () => {
  const shop = await openShop();
  const coupon = await makeCoupon(shop.seller, { maxUses: 1 });
  const { saleId } = await buy(shop);
  const charge = await chargeOf(saleId!);
  await sql`update charges set expires_at = now() - interval '1 hour', next_check_at = null where id = ${charge.id}`;
  await sweepCharges.handle({}, { number: 1, last: false });
  expect(await usesOf(coupon)).toBe(0);
  await sql`update coupons set ends_at = now() where id = ${coupon.id}`;
  await expect(startPix(saleId!)).rejects.toThrow(
    "O cupom MENOS10 deste pedido não vale mais. Nada foi cobrado.",
  );
  expect(await settleCharge(charge.id, paid(charge))).toBe("settled");
  expect(await usesOf(coupon)).toBe(1);
});

test("an order that is sent again after its code ended says that the buyer's other order has the coupon", async () => {
  const shop = await openShop();
  await makeCoupon(shop.seller, { maxUsesPerBuyer: 1 });
  const email = `bia-${randomUUID()}@exemplo.com.br`;
  const send = (placedSaleIds: string[], order_bumps: string[]) => {
    const order = orderFrom(shop, email);
    const buyerContext = { ...order.buyerContext, placedSaleIds };
    return placeOrder({ ...order, fields: { ...order.fields, order_bumps }, buyerContext });
  };
  const first = await send([], []);
  await endCharge(first.chargeId!, "expired");
  const second = await send([first.saleId], [String(shop.bump.id)]);
  const again = await send([first.saleId, second.saleId], []);
  expect(again.saleId).toBe(first.saleId);
  expect(again.refusal?.message).toContain("O cupom MENOS10 está no seu outro pedido");
});

test.each([
  [
    "pix",
    "O cupom MENOS10 deste pedido não vale mais. Nada foi cobrado. Faça um novo pedido na página do produto, sem o cupom.",
  ],
  ["card", "Este cupom não vale para esta compra. Nada foi cobrado."],
])(
  "an order by %s sent again after its buyer used the coupon elsewhere is shown without it, and without its code it is a new one",
  async (method, reason) => {
    const shop = await openShop();
    await makeCardGateway(shop.seller);
    await makeCoupon(shop.seller, { maxUsesPerBuyer: 1 });
    const other = await makeProduct(shop.seller);
    const typed = { ...typedBuyer(`bia-${randomUUID()}@exemplo.com.br`), own_name: "b".repeat(32) };
    const send = async ({ id }: { id: number }, coupon: string, payment_method = method) => {
      const answer = await call(checkout, `/checkout/${id}`, {
        method: "POST",
        params: { productId: String(id) },
        body: new URLSearchParams({ ...typed, coupon, payment_method }),
      });
      const saleId = answer.headers.get("location")?.split("/").at(-1) ?? "";
      return { status: answer.status, saleId, html: await answer.text() };
    };
    const first = await send(shop.product, "MENOS10");
    if (method === "pix") await endCharge((await chargeOf(first.saleId)).id, "expired");
    const elsewhere = await chargeOf((await send(other, "MENOS10", "pix")).saleId);
    expect(await settleCharge(elsewhere.id, paid(elsewhere))).toBe("settled");
    const again = await send(shop.product, "MENOS10");
    expect(again.status).toBe(409);
    expect(again.html).toContain(`id="coupon-erro">${reason}`);
    expect(again.html).not.toContain("Cupom MENOS10 aplicado");
    expect(again.html).toMatch(/name="seen_prices"[^>]*value="9700 /);
    const anew = await send(shop.product, "");
    expect(anew.status).toBe(303);
    expect(anew.saleId).not.toBe(first.saleId);
  },
);

test.each([{ maxUsesPerBuyer: 1 }, { isFirstPurchaseOnly: true }])(
  "an order that holds the buyer's only use of its coupon (%o) is found again by card, too, and no other one is placed",
  async (limit) => {
    const shop = await openShop();
    await makeCardGateway(shop.seller);
    await makeCoupon(shop.seller, limit);
    const sent = orderFrom(shop);
    const { saleId, chargeId } = await placeOrder(sent);
    const byCard = { ...sent, isCard: true };
    expect(await placeOrder(byCard)).toMatchObject({ saleId, next: "card" });
    const fields = { ...sent.fields, order_bumps: [] };
    await expect(placeOrder({ ...byCard, fields })).rejects.toMatchObject({ code: "coupon-not-valid" });
    await settleCharge(chargeId!, paid(await chargeOf(saleId)));
    expect(await placeOrder(byCard)).toMatchObject({ saleId });
    expect(await sql`select id from sales where seller_id = ${shop.seller.id}`).toEqual([{ id: saleId }]);
  },
);

test("a PIX that is paid late keeps its price and counts, beyond the limit", async () => {
  const shop = await openShop();
  const coupon = await makeCoupon(shop.seller, { maxUses: 1 });
  const late = await buy(shop);
  const charge = await chargeOf(late.saleId!);
  await endCharge(charge.id, "expired");
  const second = await buy(shop);
  expect(await settleCharge((await chargeOf(second.saleId!)).id, paid(await chargeOf(second.saleId!)))).toBe(
    "settled",
  );
  expect(await settleCharge(charge.id, paid(charge))).toBe("settled");
  expect(await usesOf(coupon)).toBe(2);
  const [sale] = await sql`select status, amount_cents from sales where id = ${late.saleId}`;
  expect(sale).toEqual({ status: "completed", amount_cents: charge.amount });
});

test("an order without a PIX reserves nothing", async () => {
  const shop = await openShop();
  const coupon = await makeCoupon(shop.seller, { maxUses: 1 });
  await sql`update gateway_accounts set enabled_at = null where seller_id = ${shop.seller.id}`;
  const { saleId } = await buy(shop);
  expect(await usesOf(coupon)).toBe(0);
  await sql`update gateway_accounts set enabled_at = now() where seller_id = ${shop.seller.id}`;
  await startPix(saleId!);
  expect(await usesOf(coupon)).toBe(1);
});

test("an order without a coupon needs no statement more, one with a coupon two, and a limit per buyer another", async () => {
  const shop = await openShop();
  const statementsOf = async (code: string | null) => {
    await placeOrder(orderFrom(shop, undefined, code));
    // The CPF is the same, and may use one of them once.
    await sql`update coupon_uses set released_at = now() where seller_id = ${shop.seller.id}`;
    return (await countStatements(() => placeOrder(orderFrom(shop, undefined, code)))).statements.length;
  };
  const without = await statementsOf(null);
  await makeCoupon(shop.seller, { maxUses: 50 });
  await makeCoupon(shop.seller, { code: "UMA", maxUsesPerBuyer: 2 });
  await makeCoupon(shop.seller, { code: "PRIMEIRA", isFirstPurchaseOnly: true });
  expect(await statementsOf(null)).toBe(without);
  expect(await statementsOf("MENOS10")).toBeLessThanOrEqual(without + 2);
  expect(await statementsOf("UMA")).toBeLessThanOrEqual(without + 3);
  expect(await statementsOf("PRIMEIRA")).toBeLessThanOrEqual(without + 3);
});

test("another seller's coupon is unknown", async () => {
  const shop = await openShop();
  const other = await openShop();
  await makeCoupon(other.seller);
  expect((await buy(shop)).rule).toBe("coupon-unknown");
});

test("an order with today's coupon is a new one, where the same price was ordered with a coupon that has ended", async () => {
  const shop = await openShop();
  const { id } = await makeCoupon(shop.seller, { code: "ONTEM" });
  const email = `bia-${randomUUID()}@exemplo.com.br`;
  const first = await buy(shop, email, "ontem");
  await endCharge(first.chargeId!, "expired");
  await sql`update coupons set ends_at = now() where id = ${id}`;
  const today = await makeCoupon(shop.seller, { code: "HOJE" });
  const second = await buy(shop, email, "hoje");
  expect(second).toMatchObject({ saleId: expect.any(String), chargeId: expect.any(String), rule: null });
  expect(second.saleId).not.toBe(first.saleId);
  expect(await usesOf(today)).toBe(1);
});

test("an order whose use another buyer has taken by now does not stand in the way of one with another code", async () => {
  const shop = await openShop();
  const coupon = await makeCoupon(shop.seller, { maxUses: 1 });
  await makeCoupon(shop.seller, { code: "LINK5", percent: 5 });
  const email = `bia-${randomUUID()}@exemplo.com.br`;
  const first = await buy(shop, email);
  await endCharge(first.chargeId!, "expired");
  expect((await buy(shop)).rule).toBeNull();
  const codes = { typed: "LINK5", linked: "MENOS10" };
  const again = await placeOrder({ ...orderFrom(shop, email), coupons: codes });
  expect(again).toMatchObject({ refusal: null });
  expect(again.saleId).not.toBe(first.saleId);
  expect((await buy(shop, email)).rule).toBe("coupon-used-up");
  expect(await usesOf(coupon)).toBe(1);
});

test("looking for an order with a used-up coupon takes no attempt at a provider that stopped answering", async () => {
  const shop = await openShop();
  await makeGateway(shop.seller, { provider: "woovi", apiKey: `sandbox-${randomUUID()}` });
  const [account] = await sql`select key_id from gateway_accounts
    where seller_id = ${shop.seller.id} and provider = 'pushinpay'`;
  for (let failures = 0; failures < 3; failures++)
    recordFailure(account!.key_id, "pushinpay", performance.now() - MINUTE - SECOND);
  await makeCoupon(shop.seller, { maxUses: 1, uses: 1 });
  await makeCoupon(shop.seller, { code: "LINK5", percent: 5 });
  const codes = { typed: "LINK5", linked: "MENOS10" };
  const { saleId } = await placeOrder({ ...orderFrom(shop), coupons: codes });
  const made = await sql`select provider from charges where sale_id = ${saleId}`;
  expect([...made]).toEqual([{ provider: "pushinpay" }]);
});

test("a buyer whose order took the last use of a coupon gets the better one that they type", async () => {
  const shop = await openShop();
  await makeCoupon(shop.seller, { maxUses: 1 });
  await makeCoupon(shop.seller, { code: "METADE", percent: 50 });
  await makeCoupon(shop.seller, { code: "TAMBEM10" });
  const order = {
    ...orderOf(shop, `bia-${randomUUID()}@exemplo.com.br`),
    seenPrices: `9700 ${shop.bump.id}:1990`,
  };
  const place = (typed: string | null) => placeOrder({ ...order, coupons: { typed, linked: "MENOS10" } });
  const couponOf = async ({ saleId }: { saleId: string }) =>
    (await sql`select coupon_code from sales where id = ${saleId}`)[0]!.coupon_code;
  const first = await place(null);
  // One that lowers the price as much does not replace the use that was taken.
  expect((await place("TAMBEM10")).saleId).toBe(first.saleId);
  const better = await place("METADE");
  expect(better.saleId).not.toBe(first.saleId);
  expect([await couponOf(first), await couponOf(better)]).toEqual(["MENOS10", "METADE"]);
});
