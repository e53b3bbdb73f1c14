import { formatMoney } from "#app/kit/money.ts";
import { Refusal } from "#app/kit/refusal.ts";

/**
 * Nobody is charged more than they saw. A lower price is simply charged.
 * @param seenCents null where nobody was shown a price
 * @throws Refusal conflict
 */
export function refuseRaised(seenCents: number | null | undefined, amountCents: number): void {
  const message = raisedMessage(seenCents, amountCents);
  if (message) throw new Refusal("conflict", message);
}

/** What a buyer reads whose price has risen meanwhile; null where it has not. */
export function raisedMessage(seenCents: number | null | undefined, amountCents: number): string | null {
  if (seenCents == null || amountCents <= seenCents) return null;
  return `O preço mudou: agora o total é ${formatMoney(amountCents)} (antes, ${formatMoney(seenCents)}). Nada foi cobrado. Confira e envie de novo se quiser continuar.`;
}
