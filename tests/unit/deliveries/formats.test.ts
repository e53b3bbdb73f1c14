import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { DELIVERY_EVENTS, type DeliveryEvent } from "#app/db/schema/lists.ts";
import type { NotificationLine, SaleNotification } from "#app/domain/delivery/sale-notification.ts";
import { sampleNotification } from "#app/domain/delivery/sample-notification.ts";
import { kiwifyAddress } from "#app/domain/delivery/webhook/kiwify-body.server.ts";
import type { WebhookForm } from "#app/domain/delivery/webhook/settings.ts";
import { itemNumber, itemUuid } from "#app/domain/delivery/webhook/single-orders.server.ts";
import { standardBody } from "#app/domain/delivery/webhook/standard-webhook.server.ts";
import { webhook } from "#app/domain/delivery/webhook/webhook.server.ts";
import { fc } from "#tests/support/random.ts";

const sampleOf = (event: DeliveryEvent) =>
  sampleNotification(event, { subjectId: "sale", sellerId: "seller", createdAt: new Date("2026-06-08") });

function line(fields: Partial<NotificationLine> = {}): NotificationLine {
  return {
    ...{ id: "line", kind: "product", itemId: 12, name: "Curso", quantity: 1 },
    ...{ priceCents: 1990, discountCents: 0, methodDiscountCents: 0 },
    ...fields,
  };
}

/** A course of R$ 19,90 with a bump of R$ 5,00, of which R$ 0,35 stay with the provider. */
function notification(event: DeliveryEvent, sale: Partial<SaleNotification["sale"]> = {}): SaleNotification {
  const sample = sampleOf(event);
  const bump = line({ id: "bump", kind: "bump", name: "Apostila", priceCents: 500 });
  return { ...sample, sale: { ...sample.sale, amountCents: 2490, ...sale }, lines: [line(), bump] };
}

// biome-ignore lint/suspicious/noExplicitAny: the body is what tests look into.
function rendered(form: WebhookForm, about: SaleNotification): any[] {
  const settings = { url: "https://a.com.br/h", form, withDocument: true };
  const to = { id: "d", sellerId: "s", name: "W", settings, secret: null, previousSecret: null, token: "t" };
  return webhook.render(about, to).map((body) => JSON.parse(body));
}

test("in Hotmart's form nothing is physical, nobody else produces it, and each share of the price is stated", () => {
  const [course, bump] = rendered("hotmart", notification("sale.paid"));
  expect(course.data).toMatchObject({
    product: {
      has_co_production: false,
      is_physical_product: false,
      content: { has_physical_products: false, products: [{ is_physical_product: false }] },
    },
    commissions: [
      { value: 0.28, source: "MARKETPLACE" },
      { value: 19.62, source: "PRODUCER" },
    ],
    purchase: {
      payment: { type: "PIX", installments_number: 1 },
      offer: { code: expect.stringMatching(/^[a-z0-9]{8}$/) },
      subscription_anticipation_purchase: false,
      is_funnel: false,
    },
  });
  expect(bump.data.commissions).toMatchObject([{ value: 0.07 }, { value: 4.93 }]);
});

test("a fee that cannot be split evenly leaves no share below zero, a free item's included", () => {
  const priced = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 7 });
  const property = fc.property(priced, fc.double({ min: 0, max: 1, noNaN: true }), (prices, share) => {
    const total = prices.reduce((sum, price) => sum + price, 0);
    const feeCents = Math.round(total * share);
    const lines = prices.map((priceCents, at) => line({ id: `line-${at}`, priceCents }));
    const about = { ...notification("sale.paid", { amountCents: total, feeCents }), lines };
    const kiwify = rendered("kiwify", about).map(({ Commissions }) => Commissions);
    expect(kiwify.reduce((sum, { kiwify_fee }) => sum + kiwify_fee, 0)).toBe(feeCents);
    for (const { kiwify_fee, my_commission } of kiwify)
      expect(Math.min(kiwify_fee, my_commission)).toBeGreaterThanOrEqual(0);
    for (const { data } of rendered("hotmart", about))
      for (const { value } of data.commissions) expect(value).toBeGreaterThanOrEqual(0);
  });
  fc.assert(property, { examples: [[[0, 333, 333, 333], 0.1]] });
});

test("a card's payment and an upsell are named as each form names them", () => {
  const card = notification("sale.paid", { paymentMethod: "card", instalments: 3, parentId: "parent" });
  expect(rendered("hotmart", card)[0].data.purchase).toMatchObject({
    payment: { type: "CREDIT_CARD", installments_number: 3 },
    is_funnel: true,
  });
  expect(rendered("kiwify", card)[0]).toMatchObject({ payment_method: "credit_card", installments: 3 });
});

test("what was paid with a card names no PIX, though its order had one before", () => {
  const card = notification("sale.paid", { paymentMethod: "card", instalments: 1 });
  expect(card.pix).not.toBeNull();
  expect(rendered("kiwify", card)[0]).toMatchObject({ pix_code: null, pix_expiration: null });
  expect(rendered("hotmart", card)[0].data.purchase.payment).toMatchObject({
    ...{ pix_code: "", pix_qrcode: "", pix_expiration_date: null },
  });
  expect(rendered("kiwify", notification("sale.paid"))[0].pix_code).toBe(card.pix!.code);
});

test("a company's document is a CNPJ in each form", () => {
  const sample = notification("sale.paid");
  const company = { ...sample, customer: { ...sample.customer, document: "12345678000195" } };
  const { Customer } = rendered("kiwify", company)[0];
  expect([Customer.cnpj, Customer.CPF]).toEqual(["12345678000195", undefined]);
  expect(rendered("hotmart", company)[0].data.buyer.document_type).toBe("CNPJ");
});

test("a coupon is named beside what it made cheaper, and beside nothing else", () => {
  const sold = notification("sale.paid", { coupon: { code: "MENOS10", discountCents: 199 } });
  const [course, bump] = sold.lines;
  const about = { ...sold, lines: [{ ...course!, discountCents: 199 }, bump!] };
  const codes = ["MENOS10", undefined];
  expect(rendered("kiwify", about).map(({ coupon_code }) => coupon_code)).toEqual(codes);
  expect(rendered("hotmart", about).map(({ data }) => data.purchase.offer.coupon_code)).toEqual(codes);
});

test("Kiwify's form leads to the purchase only once it is paid", () => {
  const { accessUrl } = notification("sale.paid");
  expect(rendered("kiwify", notification("sale.paid"))[0].access_url).toBe(accessUrl);
  for (const event of ["pix.generated", "sale.refunded"] as const)
    expect(rendered("kiwify", notification(event))[0].access_url).toBeNull();
});

test.each(DELIVERY_EVENTS)("our own form of %s has the code, refund or access it is about", (event) => {
  const about = sampleOf(event);
  const { pix, access_url, refund, refund_request } = standardBody(about).data;
  expect(pix?.url).toBe(event.startsWith("pix.") ? about.pix!.url : undefined);
  expect(access_url).toBe(event === "access.granted" ? about.accessUrl : null);
  expect(refund?.amount_cents ?? null).toBe(about.sale.refundCents);
  expect(refund_request).toEqual(event === "refund.requested" ? { kind: "right" } : null);
});

test.each<[string, Partial<SaleNotification>]>([
  ["refunded", {}],
  ["chargedback", { sale: sampleOf("sale.paid").sale }],
  ["disputed", { sale: sampleOf("sale.paid").sale, dispute: "open" }],
  ["disputed", { sale: sampleOf("sale.paid").sale, moneyReturned: false }],
])("where access ended, the sale is %s in our own form", (status, fields) => {
  const { sale } = standardBody({ ...sampleOf("access.revoked"), ...fields }).data;
  expect(sale.status).toBe(status);
});

test.each(["access.granted", "access.revoked"] as const)(
  "%s while the payment is disputed leaves the sale disputed in our own form, whatever became of it since",
  (event) => {
    const since = { ...sampleOf(event), sale: sampleOf("sale.refunded").sale, moneyReturned: true };
    expect(standardBody({ ...since, wasDisputed: true }).data.sale.status).toBe("disputed");
    expect(standardBody(since).data.sale.status).not.toBe("disputed");
  },
);

/** A UUID of version 5's form, made of a name's hash. */
function uuidOf(name: string): string {
  const bytes = createHash("sha256").update(name).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5");
}

test("an item's codes in other platforms' forms never change: receivers store them", () => {
  for (let itemId = 1; itemId <= 20; itemId++) {
    const item = { kind: "bump", itemId, id: "line" } as const;
    expect(itemUuid(item)).toBe(uuidOf(`checkintelli:bump:${itemId}`));
  }
  const deleted = { kind: "bump", itemId: null, id: "line" } as const;
  expect(itemUuid(deleted)).toBe(uuidOf("checkintelli:line:line"));
  expect(itemNumber({ kind: "product", itemId: 7 })).toBe(7);
  expect(itemNumber({ kind: "bump", itemId: 7 })).toBe(1_000_000_007);
  expect(itemNumber({ kind: "offer", itemId: 7 })).toBe(2_000_000_007);
});

test("only Kiwify's form is signed in its address, and only Hotmart's has the token in a header", () => {
  const message = { id: "d-1", body: "{}", at: new Date("2026-06-08"), isTest: false };
  const requestOf = (form: WebhookForm) => {
    const settings = { url: "https://a.com.br/h", form, withDocument: true };
    const to = { id: "d", sellerId: "s", name: "W", settings, secret: "whsec_YQ==", previousSecret: null };
    const { url, headers: sent, secrets } = webhook.buildRequest(message, { ...to, token: "t" });
    const headers: Record<string, string> = sent;
    expect(headers).toMatchObject({ "webhook-id": "msg_d1" });
    expect(headers["webhook-signature"]).toMatch(/^v1,\S+$/);
    expect(secrets).toEqual(["whsec_YQ==", "t"]);
    return [url, headers["X-HOTMART-HOTTOK"]];
  };
  expect(requestOf("standard")).toEqual(["https://a.com.br/h", undefined]);
  expect(requestOf("kiwify")).toEqual([kiwifyAddress("https://a.com.br/h", "t", "{}"), undefined]);
  expect(requestOf("hotmart")).toEqual(["https://a.com.br/h", "t"]);
});
