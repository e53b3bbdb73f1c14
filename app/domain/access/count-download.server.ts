import { and, eq, gt, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { downloadResets, downloads } from "#app/db/schema/files.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { hasAccess } from "#app/domain/access/has-access.ts";
import { DOWNLOADS_PER_SALE } from "#app/domain/access/limits.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
import { hashToken } from "#app/platform/secrets.server.ts";

/**
 * Counts a download once per signed URL: players and resumed downloads request many ranges of one file.
 * @throws Refusal forbidden (`download_limit`) where the sale's downloads of this file are used up
 */
export async function countDownload(
  { saleId, lineId, itemId }: { saleId: string; lineId: string; itemId: string },
  signature: string,
): Promise<void> {
  const ticket = hashToken(signature);
  const countedBefore = await db.$count(downloads, eq(downloads.ticket, ticket));
  if (countedBefore > 0) return;
  await db.transaction(async (tx) => {
    // Locks the sale: concurrent downloads are counted one after the other, and none during a refund.
    const [sale] = await tx
      .select({ sellerId: sales.sellerId, status: sales.status, accessSuspendedAt: sales.accessSuspendedAt })
      .from(sales)
      .where(eq(sales.id, saleId))
      .for("no key update");
    if (!sale || !hasAccess(sale)) throw notFound("Arquivo não encontrado");
    const since = sql`coalesce((select at from ${downloadResets} where sale_id = ${saleId}), '-infinity')`;
    const used = await tx.$count(
      downloads,
      and(eq(downloads.saleId, saleId), eq(downloads.itemId, itemId), gt(downloads.at, since)),
    );
    const countedMeanwhile = await tx.$count(downloads, eq(downloads.ticket, ticket));
    if (countedMeanwhile > 0) return;
    if (used >= DOWNLOADS_PER_SALE)
      throw new Refusal(
        "forbidden",
        `Este arquivo já foi baixado ${DOWNLOADS_PER_SALE} vezes, o limite de uma compra. Quem vendeu pode liberar novos downloads para você.`,
        undefined,
        undefined,
        "download_limit",
      );
    await tx
      .insert(downloads)
      .values({ saleId, sellerId: sale.sellerId, lineId, itemId, ticket })
      .onConflictDoNothing();
  });
}
