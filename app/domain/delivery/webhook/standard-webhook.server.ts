import { createHmac, randomBytes } from "node:crypto";
import type { DeliveryEvent } from "#app/db/schema/lists.ts";
import {
  itemCode,
  type NotificationLine,
  type SaleNotification,
  STATUS_AFTER,
} from "#app/domain/delivery/sale-notification.ts";
import { toReais } from "#app/kit/money.ts";

/** Our own format. Money both in reais and in cents, times in UTC, phone in E.164. */
export function standardBody(notification: SaleNotification) {
  const { event, at, sale, product, lines, customer, campaign, pix } = notification;
  const isPix = event === "pix.generated" || event === "pix.expired";
  return {
    type: event,
    timestamp: at.toISOString(),
    data: {
      test: notification.isTest,
      sale: {
        id: sale.id,
        parent_sale_id: sale.parentId,
        status: statusAfter(notification),
        payment_method: sale.paymentMethod,
        instalments: sale.instalments,
        coupon: sale.coupon && {
          code: sale.coupon.code,
          discount: toReais(sale.coupon.discountCents),
          discount_cents: sale.coupon.discountCents,
        },
        offer: sale.offer,
        amount: toReais(sale.amountCents),
        amount_cents: sale.amountCents,
        refunded_cents: sale.refundedCents,
        created_at: sale.createdAt.toISOString(),
        paid_at: sale.completedAt?.toISOString() ?? null,
        refunded_at: sale.refundedAt?.toISOString() ?? null,
      },
      product: { id: String(product.id), name: product.name },
      items: lines.map(item),
      customer: {
        name: customer.name,
        email: customer.email,
        phone: customer.phone,
        document: customer.document,
      },
      campaign,
      pix:
        isPix && pix
          ? { code: pix.code, expires_at: pix.expiresAt?.toISOString() ?? null, url: pix.url }
          : null,
      refund:
        sale.refundCents === null
          ? null
          : { amount: toReais(sale.refundCents), amount_cents: sale.refundCents },
      refund_request: notification.refundRequest && { kind: notification.refundRequest },
      access_url: event === "access.granted" ? notification.accessUrl : null,
    },
  };
}

/** Events that leave a disputed sale as it is: access ends and returns by the seller's setting, too. */
const WHILE_DISPUTED: DeliveryEvent[] = [
  "sale.partially_refunded",
  "refund.requested",
  "access.granted",
  "access.revoked",
];

function statusAfter(notification: SaleNotification): string {
  const { event, wasDisputed } = notification;
  if (wasDisputed && WHILE_DISPUTED.includes(event)) return "disputed";
  return event === "access.revoked" ? revocationStatus(notification) : STATUS_AFTER[event];
}

/** Access ends with a refund or a chargeback, and may be suspended before that is decided. */
function revocationStatus({ sale, dispute, moneyReturned }: SaleNotification): string {
  if (sale.refundedAt) return "refunded";
  return moneyReturned && !dispute ? "chargedback" : "disputed";
}

function item(line: NotificationLine) {
  const { id, kind, name, quantity, priceCents, discountCents, methodDiscountCents } = line;
  return {
    id,
    type: kind,
    code: itemCode(line),
    name,
    quantity,
    price: toReais(priceCents),
    price_cents: priceCents,
    discount_cents: discountCents,
    method_discount_cents: methodDiscountCents,
  };
}

const PREFIX = "whsec_";

/** A new secret, Standard Webhooks 1.0: `whsec_` and 32 random bytes in base64. */
export function newSecret(): string {
  return PREFIX + randomBytes(32).toString("base64");
}

/** A message's signatures, one for each valid secret: `v1,<base64>`, separated by blanks. */
export function standardSignature(
  secrets: string[],
  message: { id: string; at: Date; body: string },
): string {
  const signed = `${message.id}.${unixSeconds(message.at)}.${message.body}`;
  return secrets
    .map((secret) => Buffer.from(secret.replace(PREFIX, ""), "base64"))
    .map((key) => `v1,${createHmac("sha256", key).update(signed).digest("base64")}`)
    .join(" ");
}

/** The three headers of Standard Webhooks. */
export function standardHeaders(
  secrets: string[],
  message: { id: string; at: Date; body: string },
): Record<string, string> {
  return {
    "webhook-id": message.id,
    "webhook-timestamp": String(unixSeconds(message.at)),
    "webhook-signature": standardSignature(secrets, message),
  };
}

function unixSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}
