import { and, asc, eq, isNull, lte, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { refundRequests } from "#app/db/schema/buyers.server.ts";
import type { RefundStatus } from "#app/db/schema/lists.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import {
  queueByHand,
  queueDelayed,
  queueUnconfirmed,
} from "#app/domain/refund/asked/queue-refund-news.server.ts";
import { whyByHand } from "#app/domain/refund/gives-back.server.ts";
import type { RefundNo } from "#app/domain/refund/refund-words.ts";
import { type RefundRequest, requestRefund } from "#app/domain/refund/request-refund.server.ts";
import { cut } from "#app/kit/clean-text.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#app/kit/duration.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { log } from "#app/platform/log.server.ts";
import { defineJob } from "#app/queue/job.server.ts";

/** Pauses between tries; the last one goes on. */
const PAUSES = [5 * MINUTE, HOUR, 6 * HOUR, DAY];
/** After as many the seller alone can bring it to an end. */
const MOST_TRIES = 33;
const AT_ONCE = 50;

/** Every few minutes: asks the provider once more for the money that buyers are to have back and that did not leave. */
export const tryRefunds = defineJob<Record<string, never>>("try-refunds", async () => {
  const due = await db
    .select({ id: refundRequests.id })
    .from(refundRequests)
    .where(lte(refundRequests.nextTryAt, sql`now()`))
    .orderBy(asc(refundRequests.nextTryAt))
    .limit(AT_ONCE);
  for (const { id } of due)
    await tryRefund(id).catch((error: unknown) => log.error({ err: error, id }, "refund not tried"));
});

/**
 * Has the provider give back what a buyer is to have, unless that is under way or done; any number at once ask it once.
 * What it refuses is told to buyer and seller, once, and tried again.
 */
export async function tryRefund(requestId: string): Promise<void> {
  const found = await takeTurn(requestId);
  if (!found) return;
  // The bank decides now; where it rejects the dispute, the buyer is to have their money all the same.
  if (found.status === "disputed") return wait(requestId);
  if (found.status !== "completed") return end(requestId);
  const byHand = whyByHand(found.charge);
  if (byHand) return leaveToHand(requestId, byHand);
  if (found.lastRefund === "unconfirmed")
    await db.transaction((tx) => queueUnconfirmed(tx, found.saleId, requestId));
  const asked = await ask(found.sellerId, found.charge!.id);
  if (asked.status === "refused" || asked.status === "unconfirmed")
    await noteFailure(requestId, asked.why, found.isLast ? queueByHand : queueDelayed);
}

/** The request, once its next try is put off: it follows by itself where this process dies. */
async function takeTurn(requestId: string) {
  const pauses = sql.join(
    PAUSES.map((pause) => sql`${pause / MINUTE}::int`),
    sql`, `,
  );
  const [taken] = await db
    .update(refundRequests)
    .set({
      tries: sql`${refundRequests.tries} + 1`,
      nextTryAt: sql`case when ${refundRequests.tries} + 1 < ${MOST_TRIES} then now() + make_interval(mins =>
        (array[${pauses}])[least(${refundRequests.tries} + 1, ${PAUSES.length})]) end`,
    })
    .where(and(eq(refundRequests.id, requestId), sql`${refundRequests.nextTryAt} is not null`))
    .returning({ saleId: refundRequests.saleId, nextTryAt: refundRequests.nextTryAt });
  if (!taken) return null;
  const [found] = await db
    .select({
      sellerId: sales.sellerId,
      saleId: sales.id,
      status: sales.status,
      lastRefund: sql<RefundStatus | null>`(select r.status from refunds r where r.charge_id = ${charges.id}
        order by r.requested_at desc, r.id desc limit 1)`,
      charge: { id: charges.id, provider: charges.provider, paidAt: charges.paidAt },
    })
    .from(sales)
    .leftJoin(
      charges,
      and(eq(charges.saleId, sales.id), eq(charges.status, "paid"), isNull(charges.surplusAt)),
    )
    .where(eq(sales.id, taken.saleId));
  return found ? { ...found, isLast: taken.nextTryAt === null } : null;
}

/** Under way, or back since we looked. */
const NOTHING_TO_TELL: (string | undefined)[] = [
  "pending",
  "done",
  "notCompleted",
  "disputed",
] satisfies RefundNo[];

async function ask(sellerId: string, chargeId: string): Promise<RefundRequest> {
  try {
    return await requestRefund(sellerId, chargeId, null, "buyer");
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (NOTHING_TO_TELL.includes(error.code)) return { status: "pending" };
    return { status: "refused", why: error.message };
  }
}

/** A day later, and not for the last time. */
async function wait(requestId: string): Promise<void> {
  await db
    .update(refundRequests)
    .set({
      nextTryAt: sql`now() + make_interval(secs => ${DAY / SECOND})`,
      tries: sql`${refundRequests.tries} - 1`,
    })
    .where(eq(refundRequests.id, requestId));
}

async function end(requestId: string): Promise<void> {
  await db.update(refundRequests).set({ nextTryAt: null }).where(eq(refundRequests.id, requestId));
}

/** The provider gives it back no more: its seller does, and nothing is tried again. */
async function leaveToHand(requestId: string, why: string): Promise<void> {
  await noteFailure(requestId, why, queueByHand);
  await end(requestId);
}

async function noteFailure(requestId: string, why: string, tell: typeof queueDelayed): Promise<void> {
  log.warn({ requestId, why }, "money asked for by a buyer did not leave");
  await db.transaction(async (tx) => {
    const [noted] = await tx
      .update(refundRequests)
      .set({ failure: cut(why, 500), failedAt: sql`now()` })
      .where(eq(refundRequests.id, requestId))
      .returning({ id: refundRequests.id, saleId: refundRequests.saleId });
    if (noted) await tell(tx, noted.saleId, noted.id);
  });
}
