import { and, asc, eq, lte, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { hasPendingRefund, isSalePaymentSql, ofSale } from "#app/db/conditions.server.ts";
import { refundRequests } from "#app/db/schema/buyers.server.ts";
import type { RefundStatus } from "#app/db/schema/lists.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { checkUnconfirmedRefunds } from "#app/domain/refund/check-unconfirmed-refunds.server.ts";
import { manualRefundReason } from "#app/domain/refund/manual-refund-reason.server.ts";
import { refundCharge } from "#app/domain/refund/refund-charge.server.ts";
import { REFUND_REFUSALS, type RefundRefusalCode } from "#app/domain/refund/refund-texts.ts";
import {
  queueDelayedMails,
  queueManualMails,
  queueUnconfirmedMails,
} from "#app/domain/refund/request/queue-refund-progress-mails.server.ts";
import type { RefundOutcome } from "#app/domain/refund/send-refund.server.ts";
import { truncate } from "#app/kit/clean-text.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#app/kit/duration.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { log } from "#app/platform/log.server.ts";
import { defineJob } from "#app/queue/job.server.ts";

/** Pauses between attempts; the last one repeats. */
const RETRY_DELAYS = [5 * MINUTE, HOUR, 6 * HOUR, DAY];
/** After this many attempts, and once the last one was answered, only the seller can resolve it. */
const MAX_ATTEMPTS = 33;
const BATCH_SIZE = 50;
/** Why a refund whose attempts were never refused is left to its seller. */
const GIVEN_UP =
  "O provedor não devolveu este pagamento: faça a devolução pelo banco e marque a venda como reembolsada.";

/** Every few minutes: requests refunds from the provider again that buyers are entitled to and that failed. */
export const attemptRefunds = defineJob<Record<string, never>>("try-refunds", async () => {
  const scheduled = await db
    .select({ id: refundRequests.id })
    .from(refundRequests)
    .where(lte(refundRequests.nextAttemptAt, sql`now()`))
    .orderBy(asc(refundRequests.nextAttemptAt))
    .limit(BATCH_SIZE);
  for (const { id } of scheduled)
    await attemptRefund(id).catch((error: unknown) => log.error({ err: error, id }, "refund attempt failed"));
});

/**
 * Requests the refund a buyer is entitled to from the provider, unless one is pending or done; concurrent calls request it
 * once. If it is refused, buyer and seller are notified once, and it is attempted again.
 */
export async function attemptRefund(requestId: string): Promise<void> {
  const found = await beginAttempt(requestId);
  if (!found) return;
  // The bank decides first; if it rejects the dispute, the buyer is still entitled to the refund.
  if (found.status === "disputed") return postpone(requestId);
  if (found.status !== "completed") return stopAttempts(requestId);
  const isGivenUp = found.attempts > MAX_ATTEMPTS;
  const failure = found.failure === REFUND_REFUSALS.stillOpen ? null : found.failure;
  const manualReason = manualRefundReason(found.charge) ?? (isGivenUp ? (failure ?? GIVEN_UP) : null);
  if (manualReason) {
    // An earlier attempt is not decided: the provider may still refund it.
    const { charge, lastRefund } = found;
    const isUndecided =
      found.isPending ||
      (charge && lastRefund === "unconfirmed" && (await isStillOpen(found.sellerId, charge.id)));
    if (isUndecided) return postpone(requestId);
    return assignToSeller(requestId, manualReason);
  }
  if (found.lastRefund === "unconfirmed")
    await db.transaction((tx) => queueUnconfirmedMails(tx, found.saleId, requestId));
  const outcome = await refundPayment(found.sellerId, found.charge!.id);
  if (outcome.status !== "refused" && outcome.status !== "unconfirmed") return;
  const isOpen = outcome.status === "unconfirmed" && outcome.isOpen;
  if (found.attempts === MAX_ATTEMPTS && !isOpen) await assignToSeller(requestId, outcome.reason);
  else await recordFailure(requestId, outcome.reason);
}

/** Schedules the next attempt before this one, in case this process dies. @returns the request */
async function beginAttempt(requestId: string) {
  const delays = sql.join(
    RETRY_DELAYS.map((delay) => sql`${delay / MINUTE}::int`),
    sql`, `,
  );
  const [claimed] = await db
    .update(refundRequests)
    .set({
      attempts: sql`${refundRequests.attempts} + 1`,
      nextAttemptAt: sql`now() + make_interval(mins =>
        (array[${delays}])[least(${refundRequests.attempts} + 1, ${RETRY_DELAYS.length})])`,
    })
    .where(and(eq(refundRequests.id, requestId), sql`${refundRequests.nextAttemptAt} is not null`))
    .returning({
      saleId: refundRequests.saleId,
      attempts: refundRequests.attempts,
      failure: refundRequests.failure,
    });
  if (!claimed) return null;
  const [found] = await db
    .select({
      sellerId: sales.sellerId,
      saleId: sales.id,
      status: sales.status,
      // What its seller found not to have happened is none.
      lastRefund: sql<RefundStatus | null>`(select case when r.dismissed_at is null then r.status end from refunds r where r.seller_id = ${charges.sellerId} and r.charge_id = ${charges.id}
        order by r.requested_at desc, r.id desc limit 1)`,
      isPending: hasPendingRefund(sql`${charges}`),
      charge: {
        id: charges.id,
        provider: charges.provider,
        method: charges.method,
        paidAt: charges.paidAt,
      },
    })
    .from(sales)
    .leftJoin(charges, and(ofSale(charges), isSalePaymentSql))
    .where(eq(sales.id, claimed.saleId));
  return found ? { ...found, attempts: claimed.attempts, failure: claimed.failure } : null;
}

/** Refusals of a refund that is pending or was done meanwhile. */
const SETTLED_CODES: (string | undefined)[] = [
  "pending",
  "done",
  "notCompleted",
  "disputed",
] satisfies RefundRefusalCode[];

async function refundPayment(sellerId: string, chargeId: string): Promise<RefundOutcome> {
  try {
    return await refundCharge(sellerId, chargeId, null, { cause: "buyer" });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (SETTLED_CODES.includes(error.code)) return { status: "pending" };
    return { status: "refused", reason: error.message };
  }
}

/** Whether the provider lists a refund that was never confirmed as open, or has made it by now. */
async function isStillOpen(sellerId: string, chargeId: string): Promise<boolean> {
  const checked = await checkUnconfirmedRefunds(sellerId, chargeId);
  if (Array.isArray(checked)) return false;
  return checked.status === "done" || (checked.status === "unconfirmed" && checked.isOpen);
}

/** Postpones it by a day, without counting the attempt. */
async function postpone(requestId: string): Promise<void> {
  await db
    .update(refundRequests)
    .set({
      nextAttemptAt: sql`now() + make_interval(secs => ${DAY / SECOND})`,
      attempts: sql`${refundRequests.attempts} - 1`,
    })
    .where(eq(refundRequests.id, requestId));
}

async function stopAttempts(requestId: string): Promise<void> {
  await db.update(refundRequests).set({ nextAttemptAt: null }).where(eq(refundRequests.id, requestId));
}

/** The provider refunds it no more: the seller has to, and no more attempts are made. */
function assignToSeller(requestId: string, reason: string): Promise<void> {
  return recordFailure(requestId, reason, { isLast: true });
}

/** `isLast` ends the attempts with the mails that say so: an attempt after them would refund a second time. */
async function recordFailure(requestId: string, reason: string, { isLast = false } = {}): Promise<void> {
  log.warn({ refundRequestId: requestId, why: reason }, "refund requested by a buyer failed");
  await db.transaction(async (tx) => {
    const [failed] = await tx
      .update(refundRequests)
      .set({
        failure: truncate(reason, 500),
        failedAt: sql`now()`,
        ...(isLast ? { nextAttemptAt: null } : {}),
      })
      .where(eq(refundRequests.id, requestId))
      .returning({ id: refundRequests.id, saleId: refundRequests.saleId });
    const queueMails = isLast ? queueManualMails : queueDelayedMails;
    if (failed) await queueMails(tx, failed.saleId, failed.id);
  });
}
