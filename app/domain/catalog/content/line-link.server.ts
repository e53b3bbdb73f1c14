import { type SQL, sql } from "drizzle-orm";
import { orderBumps, products, upsells } from "#app/db/schema/products.server.ts";
import { saleLines } from "#app/db/schema/sales.server.ts";

/**
 * The link that a line has from its product, bump or upsell: the present one; where content replaced it, the last one, if the
 * line was ordered with a link.
 */
export const lineLinkOf = ({
  fileUrl,
  lastFileUrl,
}: Pick<typeof products | typeof orderBumps | typeof upsells, "fileUrl" | "lastFileUrl">): SQL =>
  sql`coalesce(${fileUrl}, case when ${saleLines.fileUrl} is not null then ${lastFileUrl} end)`;

/** The link of a line, for a query on lines, products, bumps and upsells; null where it has none. */
export const lineLink: SQL<string | null> = sql<string | null>`coalesce(
  ${lineLinkOf(products)}, ${lineLinkOf(orderBumps)}, ${lineLinkOf(upsells)}, ${saleLines.fileUrl})`;
