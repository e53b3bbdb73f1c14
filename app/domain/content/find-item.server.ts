import { type ContentItem, listContent, type OwnContent } from "#app/domain/content/list-content.server.ts";
import { noItem } from "#app/domain/content/own-item.server.ts";
import { notFound } from "#app/kit/refusal.ts";

/** An item of a seller's product, its bumps or its offers. @throws Refusal not-found */
export async function findItem(sellerId: string, productId: number, itemId: string): Promise<ContentItem> {
  const items = (await listContent(sellerId, productId)).flatMap(({ items }) => items);
  const item = items.find(({ id }) => id === itemId);
  if (!item) throw noItem();
  return item;
}

/** The content of a product, or that of one of its bumps or offers by its name. @throws Refusal not-found */
export async function findContent(sellerId: string, productId: number, key: string): Promise<OwnContent> {
  const content = (await listContent(sellerId, productId)).find((one) => one.key === key);
  if (!content) throw notFound();
  return content;
}
