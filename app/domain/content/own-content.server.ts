import { and, eq } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { contents } from "#app/db/schema/files.server.ts";
import { orderBumps, products, upsellOffers } from "#app/db/schema/products.server.ts";
import { ownProduct } from "#app/domain/catalog/own-product.server.ts";
import { noProduct } from "#app/domain/catalog/product-id.ts";
import type { Owner } from "#app/domain/content/owner.ts";

const COLUMN = { product: "productId", bump: "orderBumpId", offer: "upsellOfferId" } as const;

/**
 * The content of a seller's product, bump or offer, made where there is none. Holds the product's row, so that two changes
 * of one product's content go one after the other.
 * @throws Refusal not-found
 */
export async function ownContent(tx: Tx, sellerId: string, productId: number, owner: Owner): Promise<string> {
  const [product] = await tx
    .select({ id: products.id })
    .from(products)
    .where(ownProduct(sellerId, productId))
    .for("no key update");
  if (!product || !(await isOf(tx, productId, owner))) throw noProduct();
  const column = COLUMN[owner.kind];
  const [known] = await tx
    .select({ id: contents.id })
    .from(contents)
    .where(and(eq(contents[column], owner.id), eq(contents.sellerId, sellerId)));
  if (known) return known.id;
  const [made] = await tx
    .insert(contents)
    .values({ sellerId, [column]: owner.id })
    .returning({ id: contents.id });
  return made!.id;
}

async function isOf(tx: Tx, productId: number, { kind, id }: Owner): Promise<boolean> {
  if (kind === "product") return id === productId;
  const table = kind === "bump" ? orderBumps : upsellOffers;
  const [row] = await tx
    .select({ id: table.id })
    .from(table)
    .where(and(eq(table.id, id), eq(table.productId, productId)));
  return row !== undefined;
}
