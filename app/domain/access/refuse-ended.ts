import { type Granted, hasAccess, WHY_NO_ACCESS } from "#app/domain/access/why-no-access.ts";
import { Refusal } from "#app/kit/refusal.ts";

/** @throws Refusal forbidden, with the sale's state as its code, where what was bought is not the buyer's now */
export function refuseEnded(sale: Granted): void {
  if (hasAccess(sale)) return;
  const why = WHY_NO_ACCESS[sale.status as keyof typeof WHY_NO_ACCESS];
  throw new Refusal("forbidden", why, undefined, undefined, sale.status);
}

/** @throws Refusal forbidden (`link_expired`) */
export function refuseExpired(until: number): void {
  if (until >= Date.now()) return;
  const why = "Este link expirou: cada um vale por algumas horas.";
  throw new Refusal("forbidden", why, undefined, undefined, "link_expired");
}
