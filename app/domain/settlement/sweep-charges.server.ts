import { and, asc, inArray, lt, lte, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { charges, refunds } from "#app/db/schema/payments.server.ts";
import { moveCharge } from "#app/domain/charge/move-charge.server.ts";
import { REFUND_WAIT } from "#app/domain/settlement/book-reversal.server.ts";
import { endUnconfirmedRefund } from "#app/domain/settlement/end-unconfirmed-refund.server.ts";
import { MINUTE } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";
import { defineJob, enqueue } from "#app/queue/job.server.ts";
import { CHECK_CHARGE } from "#app/queue/names.ts";

/** A charge whose creation was never answered is given up after this. */
const NO_ANSWER_AFTER = 2 * MINUTE;
const AT_ONCE = 500;
/** Asking sets the next time itself; a charge that cannot be asked goes to the end of the line, not to its head for ever. */
const IF_NOT_ASKED = 15 * MINUTE;

/** Every minute: asks about charges whose webhook may never come, and gives up what the provider never answered or confirmed. */
export const sweepCharges = defineJob<Record<string, never>>("sweep-charges", async () => {
  const now = new Date();
  await giveUpUnanswered(new Date(now.getTime() - NO_ANSWER_AFTER));
  const due = await db.transaction(async (tx) => {
    const first = tx
      .select({ id: charges.id })
      .from(charges)
      .where(lte(charges.nextCheckAt, now))
      .orderBy(charges.nextCheckAt)
      .limit(AT_ONCE)
      .for("update", { skipLocked: true });
    const rows = await tx
      .update(charges)
      .set({ nextCheckAt: new Date(now.getTime() + IF_NOT_ASKED) })
      .where(inArray(charges.id, first))
      .returning({ id: charges.id });
    for (const { id } of rows) await enqueue(tx, CHECK_CHARGE, { chargeId: id }, { key: id });
    return rows;
  });
  await endRefunds(new Date(now.getTime() - REFUND_WAIT));
  if (due.length === 0) return;
  log.info({ charges: due.length }, "swept");
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
