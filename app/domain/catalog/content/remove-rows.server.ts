import { and, eq, inArray, isNotNull, type SQL, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { contents, lineContents } from "#app/db/schema/files.server.ts";
import { orderBumps, upsells } from "#app/db/schema/products.server.ts";
import { saleLines, sales } from "#app/db/schema/sales.server.ts";
import { Statement } from "#app/db/statement.server.ts";
import { lineLinkOf } from "#app/domain/catalog/content/line-link.server.ts";

const TABLES = { orderBumpId: orderBumps, upsellId: upsells };
const COLUMNS = { orderBumpId: sql`order_bump_id`, upsellId: sql`upsell_id` };

/** Removes a seller's bumps or upsells; their buyers retain access to the content and the link. */
export async function removeRows(
  tx: Tx,
  sellerId: string,
  kind: keyof typeof TABLES,
  ids: number[],
): Promise<void> {
  await addMissingContents(tx, sellerId, COLUMNS[kind], ids);
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
  statement.add("copied_contents", tx.insert(lineContents).select(soldContents).onConflictDoNothing());
  statement.add("copied_links", soldLinks);
  statement.add("removed", tx.delete(table).where(and(eq(table.sellerId, sellerId), inArray(table.id, ids))));
  await tx.execute(statement.select());
}

/** Without a content of its own, what was paid for could not be given anything else once its link stops working. */
async function addMissingContents(tx: Tx, sellerId: string, owner: SQL, ids: number[]): Promise<void> {
  await tx.execute(sql`insert into ${contents} (seller_id, ${owner})
    select distinct l.seller_id, l.${owner} from ${saleLines} l
      inner join ${sales} s on s.seller_id = l.seller_id and s.id = l.sale_id and s.completed_at is not null
    where l.seller_id = ${sellerId} and l.${owner} = any(${`{${ids.join(",")}}`}::bigint[])
    on conflict do nothing`);
}
