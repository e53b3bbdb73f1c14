import { and, asc } from "drizzle-orm";
import type { db, Tx } from "#app/db/client.server.ts";
import { isSalePaymentSql, ofCharge, ownOfSale } from "#app/db/conditions.server.ts";
import { charges, refunds } from "#app/db/schema/payments.server.ts";
import { isUndecided } from "#app/domain/refund/is-under-way.ts";
import { findFullRefundState } from "#app/domain/sale/payment-summary.ts";

/**
 * A sale's payment, if it has a charge, and its refunds, the oldest first. `fullRefundState`: of the refund of all that is left
 * of it; `isUndecided`: the provider may still make a refund of it.
 */
export async function readSalePayment(at: typeof db | Tx, sellerId: string, saleId: string) {
  const rows = await at
    .select({
      charge: {
        paidCents: charges.paidCents,
        provider: charges.provider,
        method: charges.method,
        paidAt: charges.paidAt,
      },
      refund: {
        status: refunds.status,
        amountCents: refunds.amountCents,
        acceptedAt: refunds.acceptedAt,
        requestedAt: refunds.requestedAt,
        dismissedAt: refunds.dismissedAt,
      },
    })
    .from(charges)
    .leftJoin(refunds, ofCharge(refunds))
    .where(and(ownOfSale(charges, sellerId, saleId), isSalePaymentSql))
    .orderBy(asc(refunds.requestedAt));
  const charge = rows[0]?.charge;
  const requested = rows.flatMap(({ refund }) => refund ?? []);
  return {
    charge,
    refunds: requested,
    fullRefundState: findFullRefundState({ paidCents: charge?.paidCents ?? null, refunds: requested }),
    isUndecided: requested.some(isUndecided),
  };
}
