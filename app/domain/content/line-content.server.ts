import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { contents, lineContents } from "#app/db/schema/files.server.ts";
import { offers } from "#app/db/schema/offers.server.ts";
import { saleLines, sales } from "#app/db/schema/sales.server.ts";

/** The content of a line: what its product, bump or upsell has now; if that was removed, what it had. */
export const lineContentIdSql: SQL<string | null> = sql<string | null>`coalesce(
  (select c.id from ${contents} c where c.product_id = ${saleLines.productId}),
  (select c.id from ${contents} c where c.order_bump_id = ${saleLines.orderBumpId}),
  (select c.id from ${contents} c where c.upsell_id = ${saleLines.upsellId}),
  (select k.content_id from ${lineContents} k where k.seller_id = ${saleLines.sellerId} and k.line_id = ${saleLines.id}))`;

/** The content items of a line that were bought: the ids that the sale's offer includes; null where it includes all. */
export const boughtItemIdsSql: SQL<string[] | null> = sql<string[] | null>`(
  select o.content_item_ids from ${sales} s inner join ${offers} o on o.seller_id = s.seller_id and o.id = s.offer_id
  where s.seller_id = ${saleLines.sellerId} and s.id = ${saleLines.saleId} and ${saleLines.kind} = 'product')`;

/** Whether a content item of a line was bought. */
export function isBoughtSql(itemId: AnyPgColumn): SQL {
  return sql`coalesce(${itemId} = any((${boughtItemIdsSql})::uuid[]), true)`;
}
