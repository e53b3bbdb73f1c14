import { expect, test } from "vitest";
import { DELIVERY_EVENTS, type DeliveryEvent } from "#app/db/schema/lists.ts";
import { asOfEvent, type SaleNotification } from "#app/domain/delivery/sale-notification.ts";
import { sampleNotification } from "#app/domain/delivery/sample-notification.ts";
import { EVENTS_OF_FORM, type WebhookForm } from "#app/domain/delivery/webhook/settings.ts";
import { webhook } from "#app/domain/delivery/webhook/webhook.server.ts";

const SALE = "637e8812-5730-4c4d-9378-c2013c1e2ba5";
const BUMP_LINE = "0a1b2c3d-5730-4c4d-9378-c2013c1e2ba5";
const AT = new Date("2026-06-08T14:53:07Z");

/** João buys a course and a bump; R$ 19,90 and R$ 5,00, of which R$ 0,35 stay with the provider. */
function notification(event: DeliveryEvent): SaleNotification {
  const sample = sampleNotification(event, {
    subjectId: SALE,
    sellerId: "5e11e400-5730-4c4d-9378-c2013c1e2ba5",
    createdAt: AT,
  });
  return {
    ...sample,
    isTest: false,
    sale: { ...sample.sale, createdAt: AT, amountCents: 2490, guaranteeDays: 30 },
    product: { id: 1001, name: "Curso", checkoutUrl: "https://loja.com.br/checkout/s/AbCdEfG" },
    lines: [
      {
        id: "line",
        kind: "product",
        itemId: 1001,
        name: "Curso",
        quantity: 1,
        priceCents: 1990,
        discountCents: 0,
        methodDiscountCents: 0,
      },
      {
        id: BUMP_LINE,
        kind: "bump",
        itemId: 1001,
        name: "Apostila",
        quantity: 1,
        priceCents: 500,
        discountCents: 0,
        methodDiscountCents: 0,
      },
    ],
    customer: { ...sample.customer, name: "Joao Silva", email: "joao@exemplo.com" },
    campaign: { utm_source: "instagram", src: "bio" },
    pix: {
      code: "000201",
      expiresAt: new Date("2026-06-12T18:42:00Z"),
      url: "https://loja.com.br/checkout/pix/1",
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: the body is what tests look into.
function draw(form: WebhookForm, event: DeliveryEvent, withDocument = true): any[] {
  const settings = { url: "https://a.com.br/h", form, withDocument };
  const to = { id: "d", sellerId: "s", name: "W", settings, secret: null, previousSecret: null, token: "t" };
  return webhook.render(notification(event), to).map((body) => JSON.parse(body));
}

/** The kind of each field, by its path. */
function shapeOf(value: unknown, path = ""): string[] {
  if (Array.isArray(value)) return value.slice(0, 1).flatMap((one) => shapeOf(one, `${path}[]`));
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value).flatMap(([name, one]) => shapeOf(one, `${path}.${name}`));
}

/** As Kiwify documents a sale by PIX without subscription. */
const KIWIFY = {
  order_id: "<uuid>",
  order_ref: "aB3xYz9",
  order_status: "paid",
  product_type: "payment",
  payment_method: "pix",
  store_id: "a1B2c3D4e5F6g7H",
  payment_merchant_id: "10000000000000000001",
  installments: 1,
  card_type: "",
  card_last4digits: "",
  card_rejection_reason: null,
  boleto_URL: null,
  boleto_barcode: null,
  boleto_expiry_date: null,
  pix_code: "000201...",
  pix_expiration: "12/06/2026 15:42",
  sale_type: "producer",
  created_at: "2026-06-08 11:53",
  updated_at: "2026-06-08 11:53",
  approved_date: "2026-06-08 11:53",
  refunded_at: null,
  webhook_event_type: "order_approved",
  Product: { product_id: "<uuid>", product_name: "Curso" },
  Customer: {
    full_name: "Joao Silva",
    first_name: "Joao",
    email: "joao@exemplo.com",
    mobile: "+5511987654321",
    CPF: "52998224725",
    ip: "203.0.113.9",
    country: "br",
    instagram: "",
    street: "",
    number: "",
    complement: "",
    neighborhood: "",
    city: "",
    state: "",
    zipcode: "",
  },
  Commissions: {
    charge_amount: 1990,
    product_base_price: 1990,
    product_base_price_currency: "BRL",
    kiwify_fee: 28,
    kiwify_fee_currency: "BRL",
    settlement_amount: 1990,
    settlement_amount_currency: "BRL",
    sale_tax_rate: 0,
    sale_tax_amount: 0,
    commissioned_stores: [
      {
        id: "<uuid>",
        type: "producer",
        custom_name: "Sua loja",
        email: "loja@exemplo.com.br",
        value: "1962",
      },
    ],
    currency: "BRL",
    my_commission: 1962,
    funds_status: "waiting",
    estimated_deposit_date: null,
    deposit_date: null,
  },
  TrackingParameters: {
    src: "bio",
    sck: null,
    utm_source: "instagram",
    utm_medium: null,
    utm_campaign: null,
    utm_content: null,
    utm_term: null,
    s1: null,
    s2: null,
    s3: null,
  },
  checkout_link: "AbCdEfG",
  access_url: "<url>",
};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

test("an order in Kiwify's form has the documented sample's fields, and no others", () => {
  const [order] = draw("kiwify", "sale.paid");
  expect(shapeOf(order)).toEqual(shapeOf(KIWIFY));
  expect(order).toEqual({
    ...KIWIFY,
    order_id: SALE,
    order_ref: expect.stringMatching(/^[A-Za-z0-9]{7}$/),
    store_id: expect.stringMatching(/^[A-Za-z0-9]{15}$/),
    payment_merchant_id: expect.stringMatching(/^\d{20}$/),
    pix_code: "000201",
    Product: { product_id: expect.stringMatching(UUID), product_name: "Curso" },
    Commissions: {
      ...KIWIFY.Commissions,
      kiwify_fee: 28,
      commissioned_stores: [
        { ...KIWIFY.Commissions.commissioned_stores[0], id: expect.stringMatching(UUID) },
      ],
    },
    access_url: "https://exemplo.com.br/thank-you/teste",
  });
});

test("each thing sold is an order of its own in Kiwify's form, with its share of the fee and a code of its own", () => {
  const [first, bump, ...more] = draw("kiwify", "sale.paid");
  expect(more).toEqual([]);
  expect(bump.order_id).toBe(BUMP_LINE);
  expect(bump.Product.product_name).toBe("Apostila");
  // A product and a bump may have the same number.
  expect(bump.Product.product_id).not.toBe(first.Product.product_id);
  const fees = [first, bump].map(({ Commissions }) => Commissions.kiwify_fee);
  expect(fees[0]! + fees[1]!).toBe(35);
});

test.each([
  ["pix.generated", "pix_created", "waiting_payment"],
  ["sale.paid", "order_approved", "paid"],
  ["sale.refused", "order_rejected", "refused"],
  ["sale.refunded", "order_refunded", "refunded"],
  ["sale.chargedback", "chargeback", "chargedback"],
] as const)("%s is %s in Kiwify's form", (event, type, status) => {
  expect(draw("kiwify", event)[0]).toMatchObject({ webhook_event_type: type, order_status: status });
});

/** As Hotmart documents a purchase by PIX without subscription. */
const HOTMART = {
  id: "<uuid>",
  creation_date: 1769198874113,
  event: "PURCHASE_APPROVED",
  version: "2.0.0",
  data: {
    product: {
      id: 1234567,
      ucode: "<uuid>",
      name: "Curso",
      warranty_date: "2026-12-01T00:00:00Z",
      support_email: "s@exemplo.com",
      has_co_production: false,
      is_physical_product: false,
      content: {
        has_physical_products: false,
        products: [{ id: 1, ucode: "<uuid>", name: "...", is_physical_product: false }],
      },
    },
    affiliates: [{ affiliate_code: "", name: "" }],
    buyer: {
      email: "joao@exemplo.com",
      name: "Joao Silva",
      first_name: "Joao",
      last_name: "Silva",
      checkout_phone_code: "55",
      checkout_phone: "11987654321",
      document: "52998224725",
      document_type: "CPF",
      address: {
        city: "",
        country: "Brasil",
        country_iso: "BR",
        state: "",
        neighborhood: "",
        zipcode: "",
        address: "",
        number: "",
        complement: "",
      },
    },
    producer: { name: "...", document: "...", legal_nature: "" },
    commissions: [{ value: 149.5, source: "MARKETPLACE", currency_value: "BRL" }],
    purchase: {
      transaction: "HP16015479281022",
      status: "APPROVED",
      order_date: 1511783344000,
      approved_date: 1511783346000,
      full_price: { value: 1500, currency_value: "BRL" },
      price: { value: 1500, currency_value: "BRL" },
      original_offer_price: { value: 1500, currency_value: "BRL" },
      checkout_country: { name: "Brasil", iso: "BR" },
      origin: { src: "", sck: "", xcod: "" },
      sckPaymentLink: "",
      buyer_ip: "203.0.113.9",
      order_bump: { is_order_bump: true, parent_purchase_transaction: "HP02316330308193" },
      offer: { code: "ab12cd34" },
      payment: {
        type: "PIX",
        installments_number: 1,
        pix_code: "000201...",
        pix_qrcode: "https://...",
        pix_expiration_date: 1746125358000,
      },
      recurrence_number: 1,
      subscription_anticipation_purchase: false,
      is_funnel: false,
      business_model: "I",
      invoice_by: "HOTMART",
      event_tickets: { amount: 1 },
    },
  },
};

test("a bump in Hotmart's form has the documented sample's fields, and points at the purchase it came with", () => {
  const [first, bump] = draw("hotmart", "sale.paid");
  expect(shapeOf(bump)).toEqual(shapeOf(HOTMART));
  const { purchase, product, buyer } = bump.data;
  expect(purchase.order_bump).toEqual({
    is_order_bump: true,
    parent_purchase_transaction: first.data.purchase.transaction,
  });
  expect(first.data.purchase.order_bump).toEqual({ is_order_bump: false });
  expect(purchase.transaction).toMatch(/^HP\d{14}$/);
  expect(purchase.transaction).not.toBe(first.data.purchase.transaction);
  expect(purchase).toMatchObject({ status: "APPROVED", price: { value: 5 }, approved_date: AT.getTime() });
  expect(product.id).not.toBe(first.data.product.id);
  expect(first.data.product.id).toBe(1001);
  expect(product.warranty_date).toBe("2026-07-09T02:59:59Z");
  expect(buyer).toEqual(HOTMART.data.buyer);
  expect(bump.creation_date).toBe(AT.getTime());
});

test("the guarantee in Hotmart's form is longer by the time of a dispute that the bank rejected", () => {
  const asked = notification("refund.requested");
  const rejectedDisputes = [{ openedAt: "2026-06-20T12:00:00Z", decidedAt: "2026-06-30T12:00:00Z" }];
  const settings = { url: "https://a.com.br/h", form: "hotmart", withDocument: true } as const;
  const to = { id: "d", sellerId: "s", name: "W", settings, secret: null, previousSecret: null, token: "t" };
  const bodies = webhook.render({ ...asked, sale: { ...asked.sale, rejectedDisputes } }, to);
  for (const body of bodies) expect(JSON.parse(body).data.product.warranty_date).toBe("2026-07-19T02:59:59Z");
});

test.each([
  ["pix.generated", "PURCHASE_BILLET_PRINTED", "BILLET_PRINTED"],
  ["pix.expired", "PURCHASE_EXPIRED", "EXPIRED"],
  ["sale.paid", "PURCHASE_APPROVED", "APPROVED"],
  ["sale.refused", "PURCHASE_CANCELED", "CANCELED"],
  ["refund.requested", "PURCHASE_PROTEST", "DISPUTE"],
  ["sale.refunded", "PURCHASE_REFUNDED", "REFUNDED"],
  ["sale.chargedback", "PURCHASE_CHARGEBACK", "CHARGEBACK"],
] as const)("%s is %s in Hotmart's form", (event, word, status) => {
  expect(draw("hotmart", event)[0]).toMatchObject({ event: word, data: { purchase: { status } } });
});

test.each(["standard", "kiwify", "hotmart"] as const)(
  "the %s form speaks of its own events, and of no others",
  (form) => {
    const spoken = DELIVERY_EVENTS.filter((event) => draw(form, event).length > 0);
    expect(spoken).toEqual([...EVENTS_OF_FORM[form]]);
  },
);

test.each(["standard", "kiwify", "hotmart"] as const)(
  "without the seller's wish the %s form holds no document",
  (form) => {
    expect(JSON.stringify(draw(form, "sale.paid", false))).not.toContain("52998224725");
    expect(JSON.stringify(draw(form, "sale.paid"))).toContain("52998224725");
  },
);

test("our own form states the state set by the event, not what became of the sale since", () => {
  const paid = { ...notification("pix.generated"), sale: { ...notification("sale.refunded").sale } };
  const settings = { url: "https://a.com.br/h", form: "standard", withDocument: false };
  const to = { id: "d", sellerId: "s", name: "W", settings, secret: null, previousSecret: null, token: null };
  expect(JSON.parse(webhook.render(asOfEvent(paid), to)[0]!).data.sale).toMatchObject({
    status: "pending",
    paid_at: null,
    refunded_at: null,
    refunded_cents: 0,
  });
});
