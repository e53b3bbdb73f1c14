import { db, type Tx } from "#app/db/client.server.ts";
import { ownById } from "#app/db/conditions.server.ts";
import type { Cause } from "#app/db/schema/lists.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { IN_A_MINUTE, nextCheckTime } from "#app/domain/charge/check-times.server.ts";
import { readClaimTime } from "#app/domain/charge/claim-time.ts";
import { openRefund } from "#app/domain/charge/move-refund.server.ts";
import { findRefundWindow } from "#app/domain/gateway/method-capabilities.server.ts";
import { checkUnconfirmedRefunds } from "#app/domain/refund/check-unconfirmed-refunds.server.ts";
import { refundRefusal, tooLateRefusal } from "#app/domain/refund/refund-texts.ts";
import {
  type ClaimedRefund,
  findRefundAccount,
  type RefundOutcome,
  sendRefund,
} from "#app/domain/refund/send-refund.server.ts";
import { findPaidCharge } from "#app/domain/settlement/find-paid-charge.server.ts";
import { requestId } from "#app/platform/request-id.server.ts";

type RefundOptions = { cause?: Extract<Cause, "seller" | "buyer">; seenLeftCents?: number | null };

/**
 * Requests the refund of a payment: a completed sale's, an overpayment or an amount mismatch. The refund's row is written
 * before the provider's call and after it. After a lost answer the call is not repeated; a check finds out what happened.
 * @param amountCents a part of it, where the provider can refund one; null: all that is left
 * @param options `cause`: who requested it; `seenLeftCents`: what was left on the screen on which its seller requested a part, null
 * where that does not matter. In another tab, or by a form whose answer was lost, the part may have been refunded already
 * @throws Refusal not-found; conflict where it cannot be refunded (any more)
 */
export async function refundCharge(
  sellerId: string,
  chargeId: string,
  amountCents: number | null = null,
  { cause = "seller", seenLeftCents = null }: RefundOptions = {},
): Promise<RefundOutcome> {
  const earlier = await checkUnconfirmedRefunds(sellerId, chargeId);
  if (!Array.isArray(earlier)) return earlier;
  const claimedAt = readClaimTime();
  const claimed = await db.transaction((tx) =>
    claimRefund(tx, sellerId, chargeId, { amountCents, cause, seenLeftCents }, earlier),
  );
  return sendRefund({ ...claimed, claimedAt });
}

/** Inserts the refund, with charge and sale locked, before the provider is called: concurrent requests are one. */
async function claimRefund(
  tx: Tx,
  sellerId: string,
  chargeId: string,
  request: { amountCents: number | null } & Required<RefundOptions>,
  checkedIds: string[],
): Promise<Omit<ClaimedRefund, "claimedAt">> {
  const charge = await findPaidCharge(tx, sellerId, chargeId);
  if (charge.lastRefund?.status === "pending") throw refundRefusal("pending");
  if (charge.leftCents <= 0) throw refundRefusal("done");
  if (request.seenLeftCents !== null && request.seenLeftCents !== charge.leftCents)
    throw refundRefusal("changed");
  // Became unconfirmed since `checkUnconfirmedRefunds`: the provider has to be checked first.
  if (charge.unconfirmedIds.some((id) => !checkedIds.includes(id))) throw refundRefusal("unknown");
  if (charge.isSalePayment && charge.sale.status === "disputed") throw refundRefusal("disputed");
  if (charge.isExtraDisputed) throw refundRefusal("disputedExtra");
  if (charge.isSalePayment && charge.sale.status !== "completed") throw refundRefusal("notCompleted");
  const account = findRefundAccount(charge);
  if (!account) throw refundRefusal("noGateway");
  const { provider } = account;
  const windowMs = findRefundWindow(charge) ?? provider.refunds.windowMs;
  if (!charge.paidAt || Date.now() - charge.paidAt.getTime() > windowMs) throw tooLateRefusal(windowMs);
  const amountCents = request.amountCents ?? charge.leftCents;
  if (amountCents > charge.leftCents) throw refundRefusal("tooMuch");
  const isPartial = amountCents < charge.paidCents!;
  if (isPartial && !provider.refunds.partial) throw refundRefusal("onlyWhole");
  const newRefund = { sellerId, chargeId, amountCents, status: "pending", origin: "requested" } as const;
  const id = await openRefund(tx, newRefund, request.cause);
  await tx
    .update(charges)
    .set({ nextCheckAt: nextCheckTime(IN_A_MINUTE), requestedBy: requestId() ?? null })
    .where(ownById(charges, sellerId, chargeId));
  return {
    ...{ ...account, saleId: charge.sale.id, isPartial },
    refund: { id, sellerId, chargeId, status: "pending", amountCents },
    ...{ isAutomatic: false, retryAt: null },
  };
}
