import { and, eq } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sealedKeys } from "#app/domain/payments/charge-keys.server.ts";
import { isSaleId } from "#app/domain/sales/sale-id.ts";
import { notFound } from "#app/kit/refusal.ts";

/** A seller's paid charge and its sale, both locked. @throws Refusal not-found */
export async function findPaidCharge(tx: Tx, sellerId: string, chargeId: string) {
  if (!isSaleId(chargeId)) throw notFound("Pagamento não encontrado");
  const [charge] = await tx
    .select({
      id: charges.id,
      saleId: sales.id,
      saleStatus: sales.status,
      provider: charges.provider,
      providerId: charges.providerId,
      paidAt: charges.paidAt,
      isSurplus: charges.surplusAt,
      refundStatus: charges.refundStatus,
      sealedKeys,
    })
    .from(charges)
    .innerJoin(sales, eq(sales.id, charges.saleId))
    .where(and(eq(charges.id, chargeId), eq(sales.sellerId, sellerId), eq(charges.status, "paid")))
    .for("update");
  if (!charge) throw notFound("Pagamento não encontrado");
  return { ...charge, isSurplus: charge.isSurplus !== null };
}
