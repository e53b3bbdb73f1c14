import { and, eq, inArray, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { ownById, ownOfCharge, saleOfCharge } from "#app/db/conditions.server.ts";
import { charges, refunds } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { isExtraDisputed } from "#app/domain/charge/check-times.server.ts";
import { sealedKeys } from "#app/domain/gateway/charge-keys.server.ts";
import { computeUnrefundedCents, findDecisiveRefund } from "#app/domain/sale/payments.ts";
import { isSalePayment } from "#app/domain/sale/states.ts";
import { notFound } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";

/**
 * Finds a seller's charge that was paid, with its sale and refunds, and locks it. `isSalePayment`: it is the payment of its
 * sale, neither an overpayment nor an amount mismatch. `isExtraDisputed`: it is none, and is disputed. `leftCents`: what was not refunded;
 * `unconfirmedIds`: refunds that may still be done; `wasOpen`: the provider listed one of them as open when it answered last.
 * @throws Refusal not-found
 */
export async function findPaidCharge(tx: Tx, sellerId: string, chargeId: string) {
  const [charge] = isUuid(chargeId)
    ? await tx
        .select({
          id: charges.id,
          status: charges.status,
          sellerId: charges.sellerId,
          sale: { id: sales.id, status: sales.status },
          provider: charges.provider,
          method: charges.method,
          providerId: charges.providerId,
          paidAt: charges.paidAt,
          amountCents: charges.amountCents,
          paidCents: charges.paidCents,
          overpaidAt: charges.overpaidAt,
          isExtraDisputed: isExtraDisputed(sql`${charges}`),
          sealedKeys,
        })
        .from(charges)
        .innerJoin(sales, saleOfCharge)
        .where(and(ownById(charges, sellerId, chargeId), inArray(charges.status, ["paid", "mispaid"])))
        .for("no key update")
    : [];
  if (!charge) throw notFound("Pagamento não encontrado");
  const all = await lockRefunds(tx, sellerId, chargeId);
  const unconfirmed = all.filter(({ status }) => status === "unconfirmed");
  return {
    ...charge,
    isSalePayment: isSalePayment(charge),
    leftCents: computeUnrefundedCents({ paidCents: charge.paidCents, refunds: all }),
    lastRefund: findDecisiveRefund(all),
    unconfirmedIds: unconfirmed.map(({ id }) => id),
    wasOpen: unconfirmed.some(({ failureKind }) => failureKind === "busy"),
  };
}

/** Locks a charge that was booked, and its sale, for what its provider reports of it. */
export async function lockReportedCharge(tx: Tx, chargeId: string) {
  const [found] = await tx
    .select({
      charge: {
        status: charges.status,
        provider: charges.provider,
        method: charges.method,
        overpaidAt: charges.overpaidAt,
        paidCents: charges.paidCents,
        paidAt: charges.paidAt,
      },
      sale: { id: sales.id, sellerId: sales.sellerId, status: sales.status },
    })
    .from(charges)
    .innerJoin(sales, saleOfCharge)
    .where(eq(charges.id, chargeId))
    .for("no key update");
  return found;
}

/** Reads and locks the refunds of a charge that the caller locked, oldest first. */
export function lockRefunds(tx: Tx, sellerId: string, chargeId: string) {
  return tx
    .select()
    .from(refunds)
    .where(ownOfCharge(refunds, sellerId, chargeId))
    .orderBy(refunds.requestedAt)
    .for("no key update");
}
