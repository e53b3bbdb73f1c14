import { type Store, storeContact } from "#app/domain/storefront/store/store-words.ts";

/**
 * How a buyer reaches the seller: as the seller chose, else by answering the order's mails, whose answers go to them, else
 * by what they say of themselves; null where there is no way.
 */
export function contactWay(contact: string, hasMail: boolean, store: Store | null): string | null {
  if (contact) return contact;
  if (hasMail) return "responda ao e-mail do seu pedido, e a resposta chega a quem vende";
  return store && storeContact(store);
}
