import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { ofSaleIds } from "#app/db/conditions.server.ts";
import { downloads } from "#app/db/schema/files.server.ts";
import { orderBumps, products, upsells } from "#app/db/schema/products.server.ts";
import { saleLines } from "#app/db/schema/sales.server.ts";
import { isCounted } from "#app/domain/access/is-counted.server.ts";
import { DOWNLOADS_PER_SALE } from "#app/domain/access/limits.ts";
import { lineLink } from "#app/domain/catalog/content/line-link.server.ts";
import { findContentItems } from "#app/domain/content/find-content-items.server.ts";
import { boughtItemIdsSql, lineContentIdSql } from "#app/domain/content/line-content.server.ts";

/** A line of a purchase with its content items, without file addresses. Money in cents. */
export type PurchaseLine = {
  id: string;
  kind: "product" | "bump" | "offer";
  name: string;
  priceCents: number;
  /** How much a coupon took off; `priceCents` is what was paid. */
  discountCents: number;
  methodDiscountCents: number;
  hasFile: boolean;
  /** Files, links and texts. */
  items: PurchaseItem[];
};

/** `size` in bytes, of a file. `downloadsLeft`: null where downloads are not counted. */
export type PurchaseItem = {
  id: string;
  kind: "file" | "link" | "text";
  name: string;
  size: number | null;
  downloadsLeft: number | null;
};

/** The lines and contents of sales, by sale, in two statements, three where there are files. */
export async function findPurchaseLines(saleIds: string[]): Promise<Map<string, PurchaseLine[]>> {
  if (saleIds.length === 0) return new Map();
  const rows = await db
    .select({
      id: saleLines.id,
      saleId: saleLines.saleId,
      kind: saleLines.kind,
      name: saleLines.name,
      priceCents: saleLines.priceCents,
      discountCents: saleLines.discountCents,
      methodDiscountCents: saleLines.methodDiscountCents,
      hasFile: sql<boolean>`${lineLink} is not null`,
      contentId: lineContentIdSql,
      boughtItemIds: boughtItemIdsSql,
    })
    .from(saleLines)
    .leftJoin(products, eq(products.id, saleLines.productId))
    .leftJoin(orderBumps, eq(orderBumps.id, saleLines.orderBumpId))
    .leftJoin(upsells, eq(upsells.id, saleLines.upsellId))
    .where(ofSaleIds(saleLines, saleIds))
    .orderBy(asc(saleLines.position));
  const items = Map.groupBy(
    await findContentItems(rows.flatMap(({ contentId }) => contentId ?? [])),
    ({ contentId }) => contentId,
  );
  const hasFiles = [...items.values()].some((itemGroup) => itemGroup.some(({ kind }) => kind === "file"));
  const used = hasFiles ? await countDownloads(saleIds) : new Map<string, number>();
  const lines = rows.map(({ contentId, boughtItemIds, ...line }) => ({
    ...line,
    items: (items.get(contentId ?? "") ?? [])
      .filter(({ id }) => boughtItemIds?.includes(id) ?? true)
      .map(({ id, kind, name, file }) => ({
        ...{ id, kind, name },
        size: file?.size ?? null,
        downloadsLeft: file
          ? Math.max(0, DOWNLOADS_PER_SALE - (used.get(`${line.saleId} ${id}`) ?? 0))
          : null,
      })),
  }));
  return new Map(
    [...Map.groupBy(lines, ({ saleId }) => saleId)].map(([saleId, lineGroup]) => [
      saleId,
      lineGroup.map(({ saleId: _, ...line }) => line),
    ]),
  );
}

/** Downloads of each file that count towards the limit, by `SALE ITEM`. */
async function countDownloads(saleIds: string[]): Promise<Map<string, number>> {
  const rows = await db
    .select({ saleId: downloads.saleId, itemId: downloads.itemId, used: sql<number>`count(*)::int` })
    .from(downloads)
    .where(and(inArray(downloads.saleId, saleIds), isCounted))
    .groupBy(downloads.saleId, downloads.itemId);
  return new Map(rows.map(({ saleId, itemId, used }) => [`${saleId} ${itemId}`, used]));
}
