import { and, asc, lte, type SQL, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { ownById } from "#app/db/conditions.server.ts";
import { charges, refunds } from "#app/db/schema/payments.server.ts";
import { IN_A_MINUTE, nextCheckTime } from "#app/domain/charge/check-times.server.ts";
import { readClaimTime } from "#app/domain/charge/claim-time.ts";
import { moveRefund } from "#app/domain/charge/move-refund.server.ts";
import {
  type ClaimedRefund,
  findRefundAccount,
  sendRefund,
  tellOfFailure,
} from "#app/domain/refund/send-refund.server.ts";
import { UNSENT_REFUND } from "#app/domain/sale/events.ts";
import { findPaidCharge } from "#app/domain/settlement/find-paid-charge.server.ts";
import { HOUR, MINUTE, SECOND } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";
import { counter } from "#app/platform/metrics.server.ts";
import { defineJob } from "#app/queue/job.server.ts";
import { SEND_REFUNDS } from "#app/queue/names.ts";
import { FIRST_CURSOR, readRows } from "#app/queue/read-batches.server.ts";

/** At the same time, so that a provider that does not answer delays few others. */
const REFUNDS_AT_ONCE = 5;
const BATCH_SIZE = 50;
/**
 * Pauses while a provider is busy: from a minute on, each a fifth longer, which makes about thirty attempts in a day; after the
 * longest one the refund is an action item of the seller. They do not depend on the payment's age: the first attempt may be late.
 */
const PAUSE_GROWTH = 1.2;
const MAX_PAUSE = 4 * HOUR;

const outcomes = counter(
  "automatic_refunds_total",
  "Refunds of overpayments that were sent without anybody requesting them, by outcome; pending: the answer was lost, or the provider is busy.",
  ["provider", "outcome"],
);

type DueRefund = { id: string; sellerId: string; chargeId: string };

/**
 * Sends automatic refunds to their providers: queued by the settlement, and every minute. Each is claimed before the
 * provider is called and not sent again after a lost answer, so that concurrent runs send it once.
 */
export const sendAutomaticRefunds = defineJob<Record<string, never>>(
  SEND_REFUNDS.name,
  async () => {
    // Shared by all.
    const due = listDue();
    const sendNext = async (): Promise<void> => {
      for await (const refund of due) {
        const { id, chargeId } = refund;
        await send(refund).catch((error: unknown) =>
          log.error({ err: error, refundId: id, chargeId }, "automatic refund not sent"),
        );
      }
    };
    await Promise.all(Array.from({ length: REFUNDS_AT_ONCE }, sendNext));
  },
  SEND_REFUNDS,
);

/** From old to new, until the process stops: one that is cut off has lost its answer. */
function listDue(): AsyncGenerator<DueRefund> {
  return readRows(FIRST_CURSOR, BATCH_SIZE, async ({ at, id }) => {
    const isNext = sql`(${refunds.sendAt}, ${refunds.id}) > (${at}::text::timestamptz, ${id}::uuid)`;
    return db
      .select({
        ...{ id: refunds.id, sellerId: refunds.sellerId, chargeId: refunds.chargeId },
        at: sql<string>`${refunds.sendAt}::text`,
      })
      .from(refunds)
      .where(and(lte(refunds.sendAt, sql`now()`), isNext))
      .orderBy(asc(refunds.sendAt), asc(refunds.id))
      .limit(BATCH_SIZE);
  });
}

async function send(refund: DueRefund): Promise<void> {
  const claimedAt = readClaimTime();
  const claimed = await claim(refund);
  if (!claimed) return;
  const { status } = await sendRefund({ ...claimed, claimedAt });
  outcomes.inc({ provider: claimed.provider.name, outcome: status });
}

/** Null where it is sent by somebody else, has ended meanwhile, or cannot be sent: it is refused then. */
async function claim({
  id,
  sellerId,
  chargeId,
}: DueRefund): Promise<Omit<ClaimedRefund, "claimedAt"> | null> {
  return db.transaction(async (tx) => {
    const charge = await findPaidCharge(tx, sellerId, chargeId);
    if (charge.isExtraDisputed) {
      // It waits for the bank, which may return the money itself.
      await tx
        .update(refunds)
        .set({ sendAt: sql`now() + interval '1 hour'`, requestedAt: sql`now()` })
        .where(and(ownById(refunds, sellerId, id), lte(refunds.sendAt, sql`now()`)));
      return null;
    }
    const [claimed] = await tx
      .update(refunds)
      .set({ sendAt: null, requestedAt: sql`now()` })
      .where(and(ownById(refunds, sellerId, id), lte(refunds.sendAt, sql`now()`)))
      .returning({ amountCents: refunds.amountCents });
    if (!claimed) return null;
    const { amountCents } = claimed;
    const refund = { id, sellerId, chargeId, status: "pending", amountCents } as const;
    const saleId = charge.sale.id;
    const { leftCents } = charge;
    // Not every provider refunds what is left of a payment.
    if (leftCents < amountCents) {
      await moveRefund(
        tx,
        refund,
        { to: "refused", why: "refused", detail: UNSENT_REFUND.returned },
        "system",
      );
      const told = { saleId, chargeId, amountCents: leftCents, failure: UNSENT_REFUND.returned };
      if (leftCents > 0) await tellOfFailure(tx, told);
      return null;
    }
    const account = findRefundAccount(charge);
    if (!account) {
      const failure = UNSENT_REFUND.noGateway;
      await moveRefund(tx, refund, { to: "refused", why: "credentials", detail: failure }, "system");
      await tellOfFailure(tx, { saleId, chargeId, amountCents, failure });
      return null;
    }
    await tx
      .update(charges)
      .set({ nextCheckAt: nextCheckTime(IN_A_MINUTE) })
      .where(ownById(charges, sellerId, chargeId));
    return {
      ...{ ...account, saleId, refund },
      isPartial: amountCents < charge.paidCents!,
      isAutomatic: true,
      retryAt: findRetryTime(charge.lastRefund!),
    };
  });
}

/** Of a pending refund as it was before this attempt: `requestedAt` is its opening, or the attempt before. Null after the longest pause. */
function findRetryTime({ requestedAt, sendAt }: { requestedAt: Date; sendAt: Date | null }): SQL | null {
  const lastPause = sendAt ? sendAt.getTime() - requestedAt.getTime() : 0;
  const pause = Math.max(lastPause * PAUSE_GROWTH, MINUTE);
  return pause > MAX_PAUSE ? null : sql`now() + make_interval(secs => ${pause / SECOND})`;
}
