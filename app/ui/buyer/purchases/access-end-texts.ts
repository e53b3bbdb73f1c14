import { type AccessState, hasAccess } from "#app/domain/access/has-access.ts";
import { closedShopWords } from "#app/domain/sale/closed-shop.ts";

/** Texts for the buyer of a refunded purchase. */
export const ACCESS_ENDED_TEXTS = {
  refunded: "O valor foi devolvido, e o acesso terminou com ele.",
  chargedback: "O pagamento foi contestado e devolvido, e o acesso terminou com ele.",
};

/** Text for the buyer of a purchase whose payment was disputed or refunded; null if neither. */
export function describeAccessEnd(purchase: AccessState): string | null {
  if (purchase.status === "refunded" || purchase.status === "chargedback")
    return ACCESS_ENDED_TEXTS[purchase.status];
  return purchase.status === "disputed" ? disputedText(purchase) : null;
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
