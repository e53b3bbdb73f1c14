/** What a refusal says of the buyer's money where no payment of the sale was received. */
export const NOTHING_CHARGED = "Nada foi cobrado";

/** The same of a sale that may have received one, of a wrong amount for example: that one is told beside the refusal. */
export function chargedSoFar(hasReceived: boolean): string {
  return hasReceived ? "Nada mais foi cobrado" : NOTHING_CHARGED;
}
