import { inArray, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { contents, lineContents } from "#app/db/schema/files.server.ts";
import { orderBumps, upsellOffers } from "#app/db/schema/products.server.ts";
import { saleLines } from "#app/db/schema/sales.server.ts";

const TABLES = { orderBumpId: orderBumps, upsellOfferId: upsellOffers };

/** Removes bumps or offers, and leaves their content to those who bought them, in one statement. */
export async function removeRows(tx: Tx, kind: keyof typeof TABLES, ids: number[]): Promise<void> {
  const sold = tx
    .select({ lineId: saleLines.id, sellerId: contents.sellerId, contentId: contents.id })
    .from(saleLines)
    .innerJoin(contents, sql`${contents[kind]} = ${saleLines[kind]}`)
    .where(inArray(saleLines[kind], ids));
  const kept = tx.insert(lineContents).select(sold).onConflictDoNothing();
  const table = TABLES[kind];
  await tx.execute(sql`with kept as ${kept} ${tx.delete(table).where(inArray(table.id, ids)).getSQL()}`);
}
