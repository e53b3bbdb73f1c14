import { and, eq, exists, inArray, isNull, not, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { contentItems, contents } from "#app/db/schema/files.server.ts";
import { orderBumps, products, upsells } from "#app/db/schema/products.server.ts";
import { saleLines } from "#app/db/schema/sales.server.ts";
import { Refusal } from "#app/kit/refusal.ts";

const TABLES = { productId: products, orderBumpId: orderBumps, upsellId: upsells };

/**
 * Refuses a change, in its transaction, after which who ordered one of these has nothing: it has neither a link nor content,
 * and was ordered without a link. An order keeps the link it was placed with.
 * @throws Refusal conflict, or invalid at `fieldOf` the one that it names
 */
export async function refuseSoldWithoutContent(
  tx: Tx,
  sellerId: string,
  kind: keyof typeof TABLES,
  ids: number[],
  { advice, fieldOf }: { advice: string; fieldOf?: (id: number) => string },
): Promise<void> {
  if (ids.length === 0) return;
  const table = TABLES[kind];
  const isOrdered = and(
    ...[eq(saleLines.sellerId, sellerId), isNull(saleLines.fileUrl), eq(saleLines[kind], table.id)],
  );
  const hasContent = tx
    .select({ one: sql`1` })
    .from(contents)
    .innerJoin(contentItems, eq(contentItems.contentId, contents.id))
    .where(eq(contents[kind], table.id));
  const [left] = await tx
    .select({ id: table.id, name: table.name })
    .from(table)
    .where(
      and(
        ...[eq(table.sellerId, sellerId), inArray(table.id, ids), isNull(table.fileUrl)],
        not(exists(hasContent)),
        exists(tx.select({ one: sql`1` }).from(saleLines).where(isOrdered)),
      ),
    );
  if (!left) return;
  const message = `Quem já comprou "${left.name}" ficaria sem nada. ${advice}`;
  throw new Refusal(fieldOf ? "invalid" : "conflict", message, fieldOf?.(left.id));
}

/** The advice where a link was removed. */
export const MISSING_SOLD_LINK_TEXT = "Inclua antes o conteúdo, ou deixe o link.";

type Linked = { id: number; fileUrl: string | null };

/** The ids of those that lose their link. */
export function withoutFormerLink(before: Linked[], after: Linked[]): number[] {
  const linkedIds = new Set(before.flatMap(({ id, fileUrl }) => (fileUrl ? [id] : [])));
  return after.flatMap(({ id, fileUrl }) => (!fileUrl && linkedIds.has(id) ? [id] : []));
}
