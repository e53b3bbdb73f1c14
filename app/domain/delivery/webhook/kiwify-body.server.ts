import { createHmac, randomBytes } from "node:crypto";
import type { DeliveryEvent } from "#app/db/schema/lists.ts";
import type { SaleNotification } from "#app/domain/delivery/sale-notification.ts";
import {
  digitsOf,
  itemUuid,
  orderPix,
  type SingleOrder,
  shortCode,
  uuidOf,
} from "#app/domain/delivery/webhook/single-orders.server.ts";
import { listPrice } from "#app/domain/pricing/quote.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { pick } from "#app/kit/pick.ts";

const KIWIFY_EVENTS: Partial<Record<DeliveryEvent, { status: string; type: string }>> = {
  "pix.generated": { status: "waiting_payment", type: "pix_created" },
  "sale.paid": { status: "paid", type: "order_approved" },
  "sale.refused": { status: "refused", type: "order_rejected" },
  "sale.refunded": { status: "refunded", type: "order_refunded" },
  "sale.chargedback": { status: "chargedback", type: "chargeback" },
};

const TRACKING = [
  "src",
  "sck",
  "utm_source",
  "utm_medium",
  "utm_campaign",
  "utm_content",
  "utm_term",
  "s1",
  "s2",
  "s3",
];

/** An order in Kiwify's format; null where it has no such event. Source: Kiwify's webhook documentation. */
export function kiwifyBody(notification: SaleNotification, order: SingleOrder) {
  const kiwifyEvent = KIWIFY_EVENTS[notification.event];
  if (!kiwifyEvent) return null;
  const { sale, campaign } = notification;
  const pix = orderPix(notification);
  return {
    order_id: order.id,
    order_ref: shortCode(order.id, 7),
    order_status: kiwifyEvent.status,
    product_type: "payment",
    payment_method: sale.paymentMethod === "card" ? "credit_card" : sale.paymentMethod,
    store_id: shortCode(notification.seller.id, 15),
    payment_merchant_id: digitsOf(notification.seller.id, 20),
    installments: sale.instalments ?? 1,
    card_type: "",
    card_last4digits: "",
    card_rejection_reason: null,
    boleto_URL: null,
    boleto_barcode: null,
    boleto_expiry_date: null,
    pix_code: pix?.code ?? null,
    pix_expiration: pix?.expiresAt ? formatDateTime(pix.expiresAt) : null,
    sale_type: "producer",
    created_at: local(sale.createdAt),
    updated_at: local(notification.at),
    approved_date: sale.completedAt && local(sale.completedAt),
    refunded_at: sale.refundedAt && local(sale.refundedAt),
    webhook_event_type: kiwifyEvent.type,
    Product: { product_id: itemUuid(order.line), product_name: order.line.name },
    Customer: customer(notification),
    Commissions: commissions(notification, order),
    TrackingParameters: Object.fromEntries(TRACKING.map((name) => [name, pick(campaign, name) ?? null])),
    checkout_link: notification.product.checkoutUrl.split("/").at(-1) ?? "",
    // Ours: what Kiwify calls it is not known. The price before the discount is `product_base_price`.
    ...(sale.coupon && order.line.discountCents > 0 ? { coupon_code: sale.coupon.code } : {}),
    access_url: notification.event === "sale.paid" ? notification.accessUrl : null,
  };
}

function customer({ customer: { name, email, phone, document, ip } }: SaleNotification) {
  const given = name ?? "";
  return {
    full_name: given,
    first_name: given.split(" ")[0],
    email: email ?? "",
    mobile: phone ?? "",
    ...(document?.length === 14 ? { cnpj: document } : { CPF: document ?? "" }),
    ip: ip ?? "",
    country: "br",
    instagram: "",
    street: "",
    number: "",
    complement: "",
    neighborhood: "",
    city: "",
    state: "",
    zipcode: "",
  };
}

function commissions({ seller }: SaleNotification, { line, feeCents }: SingleOrder) {
  const mine = line.priceCents - feeCents;
  return {
    charge_amount: line.priceCents,
    product_base_price: listPrice(line),
    product_base_price_currency: "BRL",
    kiwify_fee: feeCents,
    kiwify_fee_currency: "BRL",
    settlement_amount: line.priceCents,
    settlement_amount_currency: "BRL",
    sale_tax_rate: 0,
    sale_tax_amount: 0,
    commissioned_stores: [
      {
        id: uuidOf("seller", seller.id),
        type: "producer",
        custom_name: seller.name,
        email: seller.email,
        value: String(mine),
      },
    ],
    currency: "BRL",
    my_commission: mine,
    funds_status: "waiting",
    estimated_deposit_date: null,
    deposit_date: null,
  };
}

/** `2026-06-08 11:53`, in São Paulo. */
function local(moment: Date): string {
  const [day, time] = formatDateTime(moment).split(" ");
  return `${day!.split("/").reverse().join("-")} ${time}`;
}

/** A new token as Kiwify shows them: 11 lower-case letters and digits. */
export function newToken(): string {
  return randomBytes(16).toString("hex").slice(0, 11);
}

/** An address with Kiwify's signature in its query: HMAC-SHA1 of the body by the token, in hex. */
export function kiwifyAddress(url: string, token: string, body: string): string {
  const signature = createHmac("sha1", token).update(body).digest("hex");
  const [rest, fragment] = url.split("#") as [string, string | undefined];
  const signed = `${rest}${rest.includes("?") ? "&" : "?"}signature=${signature}`;
  return fragment === undefined ? signed : `${signed}#${fragment}`;
}
