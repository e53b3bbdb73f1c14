import { asc, eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { orderBumps, products, upsellOffers } from "#app/db/schema/products.server.ts";
import { saleLines, sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { lineContentId } from "#app/domain/access/line-content.server.ts";
import { knownCharges } from "#app/domain/charge/known-charges.server.ts";
import { itemsOf } from "#app/domain/content/list-content.server.ts";
import { standing } from "#app/domain/sale/standing.ts";
import type { SaleStatus } from "#app/domain/sale/states.ts";
import { isUuid } from "#app/kit/uuid.ts";

/** A purchase as its buyer sees it: no file address, nothing of the buyer's data. Money in cents. */
export type Purchase = {
  saleId: string;
  productId: number;
  productName: string;
  imageUrl: string | null;
  redirectUrl: string | null;
  sellerId: string;
  sellerName: string;
  status: SaleStatus;
  amountCents: number;
  parentSaleId: string | null;
  /** What is still to go back of a second payment; 0 where all of it went back, null where there was none. */
  surplusCents: number | null;
  lines: PurchaseLine[];
  /** Whether mails can reach the buyer. */
  hasMail: boolean;
};

export type PurchaseLine = {
  id: string;
  kind: "product" | "bump" | "offer";
  name: string;
  priceCents: number;
  hasFile: boolean;
  /** Files, links and texts; nothing of where they are. */
  items: PurchaseItem[];
};

/** `size` in bytes, of a file. */
export type PurchaseItem = { id: string; kind: "file" | "link" | "text"; name: string; size: number | null };

/** A sale and its lines; null for an unknown one. */
export async function showPurchase(saleId: string): Promise<Purchase | null> {
  if (!isUuid(saleId)) return null;
  const [found] = await db
    .select({
      saleId: sales.id,
      productId: products.id,
      productName: products.name,
      imageUrl: products.imageUrl,
      redirectUrl: products.redirectUrl,
      sellerId: sales.sellerId,
      sellerName: sql<string>`coalesce(nullif(${sellers.company}, ''), ${sellers.name})`,
      status: sales.status,
      amountCents: sales.amountCents,
      parentSaleId: sales.parentSaleId,
      hasMail: sql<boolean>`${sales.customerEmail} is not null`,
      charges: knownCharges,
    })
    .from(sales)
    .innerJoin(products, eq(products.id, sales.productId))
    .innerJoin(sellers, eq(sellers.id, sales.sellerId))
    .where(eq(sales.id, saleId));
  if (!found) return null;
  const { charges, ...sale } = found;
  const { paidTwice, money } = standing({ ...sale, charges }, new Date());
  const lines = await db
    .select({
      id: saleLines.id,
      kind: saleLines.kind,
      name: saleLines.name,
      priceCents: saleLines.priceCents,
      hasFile: sql<boolean>`coalesce(${products.fileUrl}, ${orderBumps.fileUrl}, ${upsellOffers.fileUrl}, ${saleLines.fileUrl}) is not null`,
      contentId: lineContentId,
    })
    .from(saleLines)
    .leftJoin(products, eq(products.id, saleLines.productId))
    .leftJoin(orderBumps, eq(orderBumps.id, saleLines.orderBumpId))
    .leftJoin(upsellOffers, eq(upsellOffers.id, saleLines.upsellOfferId))
    .where(eq(saleLines.saleId, saleId))
    .orderBy(asc(saleLines.position));
  const items = await itemsOf(lines.flatMap(({ contentId }) => contentId ?? []));
  return {
    ...sale,
    surplusCents: paidTwice ? money.surplusCents : null,
    lines: lines.map(({ contentId, ...line }) => ({
      ...line,
      items: items
        .filter((item) => item.contentId === contentId)
        .map(({ id, kind, name, file }) => ({ id, kind, name, size: file?.size ?? null })),
    })),
  };
}
