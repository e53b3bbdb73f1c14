import { and, eq, inArray } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { notFound } from "#app/kit/refusal.ts";

/** The products a form selects: all, including future ones, or some. */
export type Scope = { scope: "all" | "some"; products: number[] };

/** @throws Refusal not-found where some are not the seller's */
export async function requireOwnProducts(
  tx: Tx,
  sellerId: string,
  { scope, products: ids }: Scope,
): Promise<void> {
  if (scope === "all") return;
  const own = await tx
    .select({ id: products.id })
    .from(products)
    .where(and(eq(products.sellerId, sellerId), inArray(products.id, ids)));
  if (own.length !== new Set(ids).size) throw notFound("Produto não encontrado");
}
