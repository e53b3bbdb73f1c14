import { and, eq, or } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { createPurchaseKey, isPurchaseKey } from "#app/domain/sale/purchase-key.server.ts";

/** Keys of sales, by sale. */
export type PurchaseKeys = ReadonlyMap<string, string>;

/**
 * The keys of a purchase and its upsells for a visitor who opened one of them by a mailed link, so that the links between
 * them open, too: of those with the same e-mail. Empty where `key` is not this sale's.
 */
export async function findOrderKeys(
  sale: { saleId: string; sellerId: string; parentSaleId: string | null; customerEmail: string | null },
  key: string,
): Promise<PurchaseKeys> {
  const { saleId, customerEmail: email } = sale;
  if (!email || !isPurchaseKey(key, saleId, email)) return new Map();
  const rootId = sale.parentSaleId ?? saleId;
  const found = await db
    .select({ id: sales.id })
    .from(sales)
    .where(
      and(
        eq(sales.sellerId, sale.sellerId),
        or(eq(sales.id, rootId), eq(sales.parentSaleId, rootId)),
        eq(sales.customerEmail, email),
      ),
    );
  return new Map(found.map(({ id }) => [id, createPurchaseKey(id, email)]));
}
