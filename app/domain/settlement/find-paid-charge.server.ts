import { and, eq, inArray } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { charges, refunds } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sealedKeys } from "#app/domain/gateway/charge-keys.server.ts";
import { lastRefundOf, leftOf } from "#app/domain/sale/payments.ts";
import { notFound } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";

/**
 * A seller's charge that money came in with, its sale and its refunds, locked. `counts`: it is the payment of its sale,
 * not a surplus one nor of a wrong amount. `leftCents`: what has not gone back.
 * @throws Refusal not-found
 */
export async function findPaidCharge(tx: Tx, sellerId: string, chargeId: string) {
  const [charge] = isUuid(chargeId)
    ? await tx
        .select({
          id: charges.id,
          status: charges.status,
          sale: { id: sales.id, status: sales.status },
          provider: charges.provider,
          providerId: charges.providerId,
          paidAt: charges.paidAt,
          paidCents: charges.paidCents,
          surplusAt: charges.surplusAt,
          sealedKeys,
        })
        .from(charges)
        .innerJoin(sales, eq(sales.id, charges.saleId))
        .where(
          and(
            eq(charges.id, chargeId),
            eq(sales.sellerId, sellerId),
            inArray(charges.status, ["paid", "mispaid"]),
          ),
        )
        .for("no key update")
    : [];
  if (!charge) throw notFound("Pagamento não encontrado");
  const all = await tx
    .select()
    .from(refunds)
    .where(eq(refunds.chargeId, chargeId))
    .orderBy(refunds.requestedAt)
    .for("no key update");
  return {
    ...charge,
    counts: charge.status === "paid" && charge.surplusAt === null,
    leftCents: leftOf({ paidCents: charge.paidCents, refunds: all }),
    lastRefund: lastRefundOf(all),
  };
}
