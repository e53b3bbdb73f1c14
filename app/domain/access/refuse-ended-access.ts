import { type AccessState, hasAccess, NO_ACCESS_REASONS } from "#app/domain/access/has-access.ts";
import { Refusal } from "#app/kit/refusal.ts";

/** @throws Refusal forbidden, with the sale's state as its code, where the buyer has no access now */
export function refuseEndedAccess(sale: AccessState): void {
  if (hasAccess(sale)) return;
  const reason = NO_ACCESS_REASONS[sale.status as keyof typeof NO_ACCESS_REASONS];
  throw new Refusal("forbidden", reason, undefined, undefined, sale.status);
}

/** @throws Refusal forbidden (`link_expired`) */
export function refuseExpiredLink(until: number): void {
  if (until >= Date.now()) return;
  const reason = "Este link expirou: cada um vale por algumas horas.";
  throw new Refusal("forbidden", reason, undefined, undefined, "link_expired");
}
