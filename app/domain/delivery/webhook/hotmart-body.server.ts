import type { DeliveryEvent } from "#app/db/schema/lists.ts";
import type { SaleNotification } from "#app/domain/delivery/sale-notification.ts";
import {
  digitsOf,
  itemNumber,
  itemUuid,
  orderPix,
  type SingleOrder,
  shortCode,
  uuidOf,
} from "#app/domain/delivery/webhook/single-orders.server.ts";
import { listPrice } from "#app/domain/pricing/quote.ts";
import { guaranteeEndsAt } from "#app/domain/storefront/guarantee-end.ts";
import { SECOND } from "#app/kit/duration.ts";
import { toReais } from "#app/kit/money.ts";
import { pick } from "#app/kit/pick.ts";

const HOTMART_EVENTS: Partial<Record<DeliveryEvent, { event: string; status: string }>> = {
  "pix.generated": { event: "PURCHASE_BILLET_PRINTED", status: "BILLET_PRINTED" },
  "pix.expired": { event: "PURCHASE_EXPIRED", status: "EXPIRED" },
  "sale.paid": { event: "PURCHASE_APPROVED", status: "APPROVED" },
  "sale.refused": { event: "PURCHASE_CANCELED", status: "CANCELED" },
  "refund.requested": { event: "PURCHASE_PROTEST", status: "DISPUTE" },
  "sale.refunded": { event: "PURCHASE_REFUNDED", status: "REFUNDED" },
  "sale.disputed": { event: "PURCHASE_PROTEST", status: "DISPUTE" },
  "sale.chargedback": { event: "PURCHASE_CHARGEBACK", status: "CHARGEBACK" },
};

/** A purchase in Hotmart's format 2.0.0; null where it has no such event. Source: Hotmart's webhook documentation. */
export function hotmartBody(notification: SaleNotification, order: SingleOrder) {
  const hotmartEvent = HOTMART_EVENTS[notification.event];
  if (!hotmartEvent) return null;
  return {
    id: uuidOf("news", order.id, notification.event, notification.at.getTime()),
    creation_date: notification.at.getTime(),
    event: hotmartEvent.event,
    version: "2.0.0",
    data: {
      product: product(notification, order),
      affiliates: [{ affiliate_code: "", name: "" }],
      buyer: buyer(notification),
      producer: { name: notification.seller.name, document: "", legal_nature: "" },
      commissions: [
        { value: toReais(order.feeCents), source: "MARKETPLACE", currency_value: "BRL" },
        { value: toReais(order.line.priceCents - order.feeCents), source: "PRODUCER", currency_value: "BRL" },
      ],
      purchase: purchase(notification, order, hotmartEvent.status),
    },
  };
}

function product({ sale, at, seller }: SaleNotification, { line }: SingleOrder) {
  const [id, ucode] = [itemNumber(line), itemUuid(line)];
  // Its last second, since a date of the day after would be shown.
  const endsAt = guaranteeEndsAt(sale.completedAt ?? at, sale.guaranteeDays, sale.rejectedDisputes);
  const warranty = new Date(endsAt.getTime() - SECOND);
  return {
    id,
    ucode,
    name: line.name,
    warranty_date: warranty.toISOString().replace(/\.\d+/, ""),
    support_email: seller.email,
    has_co_production: false,
    is_physical_product: false,
    content: {
      has_physical_products: false,
      products: [{ id, ucode, name: line.name, is_physical_product: false }],
    },
  };
}

function buyer({ customer: { name, email, phone, document } }: SaleNotification) {
  const given = name ?? "";
  const [first = "", ...rest] = given.split(" ");
  return {
    email: email ?? "",
    name: given,
    first_name: first,
    last_name: rest.join(" "),
    checkout_phone_code: phone?.startsWith("+55") ? "55" : "",
    checkout_phone: phone?.replace(/^\+(55)?/, "") ?? "",
    document: document ?? "",
    document_type: document?.length === 14 ? "CNPJ" : "CPF",
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
  };
}

function purchase(notification: SaleNotification, order: SingleOrder, status: string) {
  const { sale, customer, campaign } = notification;
  const pix = orderPix(notification);
  const { priceCents, discountCents } = order.line;
  const price = { value: toReais(priceCents), currency_value: "BRL" };
  const originalPrice = { value: toReais(listPrice(order.line)), currency_value: "BRL" };
  return {
    transaction: transactionOf(order.id),
    status,
    order_date: sale.createdAt.getTime(),
    approved_date: sale.completedAt?.getTime() ?? null,
    full_price: price,
    price,
    original_offer_price: originalPrice,
    checkout_country: { name: "Brasil", iso: "BR" },
    origin: { src: pick(campaign, "src") ?? "", sck: pick(campaign, "sck") ?? "", xcod: "" },
    sckPaymentLink: "",
    buyer_ip: customer.ip ?? "",
    order_bump: order.isBump
      ? { is_order_bump: true, parent_purchase_transaction: transactionOf(sale.id) }
      : { is_order_bump: false },
    offer: {
      code: shortCode(itemUuid(order.line), 8).toLowerCase(),
      ...(sale.coupon && discountCents > 0 ? { coupon_code: sale.coupon.code } : {}),
    },
    payment: {
      type: sale.paymentMethod === "card" ? "CREDIT_CARD" : sale.paymentMethod.toUpperCase(),
      installments_number: sale.instalments ?? 1,
      pix_code: pix?.code ?? "",
      pix_qrcode: pix?.url ?? "",
      pix_expiration_date: pix?.expiresAt?.getTime() ?? null,
    },
    recurrence_number: 1,
    subscription_anticipation_purchase: false,
    is_funnel: sale.parentId !== null,
    business_model: "I",
    invoice_by: "HOTMART",
    event_tickets: { amount: 1 },
  };
}

/** `HP` and 14 digits, always the same for an order. */
function transactionOf(orderId: string): string {
  return `HP${digitsOf(orderId, 14)}`;
}
