import { formatDate, startOfDaysAgo } from "#app/kit/dates.ts";
import { MINUTE } from "#app/kit/duration.ts";

/**
 * When the guarantee ends, after which a refund needs the seller's consent: the end of its last day, in São Paulo.
 * @param days after the day of the payment, during which a refund needs no reason
 */
export function guaranteeEndsAt(paidAt: Date, days: number): Date {
  return startOfDaysAgo(paidAt, -(days + 1));
}

/** For mails: until which day a purchase's buyer may withdraw, and where they say so; null once that day is over. */
export function withdrawalText(paidAt: Date, days: number): string | null {
  const endsAt = guaranteeEndsAt(paidAt, days);
  if (endsAt <= new Date()) return null;
  return `Você pode desistir desta compra até o fim de ${lastGuaranteeDay(endsAt)}, sem precisar explicar: o pedido é feito na página da compra.`;
}

/** The last day of a guarantee with that end, as `21/11/2026`. */
export function lastGuaranteeDay(endsAt: Date): string {
  return formatDate(new Date(endsAt.getTime() - MINUTE));
}
