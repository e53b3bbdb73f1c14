import { expect } from "vitest";
import { DELIVERY_EVENTS, type DeliveryEvent } from "#app/db/schema/lists.ts";
import type { OpenDestination } from "#app/domain/delivery/destination.ts";
import { DESTINATIONS } from "#app/domain/delivery/destinations.server.ts";
import { asOfEvent, type SaleNotification } from "#app/domain/delivery/sale-notification.ts";
import { EVENTS_OF_FORM, FORMS, type WebhookForm } from "#app/domain/delivery/webhook/settings.ts";
import { readNotification } from "#app/domain/sale/notification/read-notification.server.ts";
import { FEE, inTurn, type PlacedSale, pricedByPix } from "#tests/integration/orders/carts/placed-sale.ts";

// biome-ignore lint/suspicious/noExplicitAny: each receiver has its own names.
export type Body = any;
type Check = (bodies: Body[], sale: PlacedSale, event: DeliveryEvent) => void;
type Kind = keyof typeof DESTINATIONS;

const PIXEL = { pixelId: "1234567890", countsPixSince: null, testCode: "" };

/** For each kind of destination: its settings, and what its messages must contain; null where they contain no amounts. */
const KINDS: { kind: Kind; name: string; settings: object; check: Check | null }[] = [
  ...FORMS.map((form) => ({
    ...{ kind: "webhook" as const, name: form },
    settings: { url: "https://exemplo.com.br", form, withDocument: false },
    check: webhookCheck(form),
  })),
  { kind: "meta", name: "meta", settings: PIXEL, check: pixel(({ data: [event] }) => event.custom_data) },
  { kind: "ga4", name: "ga4", settings: PIXEL, check: pixel(({ events: [event] }) => event.params) },
  { kind: "tiktok", name: "tiktok", settings: PIXEL, check: pixel(({ data: [event] }) => event.properties) },
  { kind: "kwai", name: "kwai", settings: PIXEL, check: pixel(({ properties }) => JSON.parse(properties)) },
  { kind: "cademi", name: "cademi", settings: memberArea(), check: null },
  { kind: "memberkit", name: "memberkit", settings: memberArea(), check: null },
  {
    ...{ kind: "utmify", name: "utmify" },
    settings: { apiUrl: null, sourceId: "checkintelli", isEnabled: true },
    check: utmify,
  },
];

function memberArea() {
  return {
    area: "escola",
    withDocument: false,
    classes: [],
    known: [],
    test: { email: "", item: "", name: "" },
  };
}

export const PROGRAMS = KINDS.map(({ name }) => name);

/** Those without a row above. */
export const UNREAD_KINDS = (Object.keys(DESTINATIONS) as Kind[]).filter((kind) =>
  KINDS.every((one) => one.kind !== kind),
);

/** The events at which a kind with amounts must have something to say of a paid sale. */
const SPOKEN: DeliveryEvent[] = ["sale.paid"];

/** Of a PIX here: no cart's card is cancelled. */
const CHARGE_EVENTS: DeliveryEvent[] = ["pix.generated", "pix.expired", "sale.refused"];

/** Compares what each destination receives of a paid sale at every event. */
export async function checkPrograms(sale: PlacedSale): Promise<void> {
  const { saleId } = sale;
  const asked = { sellerId: sale.seller.id, saleId, aboutId: saleId, at: new Date(), email: null };
  const ask = async (event: DeliveryEvent) => withAllKinds((await readNotification({ ...asked, event }))!);
  const others = DELIVERY_EVENTS.filter((event) => !SPOKEN.includes(event));
  const events = [...SPOKEN, ...inTurn(others, sale)];
  const notifications = await Promise.all(events.map(ask));
  for (const { kind, name, settings, check } of KINDS) {
    const to = open(sale, settings);
    for (const [number, event] of events.entries()) {
      const rendered = DESTINATIONS[kind].render(asOfEvent(notifications[number]!), to);
      const bodies = "skipReason" in rendered ? [] : rendered.map((body) => JSON.parse(body));
      const isSpoken =
        kind === "webhook" ? EVENTS_OF_FORM[name as WebhookForm].includes(event) : SPOKEN.includes(event);
      if (check && isSpoken) expect(bodies.length, `${name} ${event}`).toBeGreaterThan(0);
      if (bodies.length === 0) continue;
      const order = CHARGE_EVENTS.includes(event) ? pricedByPix(sale.order) : sale.order;
      if (check) check(bodies, { ...sale, order }, event);
      else expect(JSON.stringify(bodies), name).not.toMatch(/amount|price|valor|value|R\$/i);
    }
  }
}

/** What a destination receives of a fact about a sale; nothing where it has no word for it. */
export async function bodiesOf(
  sale: PlacedSale,
  program: string,
  fact: { event: DeliveryEvent; aboutId: string; at: Date },
): Promise<Body[]> {
  const { kind, settings } = KINDS.find(({ name }) => name === program)!;
  const asked = { sellerId: sale.seller.id, saleId: sale.saleId, email: null, ...fact };
  const notification = withAllKinds((await readNotification(asked))!);
  const rendered = DESTINATIONS[kind].render(asOfEvent(notification), open(sale, settings));
  return "skipReason" in rendered ? [] : rendered.map((body) => JSON.parse(body));
}

/** As if its buyer had consented to every kind: the shop of a cart has one. */
function withAllKinds(notification: SaleNotification): SaleNotification {
  const { kinds: _, ...ads } = notification.ads ?? {};
  return notification.ads ? { ...notification, ads } : notification;
}

function open({ seller }: PlacedSale, settings: object): OpenDestination {
  return {
    ...{ id: "00000000-0000-0000-0000-000000000000", sellerId: seller.id, name: "destino", settings },
    ...{ secret: null, previousSecret: null, token: "token" },
  };
}

function webhookCheck(form: WebhookForm): Check {
  const checks: Record<WebhookForm, Check> = { standard, kiwify, hotmart };
  return checks[form];
}

function standard([{ data }]: Body[], { order, offerId }: PlacedSale, event: DeliveryEvent): void {
  const { couponCode: code, discount, total } = order;
  expect(data.sale, event).toMatchObject({
    ...{ amount: total / 100, amount_cents: total },
    coupon: code && { code, discount: discount / 100, discount_cents: discount },
    offer: order.offerName && { id: offerId, name: order.offerName },
  });
  expect(data.items, event).toMatchObject(
    order.lines.map((line) => ({
      ...{ type: line.kind, name: line.name, quantity: line.quantity },
      ...{ price: line.paid / 100, price_cents: line.paid, discount_cents: line.discount },
    })),
  );
  if (event === "sale.refunded") expect(data.refund).toEqual({ amount: total / 100, amount_cents: total });
}

function kiwify(bodies: Body[], { order }: PlacedSale, event: DeliveryEvent): void {
  const seen = bodies.map(({ Commissions: all, Product, coupon_code = null }) => ({
    ...{ name: Product.product_name, coupon: coupon_code, list: all.product_base_price },
    paid: [all.charge_amount, all.settlement_amount, all.my_commission + all.kiwify_fee],
  }));
  expect(seen, event).toEqual(
    order.lines.map(({ name, list, paid, discount }) => ({
      ...{ name, coupon: discount > 0 ? order.couponCode : null, list, paid: [paid, paid, paid] },
    })),
  );
  expect(
    sumOf(bodies, ({ Commissions }) => Commissions.charge_amount),
    event,
  ).toBe(order.total);
  const fee = event === "sale.paid" && order.kind === "paid" ? [FEE] : [0, FEE];
  expect(fee, event).toContain(sumOf(bodies, ({ Commissions }) => Commissions.kiwify_fee));
}

function hotmart(bodies: Body[], { order }: PlacedSale, event: DeliveryEvent): void {
  const seen = bodies.map(({ data: { product, purchase, commissions } }) => ({
    ...{ name: product.name, coupon: purchase.offer.coupon_code ?? null },
    list: cents(purchase.original_offer_price.value),
    paid: [purchase.price.value, purchase.full_price.value].map(cents),
    shares: sumOf(commissions, ({ value }: Body) => cents(value)),
  }));
  expect(seen, event).toEqual(
    order.lines.map(({ name, list, paid, discount }) => ({
      ...{ name, coupon: discount > 0 ? order.couponCode : null, list, paid: [paid, paid], shares: paid },
    })),
  );
}

/** Pixels: the whole value, and the items' where they have some. */
function pixel(dataOf: (body: Body) => Body): Check {
  return ([body], { order }, event) => {
    const { value, coupon, contents, items } = dataOf(body);
    expect(cents(value), event).toBe(order.total);
    if (coupon !== undefined) expect(coupon, event).toBe(order.couponCode);
    const list: Body[] = contents ?? items;
    if (!list || event === "sale.partially_refunded") return;
    const each = list.map(({ price, item_price, quantity }) => cents(price ?? item_price) * quantity);
    expect(each, event).toEqual(order.lines.map(({ paid }) => paid));
  };
}

function utmify([body]: Body[], { order }: PlacedSale, event: DeliveryEvent): void {
  const { products, commission } = body;
  expect(
    products.map(({ name, priceInCents, quantity }: Body) => [name, priceInCents * quantity]),
    event,
  ).toEqual(order.lines.map(({ name, paid }) => [name, paid]));
  const { totalPriceInCents, gatewayFeeInCents, userCommissionInCents } = commission;
  expect([totalPriceInCents, gatewayFeeInCents + userCommissionInCents], event).toEqual([
    order.total,
    order.total,
  ]);
}

const cents = (amount: number) => Math.round(amount * 100);
const sumOf = (all: Body[], of: (one: Body) => number) => all.reduce((sum, one) => sum + of(one), 0);
