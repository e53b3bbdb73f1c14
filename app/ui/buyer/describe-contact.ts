import { formatStoreContact, type Store } from "#app/domain/storefront/store/format-store.ts";

/**
 * How a buyer reaches the seller: as the seller chose; else by replying to the order's mails, which reaches the seller;
 * else by the contact in the store's details; null if there is no way.
 */
export function describeContact(contact: string, hasMail: boolean, store: Store | null): string | null {
  if (contact) return contact;
  if (hasMail) return "responda ao e-mail do seu pedido, e a resposta chega a quem vende";
  return store && formatStoreContact(store);
}
