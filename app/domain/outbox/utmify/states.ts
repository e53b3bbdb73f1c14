import type { NewsEvent } from "#app/db/schema/lists.ts";

/** UTMify's states of an order. */
export type OrderState = "waiting_payment" | "refused" | "paid" | "refunded" | "chargedback";

/** What a seller switches on and off. */
export type EventType = "purchase" | "refund" | "chargeback";

/** The news by which an order comes to each state. */
export const NEWS_OF = {
  waiting_payment: "pix.generated",
  refused: "sale.refused",
  paid: "sale.paid",
  refunded: "sale.refunded",
  chargedback: "sale.chargedback",
} as const satisfies Record<OrderState, NewsEvent>;

/** The news that each switch is about. */
export const EVENTS_OF = {
  purchase: ["pix.generated", "sale.refused", "sale.paid"],
  refund: ["sale.partially_refunded", "sale.refunded"],
  chargeback: ["sale.chargedback"],
} as const satisfies Record<EventType, readonly NewsEvent[]>;

/** How far each leads an order: an older state is never told after a newer one. */
export const STAGES: Partial<Record<NewsEvent, number>> = {
  "pix.generated": 0,
  "sale.refused": 1,
  "sale.paid": 2,
  "sale.partially_refunded": 3,
  "sale.refunded": 4,
  "sale.chargedback": 4,
};

/** The state that news brings an order to; null where none. */
export function stateOf(event: NewsEvent): OrderState | null {
  // They have no state for it: the order is paid, of less.
  if (event === "sale.partially_refunded") return "paid";
  const states = Object.keys(NEWS_OF) as OrderState[];
  return states.find((state) => NEWS_OF[state] === event) ?? null;
}

/** The seller's switch a state falls under. */
export function eventTypeOf(state: OrderState): EventType {
  if (state === "refunded") return "refund";
  return state === "chargedback" ? "chargeback" : "purchase";
}

/** How old an order may be, in days, for UTMify to want to hear of a state. Source: contracts.md 2.1. */
export function ageLimitDays(state: OrderState): number {
  return eventTypeOf(state) === "purchase" ? 7 : 45;
}
