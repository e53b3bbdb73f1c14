import type { DeliveryEvent } from "#app/db/schema/lists.ts";
import type { SaleNotification } from "#app/domain/delivery/sale-notification.ts";
import { MIN_GUARANTEE_DAYS } from "#app/domain/storefront/checkout-settings.ts";
import { MINUTE } from "#app/kit/duration.ts";

/** The sale of a test: an invented buyer of an invented product. Money in cents. */
export function sampleNotification(
  event: DeliveryEvent,
  { subjectId, sellerId, createdAt: at }: { subjectId: string; sellerId: string; createdAt: Date },
): SaleNotification {
  const isPaid = !["checkout.started", "pix.generated", "pix.expired", "sale.refused"].includes(event);
  const isPart = event === "sale.partially_refunded";
  const isReturned = ["sale.refunded", "sale.chargedback", "access.revoked"].includes(event);
  return {
    event,
    at,
    isTest: true,
    seller: { id: sellerId, name: "Sua loja", email: "loja@exemplo.com.br" },
    sale: {
      id: subjectId,
      parentId: null,
      paymentMethod: "pix",
      instalments: null,
      coupon: null,
      offer: null,
      createdAt: new Date(at.getTime() - 5 * MINUTE),
      completedAt: isPaid ? at : null,
      // A chargeback sets none.
      refundedAt: isReturned && event !== "sale.chargedback" ? at : null,
      amountCents: 1990,
      feeCents: isPaid ? 35 : null,
      refundedCents: isReturned ? 1990 : isPart ? 500 : 0,
      refundedBeforeCents: 0,
      refundCents: event === "access.revoked" ? null : isReturned ? 1990 : isPart ? 500 : null,
      guaranteeDays: MIN_GUARANTEE_DAYS,
      rejectedDisputes: [],
    },
    product: { id: 0, name: "Produto de teste", checkoutUrl: "https://exemplo.com.br/checkout/teste" },
    lines: [
      {
        id: subjectId,
        kind: "product",
        itemId: 0,
        name: "Produto de teste",
        quantity: 1,
        priceCents: 1990,
        discountCents: 0,
        methodDiscountCents: 0,
      },
    ],
    customer: {
      name: "Teste de Webhook",
      email: "teste@exemplo.com.br",
      phone: "+5511987654321",
      document: "52998224725",
      ip: "203.0.113.9",
      key: "teste",
    },
    campaign: { utm_source: "teste" },
    ads: { agent: "Mozilla/5.0 (Linux; Android 15) Chrome/142.0 Mobile" },
    pix: {
      code: "00020126TESTE",
      expiresAt: new Date(at.getTime() + 15 * MINUTE),
      url: "https://exemplo.com.br/checkout/pix/teste",
    },
    refundRequest: event === "refund.requested" ? "right" : null,
    accessUrl: "https://exemplo.com.br/thank-you/teste",
    moneyReturned: isReturned,
    dispute: null,
    wasDisputed: false,
    suspended: false,
    stillOwnedCodes: [],
    stillOwnedSaleIds: [],
    heldLines: [],
  };
}
