import {
  guaranteeEndsAt,
  lastGuaranteeDay,
  type RejectedDispute,
} from "#app/domain/storefront/guarantee-end.ts";

/** For mails: until which day a purchase's buyer may withdraw, and where they say so; null once that day is over. */
export function withdrawalText(paidAt: Date, days: number, rejected: RejectedDispute[]): string | null {
  const endsAt = guaranteeEndsAt(paidAt, days, rejected);
  if (endsAt <= new Date()) return null;
  return `Você pode desistir desta compra até o fim de ${lastGuaranteeDay(endsAt)}, sem precisar explicar: o pedido é feito na página da compra.`;
}
