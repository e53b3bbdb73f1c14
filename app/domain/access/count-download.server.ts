import { and, eq, gt, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { downloadResets, downloads } from "#app/db/schema/files.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { DOWNLOADS_PER_SALE } from "#app/domain/access/limits.ts";
import { hasAccess } from "#app/domain/access/why-no-access.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
import { hashToken } from "#app/platform/secrets.server.ts";

/**
 * Counts a download once for its signed address: a player or a download that goes on asks for many stretches of one file.
 * @throws Refusal forbidden (`download_limit`) where the sale's downloads of this file are used up
 */
export async function countDownload(
  { saleId, lineId, itemId }: { saleId: string; lineId: string; itemId: string },
  signature: string,
): Promise<void> {
  const ticket = hashToken(signature);
  const known = await db.$count(downloads, eq(downloads.ticket, ticket));
  if (known > 0) return;
  await db.transaction(async (tx) => {
    // Two addresses used at once are counted one after the other, and neither while money goes back.
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
    const mine = await tx.$count(downloads, eq(downloads.ticket, ticket));
    if (mine > 0) return;
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
