import { type SQL, sql } from "drizzle-orm";
import { contents, lineContents } from "#app/db/schema/files.server.ts";
import { saleLines } from "#app/db/schema/sales.server.ts";

/** The content of a line: what its product, bump or upsell has now; if that was removed, what it had. */
export const lineContentIdSql: SQL<string | null> = sql<string | null>`coalesce(
  (select c.id from ${contents} c where c.product_id = ${saleLines.productId}),
  (select c.id from ${contents} c where c.order_bump_id = ${saleLines.orderBumpId}),
  (select c.id from ${contents} c where c.upsell_id = ${saleLines.upsellId}),
  (select k.content_id from ${lineContents} k where k.line_id = ${saleLines.id}))`;
