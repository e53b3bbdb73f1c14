import { randomUUID } from "node:crypto";
import type { TransactionSql } from "postgres";
import { expect, test } from "vitest";
import { isUnavailable } from "#app/db/errors.server.ts";
import { deleteProduct } from "#app/domain/catalog/delete-product.server.ts";
import { endCharge } from "#app/domain/charge/end-charge.server.ts";
import { placeOrder } from "#app/domain/checkout/place-order.server.ts";
import type { CheckoutOrder } from "#app/domain/order/order.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { settleCharge } from "#app/domain/settlement/settle-charge.server.ts";
import { sweepCharges } from "#app/domain/settlement/sweep-charges.server.ts";
import { HOUR, MINUTE } from "#app/kit/duration.ts";
import type { Refusal } from "#app/kit/refusal.ts";
import * as checkout from "#app/routes/buyer/checkout.tsx";
import { rememberSale } from "#app/server/session/sales-cookie.server.ts";
import { orderOf } from "#tests/integration/orders/order-of.ts";
import { openShop, typedBuyer } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { countStatements, sql } from "#tests/support/database.ts";
import { makeCardGateway, makeCoupon, makeOffer, makeProduct } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";
import { makeCheckoutSettings } from "#tests/support/rows/make-storefront.ts";
import { until } from "#tests/support/until.ts";

await startApp({ web: 0, worker: 0 });

type Shop = Awaited<ReturnType<typeof openShop>>;
type Sent = Partial<CheckoutOrder> & { slug?: string; quantity?: string; email?: string };

/** An order without its bump: its sale, or the rule that refused it. */
async function buy(shop: Shop, { slug, quantity, email, ...sent }: Sent = {}) {
  const base = orderOf(shop, email ?? `bia-${randomUUID()}@exemplo.com.br`);
  const order = {
    ...base,
    ...(slug ? { product: { slug } } : {}),
    fields: { ...base.fields, order_bumps: [], quantity },
    ...sent,
  };
  for (;;) {
    const answer = await placeOrder(order).then(
      ({ saleId, chargeId }) => ({ saleId, chargeId: chargeId!, rule: null, message: "", isBusy: false }),
      (error: Refusal) => ({
        // What a busy process answers: the buyer sends the order again.
        isBusy: isUnavailable(error),
        saleId: null,
        chargeId: null,
        rule: error.code ?? String(error),
        message: error.message,
      }),
    );
    if (!answer.isBusy) return answer;
  }
}

const unitsOf = async ({ id }: { id: string }) => {
  const [row] = await sql<{ units: number; counted: number }[]>`select units,
    (select coalesce(sum(quantity), 0)::int from offer_uses u where u.offer_id = o.id and u.released_at is null) as counted
    from offers o where id = ${id}`;
  expect(row!.units).toBe(row!.counted);
  return row!.units;
};

const chargeOf = async (saleId: string) => {
  const [row] = await sql<{ id: string; providerId: string; amount: number }[]>`
    select id, provider_id as "providerId", amount_cents as amount from charges where sale_id = ${saleId} order by created_at desc`;
  return row!;
};

const amountOf = async (saleId: string | null) => {
  const [row] = await sql<{ amount: number; offer: string | null; quantity: number }[]>`
    select amount_cents as amount, offer_name as offer, quantity from sales where id = ${saleId}`;
  return row!;
};

const pay = async (saleId: string) => {
  const charge = await chargeOf(saleId);
  await settleCharge(charge.id, {
    providerId: charge.providerId,
    state: "paid",
    providerStatus: "paid",
    amountCents: charge.amount,
    feeCents: null,
    refundedCents: null,
    webhookUrl: null,
  });
};

test("an offer's address sells at its price; the product's own keeps its price", async () => {
  const shop = await openShop();
  const offer = await makeOffer(shop.product, { maxQuantity: 5 });
  const { saleId } = await buy(shop, { slug: offer.slug.toUpperCase(), quantity: "3" });
  expect(await amountOf(saleId)).toEqual({ amount: 14_100, offer: "Lançamento", quantity: 3 });
  const [line] =
    await sql`select name, quantity, price_cents, discount_cents from sale_lines where sale_id = ${saleId}`;
  expect(line).toEqual({
    name: `3 × ${shop.product.name}`,
    quantity: 3,
    price_cents: 14_100,
    discount_cents: 0,
  });
  expect((await chargeOf(saleId!)).amount).toBe(14_100);
  expect(await unitsOf(offer)).toBe(3);
  expect(await amountOf((await buy(shop)).saleId)).toEqual({
    amount: shop.product.priceCents,
    offer: null,
    quantity: 1,
  });
});

test("a coupon lowers each unit, after the offer's price", async () => {
  const shop = await openShop();
  await makeCoupon(shop.seller, { percent: 15, minimumCents: 9000 });
  const offer = await makeOffer(shop.product, { maxQuantity: 5 });
  const coupons = { typed: "menos10", linked: null };
  expect((await buy(shop, { slug: offer.slug, coupons })).rule).toBe("coupon-minimum");
  const { saleId } = await buy(shop, { slug: offer.slug, quantity: "2", coupons });
  expect((await amountOf(saleId)).amount).toBe(2 * (4700 - 705));
});

test("a coupon that is used up is called so, whatever its minimum and the quantity", async () => {
  const shop = await openShop();
  await makeCoupon(shop.seller, { minimumCents: 9000, maxUses: 1, uses: 1 });
  const offer = await makeOffer(shop.product, { maxQuantity: 5 });
  const coupons = { typed: "menos10", linked: null };
  expect((await buy(shop, { slug: offer.slug, quantity: "2", coupons })).rule).toBe("coupon-used-up");
});

test("a coupon of one offer lowers no other price of the product", async () => {
  const shop = await openShop();
  const [offer, other] = [await makeOffer(shop.product), await makeOffer(shop.product)];
  await makeCoupon(shop.seller, { offerIds: [offer.id] });
  const coupons = { typed: "menos10", linked: null };
  expect((await buy(shop, { coupons })).rule).toBe("coupon-other-product");
  expect((await buy(shop, { slug: other.slug, coupons })).rule).toBe("coupon-other-product");
  expect((await amountOf((await buy(shop, { slug: offer.slug, coupons })).saleId)).amount).toBe(4230);
});

test("60 buyers at once on an offer with 15 units take exactly 15", async () => {
  const shop = await openShop();
  const offer = await makeOffer(shop.product, { maxUnits: 15 });
  const bought = await Promise.all(Array.from({ length: 60 }, () => buy(shop, { slug: offer.slug })));
  expect(bought.filter(({ saleId }) => saleId)).toHaveLength(15);
  expect(new Set(bought.map(({ rule }) => rule))).toEqual(new Set([null, "offer-sold-out"]));
  expect(await unitsOf(offer)).toBe(15);
});

test("units of several are never more than there are", async () => {
  const shop = await openShop();
  const offer = await makeOffer(shop.product, { maxUnits: 20, maxQuantity: 3 });
  const bought = await Promise.all(
    Array.from({ length: 20 }, () => buy(shop, { slug: offer.slug, quantity: "3" })),
  );
  expect(bought.filter(({ saleId }) => saleId)).toHaveLength(6);
  expect(await unitsOf(offer)).toBe(18);
  expect((await buy(shop, { slug: offer.slug, quantity: "3" })).message).toContain("Restam só 2");
  expect((await buy(shop, { slug: offer.slug, quantity: "2" })).rule).toBeNull();
  expect(await unitsOf(offer)).toBe(20);
});

test("the last unit is one buyer's, however often they send the order, at the offer's address and as a tier", async () => {
  const shop = await openShop();
  for (const kind of ["link", "tier"] as const) {
    const offer = await makeOffer(shop.product, { kind, maxUnits: 1 });
    const email = `bia-${randomUUID()}@exemplo.com.br`;
    const sent = kind === "link" ? { slug: offer.slug, email } : { seenOfferId: offer.id, email };
    const all = await Promise.all(Array.from({ length: 8 }, () => buy(shop, sent)));
    all.push(await buy(shop, sent));
    expect(new Set(all.map(({ saleId }) => saleId)).size).toBe(1);
    expect(all[0]!.rule).toBeNull();
    const { email: _, ...others } = sent;
    expect((await buy(shop, others)).rule).toBe("offer-sold-out");
    expect(await unitsOf(offer)).toBe(1);
  }
});

test("a unit is free again when its PIX ends, taken by the next code, and kept by a late payment", async () => {
  const shop = await openShop();
  const offer = await makeOffer(shop.product, { maxUnits: 1 });
  const { saleId } = await buy(shop, { slug: offer.slug });
  await endCharge((await chargeOf(saleId!)).id, "expired");
  expect(await unitsOf(offer)).toBe(0);
  const second = await buy(shop, { slug: offer.slug });
  expect(second.rule).toBeNull();
  await expect(startPix(saleId!)).rejects.toThrow('A oferta "Lançamento" deste pedido não vale mais');
  expect(await unitsOf(offer)).toBe(1);
  // Both pay: the seller has sold one more than there were, and sees it.
  await pay(saleId!);
  await pay(second.saleId!);
  expect(await unitsOf(offer)).toBe(2);
});

test("who ordered more units than are left by now reads how many are, and can order fewer", async () => {
  const shop = await openShop();
  const offer = await makeOffer(shop.product, { maxUnits: 10, maxQuantity: 5 });
  const typed = { ...typedBuyer(`bia-${randomUUID()}@exemplo.com.br`), own_name: "c".repeat(32) };
  const send = async (quantity: string) => {
    const answer = await call(checkout, `/checkout/s/${offer.slug}`, {
      method: "POST",
      params: { slug: offer.slug },
      body: new URLSearchParams({ ...typed, quantity }),
    });
    const saleId = answer.headers.get("location")?.split("/").at(-1) ?? "";
    return { status: answer.status, saleId, html: await answer.text() };
  };
  const { saleId } = await send("3");
  await endCharge((await chargeOf(saleId)).id, "expired");
  for (const [units, left] of [
    [8, "Restam só 2"],
    [9, "Resta só 1"],
  ] as const) {
    await sql`update offers set units = ${units} where id = ${offer.id}`;
    await expect(startPix(saleId)).rejects.toThrow(
      `${left} na oferta "Lançamento". Nada foi cobrado. Faça um novo pedido com menos unidades`,
    );
    const again = await send("3");
    expect([again.status, again.html.includes(`${left} na oferta`)]).toEqual([409, true]);
  }
  const fewer = await send("1");
  expect(fewer.status).toBe(303);
  expect(fewer.saleId).not.toBe(saleId);
});

test("a unit is free again when its PIX has ended by the clock, and its next PIX is judged anew", async () => {
  const shop = await openShop();
  const offer = await makeOffer(shop.product, { maxUnits: 1 });
  const { saleId, chargeId } = await buy(shop, { slug: offer.slug });
  await sql`update charges set expires_at = now() - interval '1 hour', next_check_at = null where id = ${chargeId}`;
  await sweepCharges.handle({}, { number: 1, last: false });
  expect(await unitsOf(offer)).toBe(0);
  await sql`update offers set ends_at = now() where id = ${offer.id}`;
  await expect(startPix(saleId!)).rejects.toThrow('A oferta "Lançamento" deste pedido não vale mais');
  expect(await unitsOf(offer)).toBe(0);
});

/** Runs `work`, which has to wait for the offer's row, beside an order, which holds it and then takes `next`. */
async function besideAnOrder(
  offer: { id: string },
  work: () => Promise<unknown>,
  next: (tx: TransactionSql) => Promise<unknown>,
) {
  let working: Promise<unknown> = Promise.resolve();
  await sql.begin(async (tx) => {
    await tx`update offers set units = units + 1 where id = ${offer.id}`;
    working = work();
    working.catch(() => {});
    const waiting = () => sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    await until(async () => (await waiting()).length > 0, { what: "the work to wait for the offer's row" });
    await next(tx);
  });
  await working;
}

test("a PIX that ends does not deadlock with an order of the same offer and coupon", async () => {
  const shop = await openShop();
  const coupon = await makeCoupon(shop.seller);
  const offer = await makeOffer(shop.product);
  const { saleId } = await buy(shop, { slug: offer.slug, coupons: { typed: coupon.code, linked: null } });
  const charge = await chargeOf(saleId!);
  await besideAnOrder(
    offer,
    () => endCharge(charge.id, "expired"),
    (tx) => tx`update coupons set uses = uses + 1 where id = ${coupon.id}`,
  );
  const [row] = await sql`select units, uses from offers, coupons
    where offers.id = ${offer.id} and coupons.id = ${coupon.id}`;
  expect(row).toEqual({ units: 1, uses: 1 });
});

test("deleting a product does not deadlock with an order of its offer", async () => {
  const shop = await openShop();
  const offer = await makeOffer(shop.product);
  await buy(shop, { slug: offer.slug });
  await besideAnOrder(
    offer,
    () => deleteProduct(shop.seller.id, shop.product.id),
    (tx) => tx`select from products where id = ${shop.product.id} for key share`,
  );
  const [row] = await sql`select slug from offers where id = ${offer.id}`;
  expect(row).toEqual({ slug: null });
});

test("an order by card is refused for places that are taken, before a card is typed, and not where its browser's order has them", async () => {
  const shop = await openShop();
  await makeCardGateway(shop.seller);
  const offer = await makeOffer(shop.product, { maxUnits: 3, maxQuantity: 3 });
  const { slug } = offer;
  const email = "cartao@exemplo.com.br";
  const own = await buy(shop, { slug, email });
  const sent = { slug, isCard: true };
  expect((await buy(shop, { ...sent, quantity: "3" })).message).toBe(
    'Restam só 2 na oferta "Lançamento". Nada foi cobrado. Diminua a quantidade.',
  );
  expect((await buy(shop, { ...sent, quantity: "2" })).rule).toBeNull();
  await buy(shop, { slug, quantity: "2" });
  expect(await buy(shop, sent)).toMatchObject({ saleId: null, rule: "offer-sold-out" });
  expect(await buy(shop, { ...sent, email })).toMatchObject({ saleId: own.saleId, rule: null });
  expect(await unitsOf(offer)).toBe(3);
});

test("one buyer takes no more units than they may, by e-mail and by document", async () => {
  const shop = await openShop();
  const offer = await makeOffer(shop.product, { maxUnitsPerBuyer: 2, maxQuantity: 2 });
  const email = "mesma@exemplo.com.br";
  expect((await buy(shop, { slug: offer.slug, email })).rule).toBeNull();
  // The document is the same in all orders of this file.
  const sent = { slug: offer.slug, quantity: "2" };
  expect((await buy(shop, sent)).rule).toBe("offer-not-valid");
  const fields = { ...orderOf(shop, "outra@exemplo.com.br").fields, order_bumps: [], quantity: "2" };
  const other = { fields: { ...fields, customer_document: "111.444.777-35" } };
  expect((await buy(shop, { slug: offer.slug, email: "outra@exemplo.com.br", ...other })).rule).toBeNull();
  expect(await unitsOf(offer)).toBe(3);
});

test("who gives neither e-mail nor CPF buys at an offer and a price tier all the same, whose limits per buyer count nobody", async () => {
  const shop = await openShop();
  await makeCheckoutSettings(shop.seller, { require_email: false, require_document: false });
  const limited = await makeOffer(shop.product, { maxUnitsPerBuyer: 1 });
  const tier = await makeOffer(shop.product, { kind: "tier", maxUnitsPerBuyer: 1 });
  const buyAsNobody = (at: { slug?: string }) => {
    const fields = { ...orderOf(shop, "").fields, order_bumps: [], customer_document: "" };
    const buyerContext = { client: randomUUID(), userAgent: "test", placedSaleIds: [] };
    return buy(shop, { ...at, fields, buyerContext });
  };
  for (const at of [{ slug: limited.slug }, {}])
    for (const _ of [1, 2]) expect((await buyAsNobody(at)).rule).toBeNull();
  expect([await unitsOf(limited), await unitsOf(tier)]).toEqual([2, 2]);
});

test("the product's address sells the first tier that can be ordered, then the next, then its own price", async () => {
  const shop = await openShop();
  const first = await makeOffer(shop.product, { kind: "tier", name: "Lote 1", maxUnits: 1 });
  await makeOffer(shop.product, { kind: "tier", name: "Lote 2", position: 1, priceCents: 6700, maxUnits: 1 });
  await makeOffer(shop.product, {
    ...{ kind: "tier", name: "Lote 3", position: 2, priceCents: 100 },
    endsAt: new Date(Date.now() - MINUTE),
  });
  const bought = [];
  for (let i = 0; i < 3; i++) bought.push(await amountOf((await buy(shop)).saleId));
  expect(bought).toEqual([
    { amount: 4700, offer: "Lote 1", quantity: 1 },
    { amount: 6700, offer: "Lote 2", quantity: 1 },
    { amount: 9700, offer: null, quantity: 1 },
  ]);
  // Who saw the first price is asked, and not charged more.
  const late = await buy(shop, { seenPrices: "4700", seenOfferId: first.id });
  expect(late).toMatchObject({ saleId: null, rule: "offer-sold-out" });
  expect((await buy(shop, { seenPrices: "4700" })).message).toMatch(
    /agora o total é R\$\s97,00 \(antes, R\$\s47,00\)/,
  );
});

test("a tier that ended a moment ago is sold for the seller's grace period to who saw it", async () => {
  const shop = await openShop();
  const ended = { endsAt: new Date(Date.now() - 5 * MINUTE) };
  const tier = await makeOffer(shop.product, { kind: "tier", ...ended });
  const seen = { seenPrices: "4700", seenOfferId: tier.id };
  expect((await buy(shop, seen)).rule).toBe("price");
  await makeCheckoutSettings(shop.seller, { price_grace_minutes: 10 });
  expect((await amountOf((await buy(shop, seen)).saleId)).amount).toBe(4700);
  expect((await amountOf((await buy(shop)).saleId)).amount).toBe(9700);
  await sql`update offers set ends_at = now() - interval '11 minutes' where id = ${tier.id}`;
  expect((await buy(shop, seen)).rule).toBe("price");
  const link = await makeOffer(shop.product, ended);
  expect((await buy(shop, { slug: link.slug })).rule).toBeNull();
});

test.each([
  ["ended", "ends_at"],
  ["was paused", "deactivated_at"],
] as const)(
  "an order that is sent again after its offer %s is that order, also once it is paid",
  async (_, at) => {
    const shop = await openShop();
    const offer = await makeOffer(shop.product, { maxUnits: 5 });
    const sent = { slug: offer.slug, email: `bia-${randomUUID()}@exemplo.com.br` };
    const first = await buy(shop, sent);
    await sql`update offers set ${sql(at)} = now() where id = ${offer.id}`;
    expect(await buy(shop, sent)).toEqual(first);
    expect(await unitsOf(offer)).toBe(1);
    expect((await buy(shop, { slug: offer.slug })).rule).toBe("offer-ended");
    expect((await buy(shop, { slug: offer.slug, email: "bia@" })).rule).toBe("offer-ended");
    await pay(first.saleId!);
    expect(await buy(shop, sent)).toEqual(first);
    const inItsBrowser = { client: sent.email, userAgent: "test", placedSaleIds: [first.saleId!] };
    expect((await buy(shop, { ...sent, buyerContext: inItsBrowser })).rule).toBe("already-bought");
  },
);

test("an order that is sent again after the seller's timer ended is that order, and a new one is refused", async () => {
  const shop = await openShop();
  await makeCheckoutSettings(shop.seller, { urgency_timer_enabled: true });
  const email = `bia-${randomUUID()}@exemplo.com.br`;
  const first = await buy(shop, { email, timerEndsAt: Date.now() + MINUTE });
  const over = { timerEndsAt: Date.now() - MINUTE };
  expect(await buy(shop, { email, ...over })).toEqual(first);
  expect((await buy(shop, over)).rule).toBe("timer-over");
});

test("the page of an offer that has ended tells its buyer that they have bought, and not that nothing was charged", async () => {
  const shop = await openShop();
  const { slug, id } = await makeOffer(shop.product);
  const form = new URLSearchParams(typedBuyer(`bia-${randomUUID()}@exemplo.com.br`));
  const post = async (headers: Record<string, string>) =>
    call(checkout, `/checkout/s/${slug}`, { method: "POST", params: { slug: slug! }, headers, body: form });
  const ordered = await post({});
  const [saleId] = ordered.headers.get("location")!.match(/[0-9a-f-]{36}/)!;
  await pay(saleId);
  await sql`update offers set ends_at = now() where id = ${id}`;
  const [cookie] = await rememberSale(new Request("http://localhost"), saleId);
  const again = await post({ Cookie: cookie!.split(";")[0]! });
  const html = await again.text();
  expect(html).toContain("Você já comprou este produto");
  expect(html).not.toContain("Nada foi cobrado");
});

test("an order whose units were returned is not taken up once its offer has ended", async () => {
  const shop = await openShop();
  const offer = await makeOffer(shop.product, { maxUnits: 5 });
  const sent = { slug: offer.slug, email: `bia-${randomUUID()}@exemplo.com.br` };
  const { chargeId } = await buy(shop, sent);
  await sql`update offers set ends_at = now() where id = ${offer.id}`;
  await sql`update charges set expires_at = now() where id = ${chargeId}`;
  await sql`update offer_uses set released_at = now() where offer_id = ${offer.id}`;
  expect((await buy(shop, sent)).rule).toBe("offer-ended");
});

test("an order names an offer of another product, or none, by its slug", async () => {
  const [shop, other] = [await openShop(), await openShop()];
  const foreign = await makeOffer(other.product);
  const product = (offer: string) => ({ product: { id: shop.product.id, offer } });
  expect((await buy(shop, product(foreign.slug))).rule).toBe("not-for-sale");
  expect((await buy(shop, product("nada"))).rule).toBe("not-for-sale");
  expect((await buy(shop, product(shop.product.checkoutSlug ?? "x"))).rule).toBe("not-for-sale");
  expect((await buy(shop, { seenOfferId: foreign.id })).rule).toBeNull();
  expect((await buy(shop, { seenOfferId: "nada" })).rule).toBeNull();
});

test("an order of more than R$ 21 million is refused, also where a coupon takes it all off", async () => {
  const shop = await openShop();
  const offer = await makeOffer(shop.product, { priceCents: 100_000_000, maxQuantity: 1000 });
  await makeCoupon(shop.seller, { code: "BOLSA", percent: 100 });
  const free = { coupons: { typed: "bolsa", linked: null } };
  for (const sent of [{}, free]) {
    const { rule, message } = await buy(shop, { slug: offer.slug, quantity: "22", ...sent });
    expect([rule, message]).toEqual([
      "amount",
      "Um pedido pode somar até R$ 21.000.000,00. Nada foi cobrado. Diminua a quantidade.",
    ]);
  }
  const { saleId, rule } = await buy(shop, { slug: offer.slug, quantity: "21" });
  expect([rule, await amountOf(saleId)]).toMatchObject([null, { amount: 2_100_000_000 }]);
});

test("no two products or offers have the same address, whatever its case", async () => {
  const shop = await openShop();
  const other = await makeProduct({ id: shop.product.sellerId });
  const slug = `Lote-${randomUUID().slice(0, 8)}`;
  const offer = await makeOffer(shop.product, { slug });
  const take = () => sql`update products set checkout_slug = ${slug.toLowerCase()} where id = ${other.id}`;
  await expect(take()).rejects.toThrow("checkout_slugs_pkey");
  await sql`update offers set slug = null, archived_at = now() where id = ${offer.id}`;
  await take();
  await expect(makeOffer(shop.product, { slug })).rejects.toThrow();
});

test("an order at an offer's price needs one more statement than one at the product's", async () => {
  const shop = await openShop();
  const offer = await makeOffer(shop.product, { maxUnits: 9, endsAt: new Date(Date.now() + HOUR) });
  const { statements: plain } = await countStatements(() => buy(shop));
  const { statements: offered } = await countStatements(() => buy(shop, { slug: offer.slug }));
  expect(offered.length).toBe(plain.length + 1);
});
