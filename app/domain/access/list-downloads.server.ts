import { and, asc, eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { ownOfSale } from "#app/db/conditions.server.ts";
import { contentItems, downloads } from "#app/db/schema/files.server.ts";
import { saleLines } from "#app/db/schema/sales.server.ts";
import { isCounted } from "#app/domain/access/is-counted.server.ts";
import { isBoughtSql, lineContentIdSql } from "#app/domain/content/line-content.server.ts";
import { isUuid } from "#app/kit/uuid.ts";

/** A file of a sale, with its downloads in total and those that count towards the limit. */
export type FileDownloads = {
  itemId: string;
  name: string;
  line: string;
  total: number;
  counted: number;
  last: Date | null;
};

/** The files of a seller's sale with their downloads; empty for another seller's. */
export async function listDownloads(sellerId: string, saleId: string): Promise<FileDownloads[]> {
  if (!isUuid(saleId)) return [];
  const itemDownloads = sql`${downloads} where ${downloads.sellerId} = ${sellerId} and ${downloads.saleId} = ${saleId} and ${downloads.itemId} = ${contentItems.id}`;
  return db
    .select({
      itemId: contentItems.id,
      name: contentItems.name,
      line: saleLines.name,
      total: sql<number>`(select count(*)::int from ${itemDownloads})`,
      counted: sql<number>`(select count(*)::int from ${itemDownloads} and ${isCounted})`,
      last: sql`(select max(${downloads.at}) from ${itemDownloads})`.mapWith(downloads.at),
    })
    .from(saleLines)
    .innerJoin(contentItems, eq(contentItems.contentId, lineContentIdSql))
    .where(
      and(
        ownOfSale(saleLines, sellerId, saleId),
        eq(contentItems.kind, "file"),
        isBoughtSql(contentItems.id),
      ),
    )
    .orderBy(asc(saleLines.position), asc(contentItems.position));
}
