import { and, eq, lt } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { REFUND_NO } from "#app/domain/payments/refund-words.ts";
import { noteSale } from "#app/domain/sales/note-sale.server.ts";
import { unconfirmedRefundMail } from "#app/domain/sales/unconfirmed-refund-mail.server.ts";
import { log } from "#app/platform/log.server.ts";

/**
 * Ends the waiting for a refund that was asked for before `requestedBefore` and never confirmed, once however many say
 * so: the sale's history and a mail tell the seller, who may try again or record it.
 */
export async function endUnconfirmedRefund(chargeId: string, requestedBefore: Date): Promise<void> {
  const ended = await db.transaction(async (tx) => {
    const [charge] = await tx
      .update(charges)
      .set({ refundStatus: "unconfirmed", refundFailure: REFUND_NO.unconfirmed, nextCheckAt: null })
      .where(
        and(
          eq(charges.id, chargeId),
          eq(charges.refundStatus, "pending"),
          lt(charges.refundRequestedAt, requestedBefore),
        ),
      )
      .returning({
        saleId: charges.saleId,
        provider: charges.provider,
        amountCents: charges.amountCents,
        requestedAt: charges.refundRequestedAt,
      });
    if (!charge) return false;
    const { saleId, provider, amountCents, requestedAt } = charge;
    const [sale] = await tx
      .select({ id: sales.id, status: sales.status })
      .from(sales)
      .where(eq(sales.id, saleId));
    await noteSale(tx, sale!, `refund not confirmed by ${provider}`);
    await unconfirmedRefundMail(tx, saleId, { chargeId, amountCents, requestedAt: requestedAt! });
    return true;
  });
  if (ended) log.warn({ chargeId }, "refund given up: not confirmed");
}
