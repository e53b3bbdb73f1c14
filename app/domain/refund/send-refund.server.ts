import { and, eq, or, type SQL, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { isSalePaymentSql, ownById, ownOfSale } from "#app/db/conditions.server.ts";
import { refundRequests } from "#app/db/schema/buyers.server.ts";
import { chargeEvents, charges, refunds } from "#app/db/schema/payments.server.ts";
import { Statement } from "#app/db/statement.server.ts";
import { IN_A_MINUTE, nextCheckTime } from "#app/domain/charge/check-times.server.ts";
import { type ClaimTime, isTooLate } from "#app/domain/charge/claim-time.ts";
import { lockCharge } from "#app/domain/charge/lock-charge.server.ts";
import { type MovedRefund, moveRefund } from "#app/domain/charge/move-refund.server.ts";
import { type ChargeKey, unsealKeys, withLearningKeys } from "#app/domain/gateway/charge-keys.server.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import { type Provider, ProviderError } from "#app/domain/gateway/providers/port.ts";
import { refundFailureText } from "#app/domain/refund/refund-texts.ts";
import { queueAcceptedMails } from "#app/domain/refund/request/queue-refund-progress-mails.server.ts";
import { UNSENT_REFUND } from "#app/domain/sale/events.ts";
import { queueBuyerPaymentMail } from "#app/domain/sale/mails/payment/queue-buyer-payment-mail.server.ts";
import { queueSellerOverpaymentMail } from "#app/domain/sale/mails/queue-seller-overpayment-mail.server.ts";
import { MINUTE } from "#app/kit/duration.ts";
import { pick } from "#app/kit/pick.ts";
import { log } from "#app/platform/log.server.ts";

/**
 * `accepted` by the provider; `pending`: its answer was lost, and a check will find out; `refused`: may be requested again;
 * `unconfirmed`: an earlier request's outcome is unknown, or the provider lists it as open, so nothing was requested; `done`: that earlier request had worked.
 */
export type RefundOutcome =
  | { status: "accepted" | "pending" | "done" }
  | { status: "refused"; reason: string }
  | { status: "unconfirmed"; reason: string; isOpen: boolean };

/**
 * A refund whose row is written and that nobody else sends. `isAutomatic`: its seller is notified by mail if it is refused, and
 * it waits until `retryAt` where the provider is busy; null: it is refused then. `claimedAt`: before its row was written.
 */
export type ClaimedRefund = {
  provider: Provider;
  keys: ChargeKey[];
  providerId: string;
  saleId: string;
  refund: MovedRefund;
  isPartial: boolean;
  isAutomatic: boolean;
  retryAt: SQL | null;
  claimedAt: ClaimTime;
};

/** The process was held up since the claim: what became of the refund is not known any more, so it is not sent. */
class HeldUp extends Error {}

/** The provider that a charge was paid at, its id there, and the keys that may refund it; null where one is missing by now. */
export function findRefundAccount(charge: {
  provider: string;
  providerId: string | null;
  sealedKeys: string[];
}): Pick<ClaimedRefund, "provider" | "providerId" | "keys"> | null {
  const provider = pick(providers, charge.provider);
  const keys = unsealKeys(charge.sealedKeys);
  const { providerId } = charge;
  return provider && providerId && keys.length > 0 ? { provider, providerId, keys } : null;
}

/**
 * Sends a refund to its provider and records the answer. After a lost answer the call is not repeated: a check finds out
 * what happened. One that was claimed too long ago is not sent: its seller may have recorded or repeated it since. It is refused
 * then; an automatic one is due again, unless it has ended.
 */
export async function sendRefund(claimed: ClaimedRefund): Promise<RefundOutcome> {
  const { provider, keys, providerId, refund, isPartial, isAutomatic, retryAt, claimedAt } = claimed;
  const { chargeId } = refund;
  try {
    const request = { reference: refund.id, amountCents: isPartial ? refund.amountCents : null };
    await withLearningKeys(
      { sellerId: refund.sellerId, provider: provider.name },
      keys,
      async (credentials) => {
        if (isTooLate(claimedAt)) throw new HeldUp();
        return provider.refund(credentials, providerId, request);
      },
      // Where questions about a payment are limited to one a minute, which checks use, the refusal alone has to say it.
      async (credentials, { message }) =>
        provider.minCheckIntervalMs < MINUTE
          ? (await provider.findTransaction(credentials, providerId)) !== null
          : !message.startsWith("404: "),
    );
    await recordAccepted(refund);
    log.info({ chargeId, providerId }, "refund accepted");
    return { status: "accepted" };
  } catch (error) {
    if (error instanceof HeldUp) {
      log.warn({ chargeId }, "refund not sent: its process was held up");
      if (isAutomatic) {
        await postpone(refund, sql`now()`);
        return { status: "pending" };
      }
      await recordRefused(claimed, "busy", UNSENT_REFUND.heldUp);
      return { status: "refused", reason: UNSENT_REFUND.heldUp };
    }
    if (!(error instanceof ProviderError)) throw error;
    log.warn({ chargeId, kind: error.kind, error: error.message }, "refund not accepted");
    if (error.kind === "no-answer" || error.kind === "nonsense") return { status: "pending" };
    if (error.kind === "busy" && retryAt) {
      await postpone(refund, retryAt);
      return { status: "pending" };
    }
    const detail = error.message.replace(/^\d+: /, "");
    await recordRefused(claimed, error.kind, detail);
    return { status: "refused", reason: refundFailureText(error.kind, detail) };
  }
}

/** It was not accepted, so it is sent again, unless the payment was refunded meanwhile. */
async function postpone({ id, sellerId }: MovedRefund, sendAt: SQL): Promise<void> {
  await db
    .update(refunds)
    .set({ sendAt })
    .where(and(ownById(refunds, sellerId, id), eq(refunds.status, "pending")));
}

/** The provider's confirmation may have come first; a refund that is done stays done. */
async function recordAccepted({ id, sellerId, chargeId, amountCents }: MovedRefund): Promise<void> {
  await db.transaction(async (tx) => {
    const statement = new Statement();
    const accepted = statement.add<"id">(
      "accepted",
      tx
        .update(refunds)
        .set({ acceptedAt: sql`now()` })
        .where(and(ownById(refunds, sellerId, id), eq(refunds.status, "pending")))
        .returning({ id: refunds.id, sellerId: refunds.sellerId }),
    );
    statement.add(
      "noted",
      sql`insert into ${chargeEvents} (charge_id, seller_id, kind, data, cause)
        select ${chargeId}::uuid, seller_id, 'refund_accepted', jsonb_build_object('refundId', id), 'provider' from ${accepted}`,
    );
    const events = await tx.execute(statement.selectFrom(accepted, sql`id`));
    if (events.length > 0) await notifyRequester(tx, { id, sellerId, chargeId, amountCents });
  });
}

/** Notifies a buyer who requested a refund that the provider accepted it, whoever started it. */
async function notifyRequester(
  tx: Tx,
  { id: refundId, sellerId, chargeId, amountCents }: Omit<MovedRefund, "status">,
): Promise<void> {
  const [request] = await tx
    .select({ id: refundRequests.id, saleId: refundRequests.saleId })
    .from(refundRequests)
    .innerJoin(charges, ownOfSale(charges, refundRequests.sellerId, refundRequests.saleId))
    .where(
      and(
        ownById(charges, sellerId, chargeId),
        isSalePaymentSql,
        or(eq(refundRequests.kind, "right"), eq(refundRequests.answer, "granted")),
      ),
    );
  if (request) await queueAcceptedMails(tx, request.saleId, { refundId, amountCents });
}

/** A refusal may mean that it was refunded before, so the charge is checked once more. */
async function recordRefused(
  { refund, saleId, isAutomatic }: ClaimedRefund,
  failureKind: ProviderError["kind"],
  detail: string,
): Promise<void> {
  const { sellerId, chargeId, amountCents } = refund;
  await db.transaction(async (tx) => {
    await lockCharge(tx, chargeId, sellerId);
    if (!(await moveRefund(tx, refund, { to: "refused", why: failureKind, detail }, "provider"))) return;
    const failure = refundFailureText(failureKind, detail);
    if (isAutomatic) await tellOfFailure(tx, { saleId, chargeId, amountCents, failure });
    const nextCheckAt = failureKind === "refused" ? IN_A_MINUTE : null;
    await tx
      .update(charges)
      .set({ nextCheckAt: nextCheckTime(nextCheckAt) })
      .where(ownById(charges, sellerId, chargeId));
  });
}

/** Mails seller and buyer that an automatic refund was not made: its seller has to refund `amountCents`. */
export async function tellOfFailure(
  tx: Tx,
  {
    saleId,
    chargeId,
    amountCents,
    failure,
  }: { saleId: string; chargeId: string; amountCents: number; failure: string },
): Promise<void> {
  const refund = { state: "refused", failure } as const;
  await queueSellerOverpaymentMail(tx, saleId, `${chargeId}/refused`, { amountCents, refund });
  const at = new Date().toISOString();
  await queueBuyerPaymentMail(tx, saleId, `refund-failed/${chargeId}`, {
    what: "refund-failed",
    amountCents,
    at,
  });
}
