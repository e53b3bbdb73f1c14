import type { DeliveryEvent } from "#app/db/schema/lists.ts";

/** UTMify's states of an order. */
export type OrderState = "waiting_payment" | "refused" | "paid" | "refunded" | "chargedback";

/** What a seller switches on and off. */
export const EVENT_TYPES = ["purchase", "refund", "chargeback"] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** The event by which an order reaches each state. */
export const EVENT_OF_STATE = {
  waiting_payment: "pix.generated",
  refused: "sale.refused",
  paid: "sale.paid",
  refunded: "sale.refunded",
  chargedback: "sale.chargedback",
} as const satisfies Record<OrderState, DeliveryEvent>;

/** The events each switch covers. */
export const EVENTS_OF = {
  purchase: ["pix.generated", "sale.refused", "sale.paid"],
  refund: ["sale.partially_refunded", "sale.refunded"],
  chargeback: ["sale.chargedback"],
} as const satisfies Record<EventType, readonly DeliveryEvent[]>;

/** The rank of each event: an older state is never sent after a newer one. */
export const STAGES: Partial<Record<DeliveryEvent, number>> = {
  "pix.generated": 0,
  "sale.refused": 1,
  "sale.paid": 2,
  "sale.partially_refunded": 3,
  "sale.refunded": 4,
  "sale.chargedback": 4,
};

/** The state after an event; null where none. */
export function stateOf(event: DeliveryEvent): OrderState | null {
  // They have no state for it: the order stays paid, with a smaller amount.
  if (event === "sale.partially_refunded") return "paid";
  const states = Object.keys(EVENT_OF_STATE) as OrderState[];
  return states.find((state) => EVENT_OF_STATE[state] === event) ?? null;
}

/** The seller's switch a state falls under. */
export function eventTypeOf(state: OrderState): EventType {
  if (state === "refunded") return "refund";
  return state === "chargedback" ? "chargeback" : "purchase";
}

/** The greatest age of an order, in days, for UTMify to accept a state. Source: UTMify's API documentation. */
export function ageLimitDays(state: OrderState): number {
  return eventTypeOf(state) === "purchase" ? 7 : 45;
}
