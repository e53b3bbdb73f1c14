import { inArray, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { contents, lineContents } from "#app/db/schema/files.server.ts";
import { saleLines } from "#app/db/schema/sales.server.ts";

/** Leaves the content of bumps or offers that are about to be removed to those who bought them. */
export async function keepForBuyers(
  tx: Tx,
  kind: "orderBumpId" | "upsellOfferId",
  ids: number[],
): Promise<void> {
  const kept = tx
    .select({ lineId: saleLines.id, contentId: contents.id })
    .from(saleLines)
    .innerJoin(contents, sql`${contents[kind]} = ${saleLines[kind]}`)
    .where(inArray(saleLines[kind], ids));
  await tx.insert(lineContents).select(kept).onConflictDoNothing();
}
