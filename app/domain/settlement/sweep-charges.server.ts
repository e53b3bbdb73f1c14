import { and, asc, lt, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { charges, refunds } from "#app/db/schema/payments.server.ts";
import { moveCharge } from "#app/domain/charge/move-charge.server.ts";
import { REFUND_WAIT } from "#app/domain/settlement/book-reversal.server.ts";
import { endUnconfirmedRefund } from "#app/domain/settlement/end-pending-refund.server.ts";
import { MINUTE } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";
import { defineJob } from "#app/queue/job.server.ts";

/** A charge whose creation was not answered within this fails. */
const ANSWER_TIMEOUT = 2 * MINUTE;
const BATCH_SIZE = 500;

/** Every minute: ends what the provider never answered or confirmed, and schedules checks for unhandled webhooks. */
export const sweepCharges = defineJob<Record<string, never>>("sweep-charges", async () => {
  const now = new Date();
  await failUnanswered(new Date(now.getTime() - ANSWER_TIMEOUT));
  await scheduleMissedChecks();
  await endOverdueRefunds(new Date(now.getTime() - REFUND_WAIT));
});

async function failUnanswered(createdBefore: Date): Promise<void> {
  const unanswered = await db
    .select({ id: charges.id, status: charges.status, saleId: charges.saleId })
    .from(charges)
    .where(and(sql`${charges.status} = 'creating'`, lt(charges.createdAt, createdBefore)))
    .limit(BATCH_SIZE);
  for (const charge of unanswered) {
    const move = { to: "failed", why: "no-answer", detail: "" } as const;
    if (!(await moveCharge(db, charge, move, "clock"))) continue;
    log.warn({ chargeId: charge.id }, "charge failed: the provider never answered");
  }
}

/**
 * A webhook schedules a check. This finds those without one: their process died while the charge was locked elsewhere, or
 * the provider did not answer the last check of a payment that may have been refunded.
 */
async function scheduleMissedChecks(): Promise<void> {
  const missed = sql`
    select c.id from payment_webhooks w inner join charges c on c.id = w.charge_id
    where w.handled_at is null and w.state <> 'open' and (w.state <> 'paid' or c.status not in ('paid', 'mispaid'))
      and w.received_at between now() - interval '3 days' and now() - interval '1 minute'
      and (c.next_check_at is null or c.next_check_at > now() + interval '2 minutes')
      and (c.last_checked_at is null or c.last_checked_at < w.received_at
        or (c.next_check_at is null and c.last_checked_at < now() - interval '15 minutes'))
    limit ${BATCH_SIZE} for no key update of c skip locked`;
  const found = await db
    .update(charges)
    .set({ nextCheckAt: sql`now()` })
    .where(sql`${charges.id} = any(array(${missed}))`)
    .returning({ id: charges.id });
  if (found.length > 0) log.warn({ charges: found.length }, "scheduled missed checks of unhandled webhooks");
}

/** Includes refunds that could not be checked: the provider is down, or its key is no longer accepted. */
async function endOverdueRefunds(requestedBefore: Date): Promise<void> {
  const overdue = await db
    .select({ chargeId: refunds.chargeId })
    .from(refunds)
    .where(and(sql`${refunds.status} = 'pending'`, lt(refunds.requestedAt, requestedBefore)))
    .orderBy(asc(refunds.requestedAt))
    .limit(BATCH_SIZE);
  for (const { chargeId } of overdue) await endUnconfirmedRefund(chargeId, requestedBefore);
}
