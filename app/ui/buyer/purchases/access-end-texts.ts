import { type AccessState, hasAccess, isFreeEnded } from "#app/domain/access/has-access.ts";
import { closedShopWords } from "#app/domain/sale/closed-shop.ts";
import type { Payment } from "#app/domain/sale/payments.ts";

type ReturnedPurchase = AccessState & { amountCents: number; payments: Payment[]; sellerName: string };

/**
 * Text for the buyer of a purchase whose payment was disputed or refunded; null if neither. A refund or a chargeback that
 * only the seller reports is not stated as a fact.
 */
export function describeAccessEnd(purchase: ReturnedPurchase): string | null {
  const { status, payments, sellerName } = purchase;
  const isRecorded = payments.some(({ kind, isRefundRecorded }) => kind === "counts" && isRefundRecorded);
  if (isFreeEnded(purchase)) return `${sellerName} encerrou o acesso a esta compra, que foi de graça.`;
  if (status === "refunded")
    return isRecorded
      ? `${sellerName} informou que devolveu o valor, e o acesso terminou. Se ele não chegou, fale com ${sellerName}.`
      : "O valor foi devolvido, e o acesso terminou com ele.";
  if (status === "chargedback")
    return isRecorded
      ? `${sellerName} informou que o pagamento foi contestado e o banco o devolveu, e o acesso terminou. Se o valor não chegou, ou se você não contestou, fale com ${sellerName}.`
      : "O pagamento foi contestado e devolvido, e o acesso terminou com ele.";
  return status === "disputed" ? disputedText(purchase) : null;
}

/** Text if the access ends because the seller closed the shop; null if it does not, or there is none. */
export function closingWords(purchase: AccessState & { shopClosedAt: Date | null }): string | null {
  const { shopClosedAt } = purchase;
  return shopClosedAt && hasAccess(purchase) ? closedShopWords(shopClosedAt, new Date()) : null;
}

/** The same for a disputed payment. */
export function disputedText(purchase: AccessState): string {
  const intro = "O pagamento desta compra foi contestado no banco de quem pagou.";
  return hasAccess(purchase)
    ? `${intro} O acesso continua enquanto o banco não decide.`
    : `${intro} Enquanto o banco não decide, o acesso está suspenso.`;
}
