import type { ContentItem } from "#app/domain/content/find-content-items.server.ts";
import { listContent, type OwnContent } from "#app/domain/content/list-content.server.ts";
import { itemNotFound } from "#app/domain/content/lock-own-item.server.ts";
import { notFound } from "#app/kit/refusal.ts";

/** An item of a seller's product, its bumps or its upsells. @throws Refusal not-found */
export async function findItem(sellerId: string, productId: number, itemId: string): Promise<ContentItem> {
  const items = (await listContent(sellerId, productId)).flatMap(({ items }) => items);
  const item = items.find(({ id }) => id === itemId);
  if (!item) throw itemNotFound();
  return item;
}

/** The content of a product, or of one of its bumps or upsells, by its key (`ownerKey`). @throws Refusal not-found */
export async function findContent(sellerId: string, productId: number, key: string): Promise<OwnContent> {
  const content = (await listContent(sellerId, productId)).find((ownedContent) => ownedContent.key === key);
  if (!content) throw notFound();
  return content;
}
