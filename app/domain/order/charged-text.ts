/** Ends a refusal where the sale has received no payment. */
export const NOTHING_CHARGED = "Nada foi cobrado";

/**
 * The same for a sale that may have received a payment, for example of a wrong amount, which is shown next to the
 * refusal.
 */
export function chargedText(hasReceived: boolean): string {
  return hasReceived ? "Nada mais foi cobrado" : NOTHING_CHARGED;
}
