import { and, eq, isNull, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { products, upsells } from "#app/db/schema/products.server.ts";
import { upsellShowings } from "#app/db/schema/storefront.server.ts";

/** Records that one upsell, or with `upsellId` null all that are left, was declined; earlier answers stay. */
export async function declineUpsells(
  sale: { sellerId: string; saleId: string; productId: number },
  upsellId: number | null,
): Promise<void> {
  await db.transaction(async (tx) => {
    const now = new Date();
    const candidates = await tx
      .select({ upsellId: upsells.id })
      .from(upsells)
      .innerJoin(products, eq(products.id, upsells.productId))
      .where(
        and(
          eq(upsells.sellerId, sale.sellerId),
          eq(upsells.productId, sale.productId),
          isNull(upsells.deactivatedAt),
          upsellId === null ? undefined : eq(upsells.id, upsellId),
        ),
      )
      // Its seller may be removing one: locked as by `acceptUpsell`.
      .for("key share", { of: [products, upsells] });
    if (candidates.length === 0) return;
    const declined = { answer: "declined" as const, answeredAt: now };
    await tx
      .insert(upsellShowings)
      .values(
        candidates.map(({ upsellId }) => ({
          ...{ sellerId: sale.sellerId, saleId: sale.saleId, upsellId },
          expiresAt: now,
          ...declined,
        })),
      )
      .onConflictDoUpdate({
        target: [upsellShowings.sellerId, upsellShowings.saleId, upsellShowings.upsellId],
        set: declined,
        setWhere: sql`${upsellShowings.answer} is null`,
      });
  });
}
