import { and, asc, eq, lt, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { ago } from "#app/db/conditions.server.ts";
import type { ChargeStatus } from "#app/db/schema/lists.ts";
import { charges, refunds } from "#app/db/schema/payments.server.ts";
import { MAX_ANNOUNCED_AGE } from "#app/domain/charge/check-times.server.ts";
import { expireCharge, isOverdueUnchecked } from "#app/domain/charge/end-charge.server.ts";
import { lockFreeChargeAndSale } from "#app/domain/charge/lock-charge.server.ts";
import { moveCharge } from "#app/domain/charge/move-charge.server.ts";
import { tellOfDecline } from "#app/domain/settlement/book-card-answer.server.ts";
import { REFUND_WAIT } from "#app/domain/settlement/book-reversal.server.ts";
import { endUnconfirmedRefund } from "#app/domain/settlement/end-pending-refund.server.ts";
import { MINUTE, SECOND } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";
import { defineJob } from "#app/queue/job.server.ts";
import { runEach } from "#app/queue/run-each.server.ts";

/** A charge whose creation was not answered within this fails, or is `unknown` where it is a card, which may have been charged. */
const ANSWER_TIMEOUT = 2 * MINUTE;
const BATCH_SIZE = 500;
const NEVER_ANSWERED = { to: "failed", why: "no-answer", detail: "" } as const;
/** How long a provider may take until its search finds a new payment. */
const SEARCH_DELAY = sql`interval '15 minutes'`;

/** Up to which age a provider's search finds a payment for certain: that it does not find an older one says nothing. */
const SEARCHED = sql`interval '30 days'`;

/** Pauses grow with the webhook's age, since a provider or a key that fails for days is likely to fail for longer. */
const RECHECK_DELAY = sql`greatest(interval '15 minutes', least((now() - w.received_at) / 4, interval '6 hours'))`;

/** Every minute: ends what the provider never answered, confirmed or ended, and schedules checks for unhandled webhooks. */
export const sweepCharges = defineJob<Record<string, never>>("sweep-charges", async () => {
  const steps = [scheduleMissedChecks, failUnanswered, failUnknownCards, expireUnchecked, endOverdueRefunds];
  await runEach(steps, (step) => step(), "charges not swept");
});

/** Those that another session holds wait for the next run. */
async function failUnanswered(): Promise<void> {
  const unanswered = await db
    .select({
      ...{ id: charges.id, sellerId: charges.sellerId, status: charges.status },
      ...{ method: charges.method, saleId: charges.saleId },
    })
    .from(charges)
    .where(and(sql`${charges.status} = 'creating'`, lt(charges.createdAt, ago(ANSWER_TIMEOUT))))
    .limit(BATCH_SIZE);
  const failOne = async (charge: (typeof unanswered)[number]) => {
    const move = charge.method === "card" ? ({ to: "unknown", detail: "" } as const) : NEVER_ANSWERED;
    const isMoved = await db.transaction(
      async (tx) =>
        (await lockFreeChargeAndSale(tx, charge.id, charge.sellerId)) &&
        moveCharge(tx, charge, move, "clock"),
    );
    if (isMoved)
      log.warn({ chargeId: charge.id, became: move.to }, "charge not created: the provider never answered");
  };
  await runEach(unanswered, failOne, "unanswered charges not failed");
}

/**
 * Fails card payments whose answer was lost and that their provider, asked after a time in which a new one is found, does not
 * know. If one is paid after all, its webhook still books it.
 */
async function failUnknownCards(): Promise<void> {
  const isDenied = sql`exists (select from charge_events e where e.seller_id = ${charges.sellerId} and e.charge_id = ${charges.id}
    and e.kind = 'asked' and e.data ->> 'state' = 'unknown' and e.at between ${charges.createdAt} + ${SEARCH_DELAY} and ${charges.createdAt} + ${SEARCHED})
    and not exists (select from payment_webhooks w where w.seller_id = ${charges.sellerId} and w.charge_id = ${charges.id}
      and w.handled_at is null and w.state = 'paid')`;
  const denied = await db
    .select({
      ...{ id: charges.id, sellerId: charges.sellerId, status: charges.status },
      amountCents: charges.amountCents,
      sale: { id: charges.saleId, sellerId: charges.sellerId },
    })
    .from(charges)
    .where(and(eq(charges.status, "unknown"), isDenied))
    .limit(BATCH_SIZE);
  const endOne = async (charge: (typeof denied)[number]) => {
    if (await endUnknownCard(charge))
      log.warn({ chargeId: charge.id }, "card not charged: the provider does not know the payment");
  };
  await runEach(denied, endOne, "unknown cards not failed");
}

/** Its buyer was asked to wait: they learn that nothing was charged. @returns whether it was still unknown */
async function endUnknownCard({
  sale,
  amountCents,
  ...charge
}: {
  id: string;
  sellerId: string;
  status: ChargeStatus;
  amountCents: number;
  sale: { id: string; sellerId: string };
}): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (!(await moveCharge(tx, charge, NEVER_ANSWERED, "clock"))) return false;
    await tellOfDecline(tx, sale, { id: charge.id, amountCents });
    return true;
  });
}

/**
 * A webhook schedules a check. This finds those without one: their process died while the charge was locked elsewhere, or
 * the provider did not answer the last check of a payment that may have been refunded or corrected.
 */
async function scheduleMissedChecks(): Promise<void> {
  const missed = sql`
    select c.id from payment_webhooks w inner join charges c on c.seller_id = w.seller_id and c.id = w.charge_id
    where w.handled_at is null and w.state <> 'open' and (w.state <> 'paid' or c.status <> 'paid')
      and w.received_at between now() - make_interval(secs => ${MAX_ANNOUNCED_AGE / SECOND}) and now() - interval '1 minute'
      and (c.next_check_at is null or c.next_check_at > now() + interval '2 minutes')
      and (c.last_checked_at is null or c.last_checked_at < w.received_at
        or (c.next_check_at is null and c.last_checked_at < now() - ${RECHECK_DELAY}))
    limit ${BATCH_SIZE} for no key update of c skip locked`;
  const found = await db
    .update(charges)
    .set({ nextCheckAt: sql`now()` })
    .where(sql`${charges.id} = any(array(${missed}))`)
    .returning({ id: charges.id });
  if (found.length > 0) log.warn({ charges: found.length }, "scheduled missed checks of unhandled webhooks");
}

/**
 * Ends codes that are checked no more and whose end nobody reported: their key was refused, or their provider does not know them. One
 * that its provider still calls unpaid ends with that check.
 */
async function expireUnchecked(): Promise<void> {
  const unchecked = await db
    .select({ id: charges.id, sellerId: charges.sellerId })
    .from(charges)
    .where(isOverdueUnchecked)
    .orderBy(asc(charges.expiresAt))
    .limit(BATCH_SIZE);
  const expireOne = async (charge: (typeof unchecked)[number]) => {
    // Nobody called it unpaid: its coupon and places are free again, and no destination is told of an end.
    if (await expireCharge(charge, isOverdueUnchecked, { to: "expired", isSilent: true }))
      log.info({ chargeId: charge.id }, "code expired by the clock: it is checked no more");
  };
  await runEach(unchecked, expireOne, "unchecked codes not expired");
}

/** Includes refunds that could not be checked: the provider is down, or its key is no longer accepted. */
async function endOverdueRefunds(): Promise<void> {
  const requestedBefore = ago(REFUND_WAIT);
  const overdue = await db
    .select({ chargeId: refunds.chargeId })
    .from(refunds)
    .where(and(sql`${refunds.status} = 'pending'`, lt(refunds.requestedAt, requestedBefore)))
    .orderBy(asc(refunds.requestedAt))
    .limit(BATCH_SIZE);
  const endOne = ({ chargeId }: { chargeId: string }) => endUnconfirmedRefund(chargeId, requestedBefore);
  await runEach(overdue, endOne, "overdue refunds not ended");
}
