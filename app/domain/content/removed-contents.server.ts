import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { contents } from "#app/db/schema/files.server.ts";

/** The newest line that a removed bump or upsell was paid by, with its product, for a query on `contents`. */
export const soldLine = sql`(select l.name, l.file_url, s.product_id from line_contents k
  inner join sale_lines l on l.seller_id = k.seller_id and l.id = k.line_id
  inner join sales s on s.seller_id = l.seller_id and s.id = l.sale_id
  where k.seller_id = contents.seller_id and k.content_id = contents.id and s.completed_at is not null
  order by s.created_at desc limit 1)`;

/** The product whose removed bump or upsell has this content: its buyers have it still. */
export const removedFromProductId: SQL = sql`(select product_id from ${soldLine} sold)`;

/**
 * The contents of bumps and upsells that were removed from a product and were paid for, before that or since, with the name and the
 * link that they were sold with last.
 */
export async function listRemovedContents(
  db: Db,
  sellerId: string,
  productId: number,
): Promise<{ id: string; name: string; fileUrl: string | null }[]> {
  return db
    .select({
      id: contents.id,
      name: sql<string>`sold.name`,
      fileUrl: sql<string | null>`sold.file_url`,
    })
    .from(contents)
    .innerJoin(sql`lateral ${soldLine} sold`, sql`sold.product_id = ${productId}`)
    .where(
      and(
        eq(contents.sellerId, sellerId),
        sql`num_nonnulls(${contents.productId}, ${contents.orderBumpId}, ${contents.upsellId}) = 0`,
      ),
    )
    .orderBy(contents.createdAt, contents.id);
}
