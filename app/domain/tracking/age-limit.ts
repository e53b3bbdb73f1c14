import { eventTypeOf, type OrderState } from "#app/domain/tracking/states.ts";
import { DAY } from "#app/kit/duration.ts";

/** How old an order may be, in days, for UTMify to want to hear of a state. Source: contracts.md 2.1. */
export function ageLimitDays(state: OrderState): number {
  return eventTypeOf(state) === "purchase" ? 7 : 45;
}

/** Whether it is too late to report a state of an order. */
export function isTooOld(state: OrderState, orderedAt: Date, now: Date): boolean {
  return now.getTime() - orderedAt.getTime() > ageLimitDays(state) * DAY;
}
