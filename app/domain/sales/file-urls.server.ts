import { eq, inArray } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { orderBumps, products } from "#app/db/schema/products.server.ts";

/** The download addresses of what is being sold, to be kept with the sale. At most two statements. */
export async function fileUrlsOf(
  tx: Tx,
  { productId, bumpIds }: { productId: number; bumpIds: number[] },
): Promise<{ product: string | null; bumps: Map<number, string | null> }> {
  const [product] = await tx
    .select({ url: products.fileUrl })
    .from(products)
    .where(eq(products.id, productId));
  const bumps =
    bumpIds.length === 0
      ? []
      : await tx
          .select({ id: orderBumps.id, url: orderBumps.fileUrl })
          .from(orderBumps)
          .where(inArray(orderBumps.id, bumpIds));
  return { product: product?.url ?? null, bumps: new Map(bumps.map((b) => [b.id, b.url])) };
}
