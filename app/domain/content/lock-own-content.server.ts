import { and, eq } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { ownById } from "#app/db/conditions.server.ts";
import { contents } from "#app/db/schema/files.server.ts";
import { orderBumps, products, upsells } from "#app/db/schema/products.server.ts";
import { productNotFound } from "#app/domain/catalog/parse-product-id.ts";
import { listRemovedContents } from "#app/domain/content/removed-contents.server.ts";
import { notFound } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";

/** The owner of a content: a product, or one of its bumps or upsells; of one that was removed and sold, the content itself. */
export type ContentOwner =
  | { kind: "product" | "bump" | "offer"; id: number }
  | { kind: "removed"; id: string };

/** The key of an owner in forms and addresses: `product`, `bump-1002`, `offer-1003`, `removed-` and an id. */
export function ownerKey({ kind, id }: ContentOwner): string {
  return kind === "product" ? kind : `${kind}-${id}`;
}

/** Parses such a key. @throws Refusal not-found for any other text */
export function readOwner(productId: number, name: string): ContentOwner {
  if (name === "" || name === "product") return { kind: "product", id: productId };
  const removedId = name.startsWith("removed-") ? name.slice("removed-".length) : "";
  if (isUuid(removedId)) return { kind: "removed", id: removedId };
  const [, kind, id] = /^(bump|offer)-(\d{1,15})$/.exec(name) ?? [];
  if (!id) throw notFound();
  return { kind: kind as "bump" | "offer", id: Number(id) };
}

/** The column of `contents` with the owner's id. */
export const OWNER_COLUMN = {
  product: "productId",
  bump: "orderBumpId",
  offer: "upsellId",
  removed: "id",
} as const;

/**
 * The content of a seller's product, bump or upsell, created where there is none; of a deleted product, too. Locks the product's
 * row, so that changes of its content are serialized.
 * @throws Refusal not-found
 */
export async function lockOwnContent(
  tx: Tx,
  sellerId: string,
  productId: number,
  owner: ContentOwner,
): Promise<string> {
  const [product] = await tx
    .select({ id: products.id })
    .from(products)
    .where(ownById(products, sellerId, productId))
    .for("no key update");
  if (!product || !(await isOwnedBy(tx, sellerId, productId, owner))) throw productNotFound();
  const column = OWNER_COLUMN[owner.kind];
  const [existing] = await tx
    .select({ id: contents.id })
    .from(contents)
    .where(and(eq(contents[column], owner.id), eq(contents.sellerId, sellerId)))
    // What removes items of a removed one finds no product to lock.
    .for("no key update");
  if (existing) return existing.id;
  const [created] = await tx
    .insert(contents)
    .values({ sellerId, [column]: owner.id })
    .returning({ id: contents.id });
  return created!.id;
}

async function isOwnedBy(
  tx: Tx,
  sellerId: string,
  productId: number,
  { kind, id }: ContentOwner,
): Promise<boolean> {
  if (kind === "product") return id === productId;
  if (kind === "removed")
    return (await listRemovedContents(tx, sellerId, productId)).some((removed) => removed.id === id);
  const table = kind === "bump" ? orderBumps : upsells;
  const [row] = await tx
    .select({ id: table.id })
    .from(table)
    .where(and(eq(table.id, id), eq(table.productId, productId)));
  return row !== undefined;
}
