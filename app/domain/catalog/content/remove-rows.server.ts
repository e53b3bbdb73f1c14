import { inArray, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { contents, lineContents } from "#app/db/schema/files.server.ts";
import { orderBumps, upsells } from "#app/db/schema/products.server.ts";
import { saleLines } from "#app/db/schema/sales.server.ts";
import { Statement } from "#app/db/statement.server.ts";

const TABLES = { orderBumpId: orderBumps, upsellId: upsells };

/** Removes bumps or upsells, in one statement; their buyers retain access to the content. */
export async function removeRows(tx: Tx, kind: keyof typeof TABLES, ids: number[]): Promise<void> {
  const soldContents = tx
    .select({ lineId: saleLines.id, sellerId: contents.sellerId, contentId: contents.id })
    .from(saleLines)
    .innerJoin(contents, sql`${contents[kind]} = ${saleLines[kind]}`)
    .where(inArray(saleLines[kind], ids));
  const table = TABLES[kind];
  const statement = new Statement();
  statement.add("copied_contents", tx.insert(lineContents).select(soldContents).onConflictDoNothing());
  statement.add("removed", tx.delete(table).where(inArray(table.id, ids)));
  await tx.execute(statement.select());
}
