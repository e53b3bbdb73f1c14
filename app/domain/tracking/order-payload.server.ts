import type { OrderState } from "#app/domain/tracking/states.ts";
import { pick } from "#app/kit/pick.ts";
import { seal, unseal } from "#app/platform/secrets.server.ts";

/** A sale as the tracking service is told of it: plain data. Money in cents; the document still sealed. */
export type TrackedOrder = {
  saleId: string;
  state: OrderState;
  paymentMethod: string;
  createdAt: Date;
  approvedAt: Date | null;
  refundedAt: Date | null;
  customer: {
    name: string | null;
    email: string | null;
    /** E.164. */
    phone: string | null;
    documentSealed: string | null;
    ip: string | null;
  };
  lines: { id: string; name: string; priceCents: number }[];
  campaign: Partial<Record<string, string | null>>;
  totalCents: number;
  /** What the payment provider keeps; null where unknown. */
  feeCents: number | null;
};

/** An order as it is kept and sent. Source: contracts.md 2.1. */
export type Payload = {
  orderId: string;
  platform: string;
  createdAt: string;
  customer: { document: string | null; [key: string]: unknown };
  [key: string]: unknown;
};

const TRACKING = ["src", "sck", "utm_source", "utm_campaign", "utm_medium", "utm_content", "utm_term"];
const METHODS = ["credit_card", "boleto", "pix", "paypal", "free_price"];

/** The whole order, as every call carries it. The document stays sealed: see `openPayload`. */
export function orderPayload(order: TrackedOrder, platform: string): Payload {
  const { customer, totalCents } = order;
  // A fee that leaves nothing would say that the seller received nothing.
  const fee = order.feeCents !== null && order.feeCents < totalCents ? order.feeCents : 0;
  return {
    orderId: order.saleId,
    platform,
    paymentMethod: METHODS.includes(order.paymentMethod) ? order.paymentMethod : "pix",
    status: order.state,
    createdAt: utc(order.createdAt),
    approvedDate: order.approvedAt && utc(order.approvedAt),
    refundedAt: order.refundedAt && utc(order.refundedAt),
    customer: {
      name: customer.name ?? "Não informado",
      email: customer.email ?? "sem-email@nao-informado.invalid",
      phone: customer.phone?.replace(/^\+55/, "") ?? null,
      document: customer.documentSealed,
      country: "BR",
      // Left out where unknown: null is refused.
      ...(customer.ip ? { ip: customer.ip } : {}),
    },
    products: order.lines.map(({ id, name, priceCents }) => ({
      id,
      name,
      planId: null,
      planName: null,
      quantity: 1,
      priceInCents: priceCents,
    })),
    trackingParameters: Object.fromEntries(
      TRACKING.map((name) => [name, pick(order.campaign, name) || null]),
    ),
    commission: {
      totalPriceInCents: totalCents,
      gatewayFeeInCents: fee,
      userCommissionInCents: totalCents - fee,
      currency: "BRL",
    },
  };
}

/** A kept payload as it goes over the wire: with the buyer's document readable. */
export function openPayload(payload: Payload): Payload {
  const { document } = payload.customer;
  return { ...payload, customer: { ...payload.customer, document: document && unseal(document) } };
}

/** An order that UTMify checks and forgets. */
export function testPayload(platform: string, now: Date): Payload {
  const order: TrackedOrder = {
    saleId: `teste-${now.getTime()}`,
    state: "waiting_payment",
    paymentMethod: "pix",
    createdAt: now,
    approvedAt: null,
    refundedAt: null,
    customer: {
      name: "Teste de conexão",
      email: "teste@exemplo.com.br",
      phone: "+5511987654321",
      documentSealed: seal("52998224725"),
      ip: null,
    },
    lines: [{ id: "teste", name: "Produto de teste", priceCents: 1990 }],
    campaign: {},
    totalCents: 1990,
    feeCents: null,
  };
  return { ...openPayload(orderPayload(order, platform)), isTest: true };
}

/** `checkintelli` as `Checkintelli`: the name of the platform in PascalCase. */
export function platformName(sourceId: string): string {
  const words = sourceId.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  return words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join("") || "Checkintelli";
}

/** `2026-11-21 10:30:00`, UTC. */
function utc(moment: Date): string {
  return moment.toISOString().slice(0, 19).replace("T", " ");
}
