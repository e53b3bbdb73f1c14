import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { findCoupons } from "#app/domain/coupon/choose-coupon.server.ts";
import { placeSale } from "#app/domain/order/place-sale.server.ts";
import { unseal } from "#app/platform/secrets.server.ts";
import { openShop, order } from "#tests/integration/payments/support.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeCoupon, makeOffer, makeProduct, markPaid } from "#tests/support/make.ts";

type Fields = NonNullable<Parameters<typeof order>[1]>;

/** A buyer at an address of their own, in a new browser without an id; `fields` replaces some of it. */
function someone(fields: Partial<Fields["buyerContext"]> = {}) {
  const email = `bia-${randomUUID()}@exemplo.com.br`;
  return {
    customer: { name: "Bia", email, phone: null, document: null } as NonNullable<Fields["customer"]>,
    buyerContext: { client: randomUUID(), userAgent: "test", placedSaleIds: [] as string[], ...fields },
  };
}

const place = async (productId: number, fields: Fields) => (await placeSale(order(productId, fields))).saleId;
const age = (saleId: string, minutes: number) =>
  sql`update sales set created_at = created_at - make_interval(mins => ${minutes}) where id = ${saleId}`;
const saleOf = async (saleId: string) => (await sql`select * from sales where id = ${saleId}`)[0]!;

test("a sale is stored as it was ordered, its product first and its bumps after it", async () => {
  const { product, bump } = await openShop();
  const customer = { name: "", email: "Bia@Exemplo.com.br", phone: "+5511987654321", document: "" };
  const campaign = { utm_source: "instagram", src: "bio" };
  const saleId = await place(product.id, { ...someone(), customer, campaign, bumpIds: [bump.id] });
  expect(await saleOf(saleId)).toMatchObject({
    ...{ status: "pending", amount_cents: 11_690, payment_method: "pix", quantity: 1 },
    ...{ customer_name: null, customer_email: "bia@exemplo.com.br", customer_phone: "+5511987654321" },
    ...{ customer_document_sealed: null, utm_source: "instagram", utm_medium: null },
    campaign: { src: "bio" },
  });
  const lines = await sql`select kind, position, name, price_cents from sale_lines where sale_id = ${saleId}
    order by position`;
  expect([...lines]).toEqual([
    { kind: "product", position: 0, name: "Curso de Violão", price_cents: 9700 },
    { kind: "bump", position: 1, name: "Apostila de cifras", price_cents: 1990 },
  ]);
  const events = await sql`select kind, data, cause from sale_events where sale_id = ${saleId}`;
  expect([...events]).toEqual([{ kind: "placed", data: { via: "checkout" }, cause: "buyer" }]);
  const anonymous = { name: "Bia", email: null, phone: null, document: "52998224725" };
  const second = await saleOf(await place(product.id, { ...someone(), customer: anonymous }));
  expect(unseal(second.customer_document_sealed)).toBe("52998224725");
  expect([second.customer_email, second.customer_phone]).toEqual([null, null]);
});

test("in the browser that placed it an order is one sale for a day, from any network and with another phone", async () => {
  const { seller, product } = await openShop();
  const bia = someone();
  const saleId = await place(product.id, bia);
  const again = (productId: number) =>
    place(productId, {
      customer: { ...bia.customer, name: "Bia Corrigida", phone: "+5511987654321" },
      buyerContext: someone({ placedSaleIds: [saleId] }).buyerContext,
    });
  expect(await again(product.id)).toBe(saleId);
  expect(await again((await makeProduct(seller)).id)).not.toBe(saleId);
  await age(saleId, 25 * 60);
  expect(await again(product.id)).not.toBe(saleId);
});

test("a browser with an id repeats its order for a day, one without for five minutes", async () => {
  const { product } = await openShop();
  for (const [browserId, minutes] of [
    [randomUUID(), 23 * 60],
    [undefined, 4],
  ] as const) {
    const bia = someone(browserId ? { browserId } : {});
    const saleId = await place(product.id, bia);
    await age(saleId, minutes);
    expect(await place(product.id, bia)).toBe(saleId);
    await age(saleId, 61);
    expect(await place(product.id, bia)).not.toBe(saleId);
  }
});

test("an order that arrives again after it was paid is that sale, unless its buyer wants another one", async () => {
  const { product } = await openShop();
  const bia = someone();
  const knows = (placedSaleIds: string[]) => ({
    ...bia,
    buyerContext: { ...bia.buyerContext, placedSaleIds },
    isRepurchase: true,
  });
  const first = await place(product.id, bia);
  await markPaid(first);
  expect(await place(product.id, bia)).toBe(first);
  const second = await place(product.id, knows([first]));
  expect(second).not.toBe(first);
  await markPaid(second);
  // Sent before its browser knew of the second one.
  expect(await place(product.id, knows([first]))).toBe(second);
  const third = await place(product.id, knows([]));
  expect([first, second]).not.toContain(third);
});

test.each([
  [
    "its price tier ended",
    "price",
    "update offers set ends_at = now() - interval '2 hours' where product_id = $1",
  ],
  ["its price rose", "price", "update offers set price_cents = price_cents + 1 where product_id = $1"],
  ["its bump was paused", "bump-gone", "update order_bumps set deactivated_at = now() where product_id = $1"],
])(
  "an order that is sent again after %s is the sale that it was, in the browser that placed it at that total",
  async (_, code, change) => {
    const { product, bump } = await openShop();
    const tier = await makeOffer(product, { kind: "tier", slug: null });
    const seenCents = tier.priceCents + bump.priceCents;
    const sent = { bumpIds: [bump.id], seenOfferId: tier.id, seenCents };
    const bia = { ...someone(), ...sent };
    const first = await place(product.id, bia);
    const other = await place(product.id, { ...someone(), ...sent });
    const { id: chargeId } = await makeCharge({ id: first, amountCents: seenCents });
    await sql.unsafe(change, [product.id]);
    expect(await place(product.id, bia)).toBe(first);
    const elsewhere = someone({ placedSaleIds: [first, other] }).buyerContext;
    const corrected = { ...bia.customer, phone: "+5511987654321" };
    expect(await place(product.id, { ...bia, customer: corrected, buyerContext: elsewhere })).toBe(first);
    expect((await saleOf(first)).customer_phone).toBe("+5511987654321");
    for (const fields of [someone(), { buyerContext: someone().buyerContext }, { seenCents: seenCents - 1 }])
      await expect(place(product.id, { ...bia, ...fields })).rejects.toMatchObject({ code });
    // Its tier's units and its bump would be refused for another code.
    await sql`update charges set status = 'expired' where id = ${chargeId}`;
    await expect(place(product.id, bia)).rejects.toMatchObject({ code });
    await markPaid(first);
    expect(await place(product.id, bia)).toBe(first);
    await expect(place(product.id, { ...bia, isRepurchase: true })).rejects.toMatchObject({ code });
  },
);

test("an order that is sent again after its bump was paused is its sale while its PIX is being made, not once that was given up", async () => {
  const { product, bump } = await openShop();
  const bia = { ...someone(), bumpIds: [bump.id], seenCents: product.priceCents + bump.priceCents };
  const saleId = await place(product.id, bia);
  const charge = await makeCharge(
    { id: saleId, amountCents: bia.seenCents },
    { status: "creating", creatingUntil: new Date(Date.now() + 60_000), providerId: null },
  );
  await sql`update order_bumps set deactivated_at = now() where id = ${bump.id}`;
  expect(await place(product.id, bia)).toBe(saleId);
  await sql`update charges set creating_until = now() where id = ${charge.id}`;
  await expect(place(product.id, bia)).rejects.toMatchObject({ code: "bump-gone" });
});

test("an order without a coupon is not the one that a coupon made as cheap", async () => {
  const { seller, product } = await openShop();
  const { code } = await makeCoupon(seller, { percent: 10 });
  const [coupon] = await findCoupons(seller.id, [code]);
  const sent = { ...someone(), seenCents: 8730 };
  const saleId = await place(product.id, { ...sent, coupon: coupon! });
  await makeCharge({ id: saleId, amountCents: 8730 });
  await expect(place(product.id, sent)).rejects.toMatchObject({ code: "price" });
  await sql`update products set price_cents = price_cents + 100 where id = ${product.id}`;
  expect(await place(product.id, { ...sent, coupon: coupon! })).toBe(saleId);
});

test("an order whose sale was refunded is a new one", async () => {
  const { product } = await openShop();
  const bia = someone();
  const saleId = await place(product.id, bia);
  await markPaid(saleId);
  await sql`update sales set status = 'refunded', refunded_at = now() where id = ${saleId}`;
  expect(await place(product.id, bia)).not.toBe(saleId);
});

test("without an e-mail a paid order is repeated for five minutes: later it is a purchase more", async () => {
  const { product } = await openShop();
  const customer = { name: "Bia", email: null, phone: "+5511987654321", document: null };
  const saleId = await place(product.id, { ...someone(), customer });
  await markPaid(saleId);
  const again = () => place(product.id, { ...someone({ placedSaleIds: [saleId] }), customer });
  await age(saleId, 4);
  expect(await again()).toBe(saleId);
  await age(saleId, 2);
  expect(await again()).not.toBe(saleId);
});

test("a repeated order changes the payment method of an unpaid sale alone", async () => {
  const { product } = await openShop();
  const bia = someone();
  const saleId = await place(product.id, { ...bia, isCard: true });
  const methodAfter = async (fields: Fields) => {
    expect(await place(product.id, { ...bia, ...fields })).toBe(saleId);
    return (await saleOf(saleId)).payment_method;
  };
  expect((await saleOf(saleId)).payment_method).toBe("card");
  expect(await methodAfter({ isCard: false })).toBe("pix");
  expect(await methodAfter({ isCard: true })).toBe("card");
  await markPaid(saleId);
  expect(await methodAfter({ isCard: false })).toBe("card");
});

test("the last name and phone of an unpaid order count, and what is left empty stays", async () => {
  const { product } = await openShop();
  const { customer, buyerContext } = someone();
  const saleId = await place(product.id, { customer, buyerContext });
  const after = async (name: string | null, phone: string | null) => {
    const again = {
      customer: { ...customer, name, phone },
      buyerContext: { ...buyerContext, placedSaleIds: [saleId] },
    };
    expect(await place(product.id, again)).toBe(saleId);
    const { customer_name, customer_phone } = await saleOf(saleId);
    return [customer_name, customer_phone];
  };
  expect(await after("Bia Corrigida", "+5511987654321")).toEqual(["Bia Corrigida", "+5511987654321"]);
  expect(await after("", null)).toEqual(["Bia Corrigida", "+5511987654321"]);
  await markPaid(saleId);
  expect(await after("Outra", "+5511900000000")).toEqual(["Bia Corrigida", "+5511987654321"]);
});

test("the last answer about advertisers counts, with the ids of the browser that gave it", async () => {
  const { product } = await openShop();
  const bia = someone();
  const saleId = await place(product.id, bia);
  const after = async (adConsent: boolean | null, agent: string | null) => {
    const adAnswer = { adConsent, adIds: agent ? { agent } : null };
    expect(await place(product.id, { ...bia, adAnswer })).toBe(saleId);
    const { ad_consent, ad_ids } = await saleOf(saleId);
    return [ad_consent, ad_ids];
  };
  expect(await after(null, null)).toEqual([null, null]);
  expect(await after(true, "first")).toEqual([true, { agent: "first" }]);
  expect(await after(true, "second")).toEqual([true, { agent: "first" }]);
  expect(await after(null, null)).toEqual([true, { agent: "first" }]);
  expect(await after(false, null)).toEqual([false, null]);
});

test("a consent that names other advertisers than the one before replaces it", async () => {
  const { product } = await openShop();
  const bia = someone();
  const saleId = await place(product.id, bia);
  const after = async (kinds: string[], agent: string) => {
    await place(product.id, { ...bia, adAnswer: { adConsent: true, adIds: { agent, kinds } } });
    return (await saleOf(saleId)).ad_ids;
  };
  expect(await after(["meta"], "first")).toEqual({ agent: "first", kinds: ["meta"] });
  expect(await after(["meta"], "second")).toEqual({ agent: "first", kinds: ["meta"] });
  expect(await after(["meta", "tiktok"], "third")).toEqual({ agent: "third", kinds: ["meta", "tiktok"] });
});

test("a consent given with a later submit adds its click ids to the sale, and replaces none", async () => {
  const { product } = await openShop();
  const bia = someone();
  const saleId = await place(product.id, { ...bia, campaign: { src: "bio", fbclid: "first" } });
  const after = async (adConsent: boolean, campaign: Record<string, string>) => {
    const buyerContext = { ...bia.buyerContext, placedSaleIds: [saleId] };
    const adAnswer = { adConsent, adIds: adConsent ? {} : null };
    expect(await place(product.id, { ...bia, buyerContext, adAnswer, campaign })).toBe(saleId);
    return (await saleOf(saleId)).campaign;
  };
  expect(await after(false, { kclid: "kwai-1" })).toEqual({ src: "bio", fbclid: "first" });
  const later = { src: "mail", fbclid: "second", kclid: "kwai-1", utm_source: "ig" };
  expect(await after(true, later)).toEqual({ src: "bio", fbclid: "first", kclid: "kwai-1" });
});

test("a guarantee that became shorter is refused to a new buyer; who ordered before keeps the longest", async () => {
  const { product } = await openShop();
  const bia = someone();
  const saleId = await place(product.id, { ...bia, guaranteeDays: 30, seenGuaranteeDays: 30 });
  const shorter = { guaranteeDays: 7, seenGuaranteeDays: 30 };
  for (const [fields, kept] of [
    [shorter, 30],
    [{ guaranteeDays: 60 }, 60],
    [shorter, 60],
  ] as const) {
    expect(await place(product.id, { ...bia, ...fields })).toBe(saleId);
    expect((await saleOf(saleId)).guarantee_days).toBe(kept);
  }
  await expect(place(product.id, { ...someone(), ...shorter })).rejects.toMatchObject({ rule: "guarantee" });
});

test("a repeated order writes to its own sale alone, and only what changed", async () => {
  const { product } = await openShop();
  const [bia, caio] = [someone(), someone()];
  const [saleId, another] = [await place(product.id, bia), await place(product.id, caio)];
  const versionOf = async (id: string) => (await sql`select xmin from sales where id = ${id}`)[0]!.xmin;
  const versions = async () => [await versionOf(saleId), await versionOf(another)];
  const [own, others] = await versions();
  const changes = { isCard: true, adAnswer: { adConsent: true, adIds: null }, guaranteeDays: 30 };
  expect(await place(product.id, { ...bia, ...changes })).toBe(saleId);
  const changed = await versions();
  expect([changed[0] === own, changed[1] === others]).toEqual([false, true]);
  expect(await place(product.id, { ...bia, ...changes })).toBe(saleId);
  expect(await versions()).toEqual(changed);
});

test("units and a coupon are reserved with an order's charge, or with an order that needs none", async () => {
  const { seller, product } = await openShop();
  const offer = await makeOffer(product, { kind: "tier", maxUnits: 9, maxQuantity: 5 });
  for (const code of ["DEZ", "TUDO"]) await makeCoupon(seller, { code, percent: code === "DEZ" ? 10 : 100 });
  const coupons = await findCoupons(seller.id, ["DEZ", "TUDO"]);
  const reserved = async (code: string, fields: Fields) => {
    const coupon = coupons.find((one) => one.code === code)!;
    const saleId = await place(product.id, { ...someone(), coupon, quantity: 2, ...fields });
    const [row] = await sql`select s.status, s.payment_method as method, s.amount_cents as cents, o.units,
        c.uses,
        f.released_at is null as "hasUnits", f.quantity, k.released_at is null as "hasCoupon"
      from sales s inner join offers o on o.id = s.offer_id inner join coupons c on c.id = s.coupon_id
        inner join offer_uses f on f.sale_id = s.id inner join coupon_uses k on k.sale_id = s.id
      where s.id = ${saleId}`;
    return row;
  };
  expect(await reserved("DEZ", {})).toEqual({
    ...{ status: "pending", method: "pix", cents: 8460, units: 0, quantity: 2, uses: 0 },
    ...{ hasUnits: false, hasCoupon: false },
  });
  const charge = { provider: "pushinpay", reference: randomUUID() };
  expect(await reserved("DEZ", { charge })).toEqual({
    ...{ status: "pending", method: "pix", cents: 8460, units: 2, quantity: 2, uses: 1 },
    ...{ hasUnits: true, hasCoupon: true },
  });
  const [made] = await sql`select status, amount_cents from charges where reference = ${charge.reference}`;
  expect(made).toEqual({ status: "creating", amount_cents: 8460 });
  expect(await reserved("TUDO", {})).toEqual({
    ...{ status: "completed", method: "free", cents: 0, units: 4, quantity: 2, uses: 1 },
    ...{ hasUnits: true, hasCoupon: true },
  });
  expect((await sql`select units from offers where id = ${offer.id}`)[0]).toEqual({ units: 4 });
});

test("an order of an offer or with a coupon alone has a use of that one only", async () => {
  const { seller, product } = await openShop();
  const usesOf = async (saleId: string) => [
    (await sql`select from offer_uses where sale_id = ${saleId}`).length,
    (await sql`select from coupon_uses where sale_id = ${saleId}`).length,
  ];
  await makeCoupon(seller, { code: "DEZ" });
  const [coupon] = await findCoupons(seller.id, ["DEZ"]);
  expect(await usesOf(await place(product.id, someone()))).toEqual([0, 0]);
  expect(await usesOf(await place(product.id, { ...someone(), coupon: coupon! }))).toEqual([0, 1]);
  await makeOffer(product, { kind: "tier" });
  expect(await usesOf(await place(product.id, someone()))).toEqual([1, 0]);
});

test("an order sent under a name of its own is recorded there, and under no other", async () => {
  const { seller, product } = await openShop();
  const [own, other] = [randomUUID(), randomUUID()];
  const leasedUntil = new Date();
  for (const key of [own, other])
    await sql`insert into idempotency_keys (key, body, leased_until) values (${key}, 'x', ${leasedUntil})`;
  const saleId = await place(product.id, { ...someone(), idempotencyKey: { key: own, leasedUntil } });
  const rows = await sql`select key, seller_id, sale_id from idempotency_keys
    where key in ${sql([own, other])}`;
  expect([...rows]).toEqual(
    expect.arrayContaining([
      { key: own, seller_id: seller.id, sale_id: saleId },
      { key: other, seller_id: null, sale_id: null },
    ]),
  );
});
