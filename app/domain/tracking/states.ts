/** UTMify's states of an order. */
export type OrderState = "waiting_payment" | "refused" | "paid" | "refunded" | "chargedback";

/** What a seller switches on and off. */
export type EventType = "purchase" | "refund" | "chargeback";

/** An older state is never told after a newer one. */
const RANK: Record<OrderState, number> = {
  waiting_payment: 0,
  refused: 1,
  paid: 2,
  refunded: 3,
  chargedback: 3,
};

/** Whether state `a` comes before state `b` in an order's life. */
export function isOlder(a: OrderState, b: OrderState): boolean {
  return RANK[a] < RANK[b];
}

/** The seller's switch a state falls under. */
export function eventTypeOf(state: OrderState): EventType {
  if (state === "refunded") return "refund";
  return state === "chargedback" ? "chargeback" : "purchase";
}
