import { and, eq, inArray, isNotNull, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { contents, lineContents } from "#app/db/schema/files.server.ts";
import { orderBumps, upsells } from "#app/db/schema/products.server.ts";
import { saleLines } from "#app/db/schema/sales.server.ts";
import { Statement } from "#app/db/statement.server.ts";
import { lineLinkOf } from "#app/domain/catalog/content/line-link.server.ts";

const TABLES = { orderBumpId: orderBumps, upsellId: upsells };
const COLUMNS = { orderBumpId: sql`order_bump_id`, upsellId: sql`upsell_id` };

/**
 * Removes a seller's bumps or upsells, in one statement; their buyers retain access to the content and the link. What was ordered and
 * has no content gets an empty one, or its buyers could be given nothing else once its link stops working. An open order may be paid
 * later.
 */
export async function removeRows(
  tx: Tx,
  sellerId: string,
  kind: keyof typeof TABLES,
  ids: number[],
): Promise<void> {
  const table = TABLES[kind];
  const isSold = and(eq(saleLines.sellerId, sellerId), inArray(saleLines[kind], ids));
  const soldContents = tx
    .select({ lineId: saleLines.id, sellerId: contents.sellerId, contentId: contents.id })
    .from(saleLines)
    .innerJoin(contents, sql`${contents[kind]} = ${saleLines[kind]}`)
    .where(isSold);
  const soldLinks = tx
    .update(saleLines)
    .set({ fileUrl: lineLinkOf(table) })
    .from(table)
    .where(and(isSold, eq(table.id, saleLines[kind]), isNotNull(lineLinkOf(table))));
  const statement = new Statement();
  const owner = COLUMNS[kind];
  const missing = statement.add(
    "missing_contents",
    sql`select gen_random_uuid() as id, item from (select distinct l.${owner} as item from ${saleLines} l
      where l.seller_id = ${sellerId} and l.${owner} = any(${`{${ids.join(",")}}`}::bigint[])
        and not exists (select from ${contents} c where c.${owner} = l.${owner})) ordered`,
    "materialized",
  );
  // Without an owner, which this statement deletes.
  statement.add(
    "added_contents",
    sql`insert into ${contents} (id, seller_id) select id, ${sellerId}::uuid from ${missing}`,
  );
  statement.add(
    "given_contents",
    sql`insert into ${lineContents} (line_id, seller_id, content_id) select l.id, l.seller_id, m.id
      from ${saleLines} l inner join ${missing} m on m.item = l.${owner} where l.seller_id = ${sellerId}`,
  );
  statement.add("copied_contents", tx.insert(lineContents).select(soldContents).onConflictDoNothing());
  statement.add("copied_links", soldLinks);
  statement.add("removed", tx.delete(table).where(and(eq(table.sellerId, sellerId), inArray(table.id, ids))));
  await tx.execute(statement.select());
}
