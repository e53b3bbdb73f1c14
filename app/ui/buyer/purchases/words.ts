import { type Granted, hasAccess } from "#app/domain/access/why-no-access.ts";
import { closedShopWords } from "#app/domain/sale/closed-shop.ts";

/** What became of a purchase that was given back, in words for its buyer. */
export const ENDED = {
  refunded: "O valor foi devolvido, e o acesso terminou com ele.",
  chargedback: "O pagamento foi contestado e devolvido, e o acesso terminou com ele.",
};

/** What is to be said of a purchase whose payment was contested or went back, in words for its buyer; null where nothing. */
export function whatBecame(purchase: Granted): string | null {
  if (purchase.status === "refunded" || purchase.status === "chargedback") return ENDED[purchase.status];
  return purchase.status === "disputed" ? disputedWords(purchase) : null;
}

/** That the access to a purchase ends with its seller's closed shop; null where it does not, or there is none. */
export function closingWords(purchase: Granted & { shopClosedAt: Date | null }): string | null {
  const { shopClosedAt } = purchase;
  return shopClosedAt && hasAccess(purchase) ? closedShopWords(shopClosedAt, new Date()) : null;
}

/** The same of a payment that is contested. */
export function disputedWords(purchase: Granted): string {
  const what = "O pagamento desta compra foi contestado no banco de quem pagou.";
  return hasAccess(purchase)
    ? `${what} O acesso continua enquanto o banco não decide.`
    : `${what} Enquanto o banco não decide, o acesso está suspenso.`;
}
