import { type SQL, sql } from "drizzle-orm";
import { orderBumps, products } from "#app/db/schema/products.server.ts";
import type { BumpForSale, ProductForSale } from "#app/domain/catalog/find-for-sale.server.ts";
import type { Quote } from "#app/domain/pricing/quote.ts";

/** Names, prices and files are copied into the lines, so that they stay as they were when it was ordered. */
export function buildSaleLines(
  sale: { saleId: SQL; sellerId: string },
  product: ProductForSale,
  bumps: BumpForSale[],
  { lines }: Quote,
) {
  const priceOf = (bumpId: number | null) => {
    const { cents, discountCents } = lines.find((line) => line.bumpId === bumpId)!;
    return { priceCents: cents, discountCents };
  };
  return [
    {
      ...sale,
      kind: "product" as const,
      productId: product.id,
      name: product.name,
      ...priceOf(null),
      fileUrl: sql`(select file_url from ${products} where id = ${product.id})`,
    },
    ...bumps.map((bump, at) => ({
      ...sale,
      kind: "bump" as const,
      orderBumpId: bump.id,
      position: at + 1,
      name: bump.name,
      ...priceOf(bump.id),
      fileUrl: sql`(select file_url from ${orderBumps} where id = ${bump.id})`,
    })),
  ];
}
