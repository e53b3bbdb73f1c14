import { and, asc, eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { contentItems, downloadResets, downloads } from "#app/db/schema/files.server.ts";
import { saleLines, sales } from "#app/db/schema/sales.server.ts";
import { lineContentId } from "#app/domain/access/line-content.server.ts";
import { isUuid } from "#app/kit/uuid.ts";

/** A file of a sale: how often its buyer downloaded it in all, and of what the limit counts. */
export type FileDownloads = {
  itemId: string;
  name: string;
  line: string;
  total: number;
  counted: number;
  last: Date | null;
};

/** The files of a seller's sale with their downloads; none for another's. */
export async function listDownloads(sellerId: string, saleId: string): Promise<FileDownloads[]> {
  if (!isUuid(saleId)) return [];
  const of = sql`${downloads} where ${downloads.saleId} = ${saleId} and ${downloads.itemId} = ${contentItems.id}`;
  return db
    .select({
      itemId: contentItems.id,
      name: contentItems.name,
      line: saleLines.name,
      total: sql<number>`(select count(*)::int from ${of})`,
      counted: sql<number>`(select count(*)::int from ${of} and ${downloads.at} > coalesce(
        (select ${downloadResets.at} from ${downloadResets} where ${downloadResets.saleId} = ${saleId}), '-infinity'))`,
      last: sql`(select max(${downloads.at}) from ${of})`.mapWith(downloads.at),
    })
    .from(saleLines)
    .innerJoin(sales, eq(sales.id, saleLines.saleId))
    .innerJoin(contentItems, eq(contentItems.contentId, lineContentId))
    .where(and(eq(saleLines.saleId, saleId), eq(sales.sellerId, sellerId), eq(contentItems.kind, "file")))
    .orderBy(asc(saleLines.position), asc(contentItems.position));
}
