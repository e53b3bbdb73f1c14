import { and, eq, isNull } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { findPaidCharge } from "#app/domain/payments/find-paid-charge.server.ts";
import { REFUND_NO } from "#app/domain/payments/refund-words.ts";
import { markSaleReversed } from "#app/domain/sales/mark-sale-reversed.server.ts";
import { isSaleId } from "#app/domain/sales/sale-id.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
import { log } from "#app/platform/log.server.ts";

/**
 * Notes a refund the seller made at their bank: nothing is asked of the provider.
 * @throws Refusal not-found; conflict where the sale is not completed or the provider is refunding it at this moment
 */
export async function recordRefund(sellerId: string, saleId: string): Promise<void> {
  await db.transaction(async (tx) => {
    // Charges before their sale, as settling locks them: the other way round the two could wait for each other.
    if (isSaleId(saleId))
      await tx.select({ id: charges.id }).from(charges).where(eq(charges.saleId, saleId)).for("update");
    const sale = await lockCompleted(tx, sellerId, saleId);
    await closeCharge(tx, saleId);
    await markSaleReversed(tx, sale, "refunded", "marked as refunded by the seller");
  });
  log.info({ saleId }, "refund recorded by the seller");
}

/**
 * Notes that the payer's bank took the money back (MED): recorded also while a refund is under way.
 * @throws Refusal not-found; conflict where the sale is not completed
 */
export async function recordChargeback(sellerId: string, saleId: string): Promise<void> {
  await db.transaction(async (tx) => {
    const sale = await lockCompleted(tx, sellerId, saleId);
    await markSaleReversed(tx, sale, "chargedback", "chargeback recorded by the seller");
  });
  log.info({ saleId }, "chargeback recorded by the seller");
}

/** Notes that a second payment of a sale was given back at the bank. @throws Refusal not-found, conflict */
export async function recordSurplusRefund(sellerId: string, chargeId: string): Promise<void> {
  await db.transaction(async (tx) => {
    const charge = await findPaidCharge(tx, sellerId, chargeId);
    if (!charge.isSurplus) throw notFound("Pagamento não encontrado");
    if (charge.refundStatus === "pending") throw new Refusal("conflict", REFUND_NO.pending);
    if (charge.refundStatus === "done") throw new Refusal("conflict", REFUND_NO.done);
    await tx
      .update(charges)
      .set({ refundStatus: "done", refundedAt: new Date(), refundFailure: null, nextCheckAt: null })
      .where(eq(charges.id, chargeId));
  });
}

async function lockCompleted(tx: Tx, sellerId: string, saleId: string) {
  if (!isSaleId(saleId)) throw notFound("Venda não encontrada");
  const [sale] = await tx
    .select({ id: sales.id, status: sales.status })
    .from(sales)
    .where(and(eq(sales.id, saleId), eq(sales.sellerId, sellerId)))
    .for("update");
  if (!sale) throw notFound("Venda não encontrada");
  if (sale.status !== "completed") throw new Refusal("conflict", REFUND_NO.notCompleted);
  return sale;
}

/** The payment that completed the sale, where there is one, counts as given back. @throws Refusal conflict */
async function closeCharge(tx: Tx, saleId: string): Promise<void> {
  const [charge] = await tx
    .select({ id: charges.id, refundStatus: charges.refundStatus })
    .from(charges)
    .where(and(eq(charges.saleId, saleId), eq(charges.status, "paid"), isNull(charges.surplusAt)))
    .for("update");
  if (!charge) return;
  if (charge.refundStatus === "pending") throw new Refusal("conflict", REFUND_NO.pending);
  await tx
    .update(charges)
    .set({ refundStatus: "done", refundedAt: new Date(), refundFailure: null, nextCheckAt: null })
    .where(eq(charges.id, charge.id));
}
