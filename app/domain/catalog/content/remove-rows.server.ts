import { inArray, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { contents, lineContents } from "#app/db/schema/files.server.ts";
import { orderBumps, upsells } from "#app/db/schema/products.server.ts";
import { saleLines } from "#app/db/schema/sales.server.ts";

const TABLES = { orderBumpId: orderBumps, upsellId: upsells };

/** Removes bumps or upsells, in one statement; their buyers retain access to the content. */
export async function removeRows(tx: Tx, kind: keyof typeof TABLES, ids: number[]): Promise<void> {
  const soldContents = tx
    .select({ lineId: saleLines.id, sellerId: contents.sellerId, contentId: contents.id })
    .from(saleLines)
    .innerJoin(contents, sql`${contents[kind]} = ${saleLines[kind]}`)
    .where(inArray(saleLines[kind], ids));
  const insertedContents = tx.insert(lineContents).select(soldContents).onConflictDoNothing();
  const table = TABLES[kind];
  await tx.execute(
    sql`with copied_contents as ${insertedContents} ${tx.delete(table).where(inArray(table.id, ids)).getSQL()}`,
  );
}
