import { db } from "#app/db/client.server.ts";
import { ownById } from "#app/db/conditions.server.ts";
import { downloadResets } from "#app/db/schema/files.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { notFound } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";

/** Resets the download counts of a sale. @throws Refusal not-found for another seller's sale */
export async function allowDownloads(sellerId: string, saleId: string): Promise<void> {
  if (!isUuid(saleId)) throw notFound("Venda não encontrada");
  await db.transaction(async (tx) => {
    const [sale] = await tx
      .select({ id: sales.id })
      .from(sales)
      .where(ownById(sales, sellerId, saleId))
      .for("no key update");
    if (!sale) throw notFound("Venda não encontrada");
    const at = new Date();
    await tx
      .insert(downloadResets)
      .values({ saleId, sellerId, at })
      .onConflictDoUpdate({ target: [downloadResets.sellerId, downloadResets.saleId], set: { at } });
  });
}
