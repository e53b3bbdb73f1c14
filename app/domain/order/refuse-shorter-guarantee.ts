import { OrderRefusal } from "#app/domain/order/order-refusal.ts";

/**
 * Refuses a guarantee shorter than the buyer saw. A longer one simply applies.
 * @param seenDays null where none was shown
 * @param days the guarantee in the seller's settings; undefined where those were not read
 * @throws OrderRefusal guarantee
 */
export function refuseShorterGuarantee(seenDays: number | null | undefined, days: number | undefined): void {
  const message = describeShorterGuarantee(seenDays, days);
  if (message) throw new OrderRefusal("guarantee", message);
}

/** The message of a redisplayed form whose guarantee became shorter since it was shown; null where it did not. */
export function describeShorterGuarantee(
  seenDays: number | null | undefined,
  days: number | undefined,
): string | null {
  if (!seenDays || days === undefined || days >= seenDays) return null;
  return `A garantia mudou: agora são ${days} dias (antes, ${seenDays}). Nada foi cobrado. Confira e envie de novo se quiser continuar.`;
}
