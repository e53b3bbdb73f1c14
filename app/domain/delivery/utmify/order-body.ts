import { itemCode, type SaleNotification } from "#app/domain/delivery/sale-notification.ts";
import { stateOf } from "#app/domain/delivery/utmify/states.ts";
import { pick } from "#app/kit/pick.ts";

const TRACKING = ["src", "sck", "utm_source", "utm_campaign", "utm_medium", "utm_content", "utm_term"];
const METHODS: Record<string, string> = { card: "credit_card", free: "free_price" };

/** The whole order, as every call carries it. Source: UTMify's API documentation. */
export function orderBody({ event, sale, customer, lines, campaign }: SaleNotification, platform: string) {
  const isPart = event === "sale.partially_refunded";
  const total = sale.amountCents - (isPart ? sale.refundedCents : 0);
  // A fee that leaves nothing would report that the seller received nothing.
  const fee = sale.feeCents !== null && sale.feeCents < total ? sale.feeCents : 0;
  return {
    orderId: sale.id,
    platform,
    paymentMethod: pick(METHODS, sale.paymentMethod) ?? "pix",
    status: stateOf(event),
    createdAt: utc(sale.createdAt),
    approvedDate: sale.completedAt && utc(sale.completedAt),
    refundedAt: sale.refundedAt && utc(sale.refundedAt),
    customer: {
      name: customer.name ?? "Não informado",
      email: customer.email ?? "sem-email@nao-informado.invalid",
      phone: customer.phone?.replace(/^\+55/, "") ?? null,
      document: customer.document,
      country: "BR",
      // Left out where unknown: null is refused.
      ...(customer.ip ? { ip: customer.ip } : {}),
    },
    products: lines.map((line) => ({
      // Bumps and upsells have numbers of their own, so their kind is sent too.
      id: itemCode(line) ?? line.id,
      name: line.name,
      planId: null,
      planName: null,
      quantity: 1,
      priceInCents: line.priceCents,
    })),
    trackingParameters: Object.fromEntries(TRACKING.map((name) => [name, pick(campaign, name) || null])),
    commission: {
      totalPriceInCents: total,
      gatewayFeeInCents: fee,
      userCommissionInCents: total - fee,
      currency: "BRL",
    },
  };
}

/** `2026-11-21 10:30:00`, UTC. */
function utc(moment: Date): string {
  return moment.toISOString().slice(0, 19).replace("T", " ");
}
