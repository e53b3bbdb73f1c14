import { OrderRefusal } from "#app/domain/order/order-refusal.ts";

/**
 * Nobody gets a shorter guarantee than they saw. A longer one is simply theirs.
 * @param seenDays null where nobody was shown one
 * @param days what the seller promises now; undefined where nobody read their settings
 * @throws OrderRefusal guarantee
 */
export function refuseShortened(seenDays: number | null | undefined, days: number | undefined): void {
  const message = tellShortened(seenDays, days);
  if (message) throw new OrderRefusal("guarantee", message);
}

/** What a form that comes back says of a guarantee that became shorter since it was shown; null where it did not. */
export function tellShortened(seenDays: number | null | undefined, days: number | undefined): string | null {
  if (!seenDays || days === undefined || days >= seenDays) return null;
  return `A garantia mudou: agora são ${days} dias (antes, ${seenDays}). Nada foi cobrado. Confira e envie de novo se quiser continuar.`;
}
