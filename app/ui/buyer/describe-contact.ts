import type { Purchase } from "#app/domain/access/show-purchase.server.ts";
import { formatStoreContact, type Store } from "#app/domain/storefront/store/format-store.ts";

/**
 * How a buyer reaches the seller: as the seller chose; else by replying to the order's mails, which reaches the seller;
 * else by the contact in the store's details; null if there is no way.
 * @param isMailed whether mails of the order arrive; until it is paid see `isMailedUnpaid`
 */
export function describeContact(contact: string, isMailed: boolean, store: Store | null): string | null {
  if (contact) return contact;
  if (isMailed) return "responda ao e-mail do seu pedido, e a resposta chega a quem vende";
  return store && formatStoreContact(store);
}

/**
 * Whether mails of an unpaid order have arrived: its first one comes with its PIX code, and an upsell's buyer has those of the
 * purchase.
 */
export function isMailedUnpaid({
  hasMail,
  hadCode,
  parentSaleId,
}: Pick<Purchase, "hasMail" | "hadCode" | "parentSaleId">): boolean {
  return hasMail && (hadCode || parentSaleId !== null);
}
