import type { NewsEvent } from "#app/db/schema/lists.ts";
import type { SaleNews } from "#app/domain/outbox/news.ts";
import {
  digitsOf,
  itemUuid,
  type SingleOrder,
  shortCode,
  uuidOf,
} from "#app/domain/outbox/webhook/single-orders.server.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { pick } from "#app/kit/pick.ts";

const WORDS: Partial<Record<NewsEvent, { status: string; type: string }>> = {
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

/** An order as Kiwify tells it; null where it has no word for the event. Source: contracts-2.md 5.3. */
export function kiwifyBody(news: SaleNews, order: SingleOrder) {
  const words = WORDS[news.event];
  if (!words) return null;
  const { sale, campaign, pix } = news;
  return {
    order_id: order.id,
    order_ref: shortCode(order.id, 7),
    order_status: words.status,
    product_type: "payment",
    payment_method: sale.paymentMethod,
    store_id: shortCode(news.seller.id, 15),
    payment_merchant_id: digitsOf(news.seller.id, 20),
    installments: 1,
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
    updated_at: local(news.at),
    approved_date: sale.completedAt && local(sale.completedAt),
    refunded_at: sale.refundedAt && local(sale.refundedAt),
    webhook_event_type: words.type,
    Product: { product_id: itemUuid(order.line), product_name: order.line.name },
    Customer: customer(news),
    Commissions: commissions(news, order),
    TrackingParameters: Object.fromEntries(TRACKING.map((name) => [name, pick(campaign, name) ?? null])),
    checkout_link: news.product.checkoutUrl.split("/").at(-1) ?? "",
    access_url: news.event === "sale.paid" ? news.accessUrl : null,
  };
}

function customer({ customer: { name, email, phone, document, ip } }: SaleNews) {
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

function commissions({ seller }: SaleNews, { line, feeCents }: SingleOrder) {
  const mine = line.priceCents - feeCents;
  return {
    charge_amount: line.priceCents,
    product_base_price: line.priceCents,
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
