import { and, asc, lt, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { charges, refunds } from "#app/db/schema/payments.server.ts";
import { moveCharge } from "#app/domain/charge/move-charge.server.ts";
import { REFUND_WAIT } from "#app/domain/settlement/book-reversal.server.ts";
import { endUnconfirmedRefund } from "#app/domain/settlement/end-unconfirmed-refund.server.ts";
import { MINUTE } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";
import { defineJob } from "#app/queue/job.server.ts";

/** A charge whose creation was never answered is given up after this. */
const NO_ANSWER_AFTER = 2 * MINUTE;
const AT_ONCE = 500;

/** Every minute: gives up what the provider never answered or confirmed, and looks for news that nobody asked about. */
export const sweepCharges = defineJob<Record<string, never>>("sweep-charges", async () => {
  const now = new Date();
  await giveUpUnanswered(new Date(now.getTime() - NO_ANSWER_AFTER));
  await lookAtUnasked();
  await endRefunds(new Date(now.getTime() - REFUND_WAIT));
});

async function giveUpUnanswered(madeBefore: Date): Promise<void> {
  const silent = await db
    .select({ id: charges.id, status: charges.status, saleId: charges.saleId })
    .from(charges)
    .where(and(sql`${charges.status} = 'creating'`, lt(charges.createdAt, madeBefore)))
    .limit(AT_ONCE);
  for (const charge of silent) {
    const given = { to: "failed", why: "no-answer", detail: "" } as const;
    if (!(await moveCharge(db, charge, given, "clock"))) continue;
    log.warn({ chargeId: charge.id }, "charge given up: the provider never answered");
  }
}

/**
 * Taking news makes a look at the charge due. Here are those that were left without: their process died while somebody
 * else held the charge, or the provider did not answer the last question about a payment that may have gone back.
 */
async function lookAtUnasked(): Promise<void> {
  const unasked = sql`
    select c.id from payment_webhooks w inner join charges c on c.id = w.charge_id
    where w.handled_at is null and w.state <> 'open' and (w.state <> 'paid' or c.status not in ('paid', 'mispaid'))
      and w.received_at between now() - interval '3 days' and now() - interval '1 minute'
      and (c.next_check_at is null or c.next_check_at > now() + interval '2 minutes')
      and (c.last_checked_at is null or c.last_checked_at < w.received_at
        or (c.next_check_at is null and c.last_checked_at < now() - interval '15 minutes'))
    limit ${AT_ONCE} for no key update of c skip locked`;
  const found = await db
    .update(charges)
    .set({ nextCheckAt: sql`now()` })
    .where(sql`${charges.id} = any(array(${unasked}))`)
    .returning({ id: charges.id });
  if (found.length > 0) log.warn({ charges: found.length }, "news that nobody had asked about");
}

/** Also those that could not even be asked about: a provider that is away, a key that is no longer good. */
async function endRefunds(requestedBefore: Date): Promise<void> {
  const overdue = await db
    .select({ chargeId: refunds.chargeId })
    .from(refunds)
    .where(and(sql`${refunds.status} = 'pending'`, lt(refunds.requestedAt, requestedBefore)))
    .orderBy(asc(refunds.requestedAt))
    .limit(AT_ONCE);
  for (const { chargeId } of overdue) await endUnconfirmedRefund(chargeId, requestedBefore);
}
