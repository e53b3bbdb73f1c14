import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { COUPON_RULES, type CouponRule } from "#app/domain/coupon/coupon.ts";
import { CANNOT_PAY } from "#app/domain/gateway/cannot-pay.ts";
import { clientKeys } from "#app/domain/order/order-fingerprint.server.ts";
import { ORDER_RULES, type OrderRule } from "#app/domain/order/order-refusal.ts";
import {
  ORDER_ROUTES,
  type OrderRoute,
  openScene,
  type Scene,
  type Sent,
} from "#tests/integration/payments/order-routes.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeCoupon, makeGateway, makeOffer, makeProduct } from "#tests/support/make.ts";
import { makeCheckoutSettings } from "#tests/support/rows/make-storefront.ts";

const app = await startApp({ web: 0, worker: 0 });

type Case = {
  /** What makes the order invalid: the shop is changed, or what is sent. */
  when: string;
  at: OrderRoute["sells"][];
  arrange: (scene: Scene) => Promise<Sent | undefined> | Sent | undefined;
  status: number;
  words: string[];
  /** The order exists all the same: its seller has the buyer's data, and the next attempt is the same sale. */
  isStored?: (orderRoute: OrderRoute) => boolean;
  /** Nothing is left to render the form from. */
  isGone?: boolean;
};

const GONE = "O produto que você está procurando não existe ou não está mais disponível.";
const both: OrderRoute["sells"][] = ["product", "offer"];

/** Each rule of an order: what breaks it, and the answer of every route it applies to. */
const CASES: Record<OrderRule | CouponRule, Case[]> = {
  "not-for-sale": [
    {
      when: "the product is switched off",
      at: ["product"],
      arrange: async ({ product }) => {
        await sql`update products set deactivated_at = now() where id = ${product.id}`;
        return {};
      },
      status: 404,
      words: [GONE],
      isGone: true,
    },
    {
      when: "the product is deleted",
      at: ["product"],
      arrange: async ({ product }) => {
        await sql`update products set archived_at = now() where id = ${product.id}`;
        return {};
      },
      status: 404,
      words: [GONE],
      isGone: true,
    },
    {
      when: "the offer is switched off",
      at: ["offer"],
      arrange: async ({ offer: upsell }) => {
        await sql`update upsells set deactivated_at = now() where id = ${upsell.id}`;
        return {};
      },
      status: 404,
      words: ["Esta oferta não está mais disponível"],
    },
  ],
  "timer-over": [
    {
      when: "the countdown has ended",
      at: ["product"],
      arrange: async ({ seller }) => {
        await makeCheckoutSettings(seller, { urgency_timer_enabled: true });
        return { timer: Date.now() - 60_000 };
      },
      status: 400,
      words: ["Esta oferta expirou! Recarregue a página para uma nova oportunidade."],
    },
  ],
  "offer-over": [
    {
      when: "the offer's time is over",
      at: ["offer"],
      arrange: async ({ parent }) => {
        await sql`update upsell_showings set expires_at = now() - interval '6 seconds' where sale_id = ${parent.id}`;
        return {};
      },
      status: 409,
      words: ["O prazo desta oferta terminou."],
    },
  ],
  fields: [
    {
      when: "fields that are asked for are empty or wrong",
      at: ["product"],
      arrange: () => ({
        fields: { customer_name: " ", customer_email: "bia@", customer_phone: "1", customer_document: "111" },
      }),
      status: 400,
      words: [
        "Nome é obrigatório",
        "E-mail inválido",
        "Telefone inválido. Informe o DDD e o número",
        "CPF/CNPJ inválido",
      ],
    },
    {
      when: "a field that is not asked for is wrong",
      at: ["product"],
      arrange: async ({ seller }) => {
        await makeCheckoutSettings(seller, { require_document: false });
        return { fields: { customer_document: "111" } };
      },
      status: 400,
      words: ["CPF/CNPJ inválido"],
      isGone: true,
    },
    {
      when: "the seller's provider has come to need an e-mail that the purchase lacks",
      at: ["offer"],
      arrange: async ({ seller, parent }) => {
        await sql`update sales set customer_email = null where id = ${parent.id}`;
        await sql`delete from gateway_accounts where seller_id = ${seller.id}`;
        await makeGateway(seller, { provider: "mercadopago", apiKey: "APP_USR-sandbox-1" });
        return {};
      },
      status: 400,
      words: ["é preciso informar o e-mail. Adicione o e-mail na página da sua compra. Nada foi cobrado."],
    },
  ],
  "pix-off": [
    {
      when: "PIX is switched off",
      at: both,
      arrange: async ({ seller }) => {
        await makeCheckoutSettings(seller, { enable_pix: false });
        return {};
      },
      status: 503,
      words: ["Este vendedor não está recebendo pagamentos no momento."],
    },
  ],
  "no-gateway": [
    {
      when: "the gateway is switched off",
      at: both,
      arrange: async ({ seller }) => {
        await sql`update gateway_accounts set enabled_at = null where seller_id = ${seller.id}`;
        return {};
      },
      status: 503,
      words: [CANNOT_PAY],
      isStored: (orderRoute) => orderRoute.sells === "product",
    },
    {
      when: "the gateway has no key",
      at: both,
      arrange: async ({ seller }) => {
        await sql`update gateway_accounts set key_id = null where seller_id = ${seller.id}`;
        return {};
      },
      status: 503,
      words: [CANNOT_PAY],
      isStored: (orderRoute) => orderRoute.sells === "product",
    },
  ],
  amount: [
    {
      when: "the total is below what the gateway charges",
      at: both,
      arrange: async ({ product, offer: upsell }) => {
        await sql`update products set price_cents = 49 where id = ${product.id}`;
        await sql`update upsells set price_cents = 49 where id = ${upsell.id}`;
        return {};
      },
      status: 409,
      words: ["O PIX deste vendedor só aceita pagamentos a partir de R$ 0,50. Nada foi cobrado."],
    },
  ],
  "already-bought": [
    {
      when: "the browser that bought it buys it again",
      at: ["product"],
      arrange: () => ({ known: true }),
      status: 409,
      words: ["Você já comprou este produto."],
    },
  ],
  "bump-gone": [
    {
      when: "a chosen bump is switched off",
      at: ["product"],
      arrange: async ({ bump }) => {
        await sql`update order_bumps set deactivated_at = now() where id = ${bump.id}`;
        return { bump: bump.id };
      },
      status: 409,
      words: ["Uma das ofertas escolhidas não está mais disponível. Confira o pedido e tente de novo."],
    },
  ],
  price: [
    {
      when: "the price rose after it was shown",
      at: both,
      arrange: () => ({ seen: "9600" }),
      status: 409,
      words: ["O preço mudou: agora o total é R$ 97,00 (antes, R$ 96,00). Nada foi cobrado."],
    },
  ],
  guarantee: [
    {
      when: "the guarantee became shorter after it was shown",
      at: ["product"],
      arrange: async ({ seller }) => {
        await makeCheckoutSettings(seller, { guarantee_days: 7 });
        return { guarantee: 30 };
      },
      status: 409,
      words: ["A garantia mudou: agora são 7 dias (antes, 30). Nada foi cobrado."],
    },
  ],
  "too-many": [
    {
      when: "the client has thirty unpaid orders",
      at: both,
      arrange: async ({ client, seller, product }) => {
        await sql`insert into sales (seller_id, product_id, amount_cents, order_key, client_key)
          select ${seller.id}, ${product.id}, 100, 'other', ${clientKeys(client)[0]!} from generate_series(1, 30)`;
        return {};
      },
      status: 429,
      words: [
        "Há muitos pedidos sem pagamento vindos da sua conexão. Pague um deles ou tente de novo em 10 minutos.",
      ],
    },
  ],
  "coupon-unknown": [
    {
      when: "the seller has no such coupon",
      at: ["product"],
      arrange: async ({ seller }) => {
        await makeCoupon(seller, { code: "OUTRO" });
        return { coupon: "menos10" };
      },
      status: 409,
      words: ["O cupom MENOS10 não existe. Confira o código."],
    },
  ],
  "coupon-early": [
    {
      when: "the coupon starts tomorrow",
      at: ["product"],
      arrange: async ({ seller }) => {
        await makeCoupon(seller, { startsAt: new Date("2099-11-27T13:00:00Z") });
        return { coupon: "menos10" };
      },
      status: 409,
      words: ["O cupom MENOS10 ainda não vale: começa em 27/11 às 10:00."],
    },
  ],
  "coupon-expired": [
    {
      when: "the coupon has ended",
      at: ["product"],
      arrange: async ({ seller }) => {
        await makeCoupon(seller, { endsAt: new Date("2026-01-02T02:59:00Z") });
        await makeCoupon(seller, { code: "OUTRO" });
        return { coupon: "menos10" };
      },
      status: 409,
      words: ["O cupom MENOS10 venceu em 01/01 às 23:59."],
    },
  ],
  "coupon-used-up": [
    {
      when: "all uses are taken",
      at: ["product"],
      arrange: async ({ seller }) => {
        await makeCoupon(seller, { maxUses: 3, uses: 3 });
        return { coupon: "menos10" };
      },
      status: 409,
      words: ["O cupom MENOS10 esgotou."],
    },
  ],
  "coupon-other-product": [
    {
      when: "the coupon is for another product",
      at: ["product"],
      arrange: async ({ seller }) => {
        const other = await makeProduct(seller);
        await makeCoupon(seller, { productIds: [other.id] });
        await makeCoupon(seller, { code: "OUTRO" });
        return { coupon: "menos10" };
      },
      status: 409,
      words: ["O cupom MENOS10 não vale para este produto."],
    },
  ],
  "coupon-minimum": [
    {
      when: "the product costs less than the minimum",
      at: ["product"],
      arrange: async ({ seller, product }) => {
        await makeCoupon(seller, { minimumCents: product.priceCents + 1 });
        return { coupon: "menos10" };
      },
      status: 409,
      words: ["O cupom MENOS10 vale a partir de R$ 97,01."],
    },
  ],
  "offer-early": [
    {
      when: "the offer has not begun",
      at: ["product"],
      arrange: async ({ product }) => ({
        offer: (await makeOffer(product, { startsAt: new Date("2098-01-02T02:59:00Z") })).slug,
      }),
      status: 409,
      words: ['A oferta "Lançamento" começa em 01/01 às 23:59.'],
      isGone: true,
    },
  ],
  "offer-ended": [
    {
      when: "the offer's period is over",
      at: ["product"],
      arrange: async ({ product }) => ({
        offer: (await makeOffer(product, { endsAt: new Date("2026-01-02T02:59:00Z") })).slug,
      }),
      status: 409,
      words: ['A oferta "Lançamento" terminou em 01/01 às 23:59.'],
      isGone: true,
    },
    {
      when: "the seller paused the offer",
      at: ["product"],
      arrange: async ({ product }) => ({
        offer: (await makeOffer(product, { deactivatedAt: new Date() })).slug,
      }),
      status: 409,
      words: ['A oferta "Lançamento" não está mais disponível.'],
      isGone: true,
    },
  ],
  "offer-sold-out": [
    {
      when: "all units are taken",
      at: ["product"],
      arrange: async ({ product }) => ({
        offer: (await makeOffer(product, { maxUnits: 3, units: 3 })).slug,
      }),
      status: 409,
      words: ['As vagas da oferta "Lançamento" acabaram.'],
      isGone: true,
    },
    {
      when: "fewer units are left than are ordered",
      at: ["product"],
      arrange: async ({ product }) => ({
        offer: (await makeOffer(product, { maxUnits: 5, units: 3, maxQuantity: 5 })).slug,
        quantity: "3",
      }),
      status: 409,
      words: ['Restam só 2 na oferta "Lançamento".'],
    },
  ],
  "offer-not-valid": [
    {
      when: "the buyer may have no more units",
      at: ["product"],
      arrange: async ({ product }) => ({
        // As no offer can be saved any more.
        offer: (await makeOffer(product, { maxUnitsPerBuyer: 1, minQuantity: 2, maxQuantity: 5 })).slug,
        quantity: "2",
      }),
      status: 409,
      words: ['A oferta "Lançamento" não vale para esta compra.'],
    },
  ],
  quantity: [
    {
      when: "more units than an order may have",
      at: ["product"],
      arrange: async ({ product }) => ({
        offer: (await makeOffer(product, { minQuantity: 2, maxQuantity: 5 })).slug,
        quantity: "6",
      }),
      status: 400,
      words: ["A quantidade deve ser de 2 a 5."],
    },
    {
      when: "more units than one buyer may have",
      at: ["product"],
      arrange: async ({ product }) => ({
        offer: (await makeOffer(product, { maxUnitsPerBuyer: 3, maxQuantity: 5 })).slug,
        quantity: "4",
      }),
      status: 400,
      words: ["A quantidade deve ser de 1 a 3."],
    },
    {
      when: "several units at the product's own price",
      at: ["product"],
      arrange: () => ({ quantity: "2" }),
      status: 400,
      words: ["Esta oferta vende 1 por pedido."],
    },
  ],
  "coupon-not-valid": [
    {
      when: "the buyer has bought from the seller before",
      at: ["product"],
      arrange: async ({ seller }) => {
        await makeCoupon(seller, { isFirstPurchaseOnly: true });
        return { coupon: "menos10" };
      },
      status: 409,
      words: ["Este cupom não vale para esta compra."],
    },
  ],
};

/** Why a rule does not apply to a kind of sale. */
const SILENT: Partial<Record<OrderRule | CouponRule, Partial<Record<OrderRoute["sells"], string>>>> = {
  "timer-over": { offer: "an offer has a time of its own" },
  "offer-over": { product: "a checkout has its countdown" },
  "offer-early": { offer: "an upsell has one price" },
  "offer-ended": { offer: "an upsell has one price" },
  "offer-sold-out": { offer: "an upsell has one price" },
  "offer-not-valid": { offer: "an upsell has one price" },
  quantity: { offer: "an upsell is one unit" },
  "already-bought": { offer: "the same offer again is the same sale" },
  "bump-gone": { offer: "an offer has no bumps" },
  guarantee: { offer: "an offer's page names no guarantee" },
  ...Object.fromEntries(COUPON_RULES.map((rule) => [rule, { offer: "a coupon is for one order" }])),
};

const orderRoutes = Object.entries(ORDER_ROUTES).map(([name, orderRoute]) => ({ name, ...orderRoute }));
const rows = Object.entries(CASES).flatMap(([rule, cases]) =>
  cases.flatMap((one) =>
    orderRoutes
      .filter(({ sells }) => one.at.includes(sells))
      .map((orderRoute) => ({ ...one, rule, door: orderRoute })),
  ),
);

const ordersOf = async ({ seller }: Scene) =>
  (await sql`select id from sales where seller_id = ${seller.id}`).length;
const cashIns = async () => (await app.sandbox.calls()).pushinpay.cashIn;

test.each(rows)(
  "$door.name: $when: $rule",
  async ({ rule, door: orderRoute, arrange, status, words, ...stored }) => {
    const scene = await openScene();
    const sent = await arrange(scene);
    const before = await ordersOf(scene);
    const charges = await cashIns();
    const received = await orderRoute.knock(scene, sent);
    const answerText = asText(received.words);
    expect({ status: received.status, said: answerText }).toEqual({
      status,
      said: expect.stringContaining(words.at(0)!),
    });
    for (const one of words) expect(answerText).toContain(one);
    if (orderRoute.name === "api") expect(received.code).toBe(rule);
    if (status === 429) expect(received.retryAfter).toBeGreaterThan(500);
    expect(received.sale).toBeNull();
    expect(await ordersOf(scene)).toBe(before + (stored.isStored?.(orderRoute) ? 1 : 0));
    expect(await cashIns()).toBe(charges);
    if (orderRoute.keepsForm && !stored.isGone)
      for (const typed of Object.values({ ...scene.typed, ...sent?.fields }))
        if (typed !== scene.typed.customer_email_confirmation)
          expect(received.words).toContain(`value="${typed}"`);
  },
);

test("every rule is tested at every route, or states why it does not apply there", () => {
  for (const rule of [...ORDER_RULES, ...COUPON_RULES])
    for (const sells of both) {
      const isTried = CASES[rule].some(({ at }) => at.includes(sells));
      expect(isTried !== (SILENT[rule]?.[sells] !== undefined), `${rule} of ${sells}`).toBe(true);
    }
});

describe.each(orderRoutes)("$name", (orderRoute) => {
  test("accepts a valid order, twice and at once as one sale and one PIX", async () => {
    const scene = await openScene();
    const [before, charges] = [await ordersOf(scene), await cashIns()];
    const all = await Promise.all(Array.from({ length: 8 }, () => orderRoute.knock(scene)));
    all.push(await orderRoute.knock(scene));
    expect(new Set(all.map(({ sale }) => sale)).size).toBe(1);
    expect(all[0]!.sale).toEqual(expect.any(String));
    expect(await ordersOf(scene)).toBe(before + 1);
    expect(await cashIns()).toBe(charges + 1);
  });
});

test.each(orderRoutes.filter(({ sells }) => sells === "product"))(
  "$name: an owned product is bought again on explicit request",
  async (orderRoute) => {
    const scene = await openScene();
    expect((await orderRoute.knock(scene, { known: true, again: true })).sale).toEqual(expect.any(String));
  },
);

test("an order repeated once the gateway exists gets the form: it is the same sale", async () => {
  const scene = await openScene();
  const before = await ordersOf(scene);
  await sql`update gateway_accounts set enabled_at = null where seller_id = ${scene.seller.id}`;
  await ORDER_ROUTES.page!.knock(scene);
  await sql`update gateway_accounts set enabled_at = now() where seller_id = ${scene.seller.id}`;
  expect((await ORDER_ROUTES.page!.knock(scene)).sale).toEqual(expect.any(String));
  expect(await ordersOf(scene)).toBe(before + 1);
});

test("a refused upsell can still be accepted", async () => {
  const scene = await openScene();
  await sql`update gateway_accounts set enabled_at = null where seller_id = ${scene.seller.id}`;
  await ORDER_ROUTES["upsell page"]!.knock(scene);
  await sql`update gateway_accounts set enabled_at = now() where seller_id = ${scene.seller.id}`;
  expect((await ORDER_ROUTES["upsell page"]!.knock(scene)).sale).toEqual(expect.any(String));
});

test("a sale made by an upsell has no upsells of its own", async () => {
  const scene = await openScene();
  const sales = await ordersOf(scene);
  const child = (await ORDER_ROUTES["upsell page"]!.knock(scene)).sale!;
  await sql`update sales set status = 'completed', completed_at = now() where id = ${child}`;
  await sql`insert into upsell_showings (sale_id, seller_id, upsell_id, expires_at)
    values (${child}, (select seller_id from sales where id = ${child}), ${scene.offer.id}, now() + interval '10 minutes')`;
  for (const name of ["upsell page", "thank-you page"]) {
    const received = await ORDER_ROUTES[name]!.knock({ ...scene, parent: { ...scene.parent, id: child } });
    expect([received.status, received.sale]).toEqual([404, null]);
  }
  expect(await ordersOf(scene)).toBe(sales + 1);
});

test("every route that places orders is in the list, and none has its own rule", () => {
  const files = sourceFiles("app");
  const text = new Map(files.map((file) => [file, readFileSync(file, "utf8")]));
  const importers = (file: string) => files.filter((from) => text.get(from)!.includes(`"#${file}"`));
  const placeOrder = "app/domain/checkout/place-order.server.ts";
  const reaching = new Set([placeOrder]);
  for (const file of reaching) for (const from of importers(file)) reaching.add(from);
  expect([...reaching].filter((file) => file.startsWith("app/routes/")).sort()).toEqual(
    orderRoutes.map(({ file }) => file).sort(),
  );
  for (const [verb, expected] of Object.entries({
    "place-sale": [placeOrder],
    "accept-upsell": [placeOrder],
    "select-earlier-sale": [placeOrder, "app/domain/order/place-sale.server.ts"],
  }))
    expect(importers(`app/domain/order/${verb}.server.ts`)).toEqual(expected);
  for (const { file } of orderRoutes) expect(text.get(file)).not.toMatch(/new (Order)?Refusal\(|readOrder\b/);
});

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name));
}

/** Markup as its visible text. */
function asText(html: string): string {
  return html
    .replace(/<style>.*?<\/style>|<[^>]*>/gs, " ")
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&amp;", "&")
    .replace(/[\s\u00a0]+/g, " ");
}
