import { eq } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { notify } from "#app/db/notify.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import type { ProviderTransaction } from "#app/domain/payments/providers/port.ts";
import { markSalePaid } from "#app/domain/sales/mark-sale-paid.server.ts";
import { noteSale } from "#app/domain/sales/note-sale.server.ts";
import { mayMove } from "#app/domain/sales/states.ts";
import { surplusMail } from "#app/domain/sales/surplus-mail.server.ts";
import { formatMoney } from "#app/kit/money.ts";
import { log } from "#app/platform/log.server.ts";

/** What settling did. `surplus`: the sale had been paid before, this money is to be given back. */
export type Settlement = "settled" | "already" | "surplus" | "wrong-amount";

/**
 * Books a payment the provider itself confirmed. Locks the charge and its sale, so that any number of calls at once
 * settle once: all that follows from the payment is queued in the same transaction.
 */
export async function settleCharge(chargeId: string, paid: ProviderTransaction): Promise<Settlement> {
  const outcome = await db.transaction((tx) => settle(tx, chargeId, paid));
  const about = { chargeId, providerId: paid.providerId, amountCents: paid.amountCents };
  if (outcome === "settled") log.info(about, "payment settled");
  if (outcome === "surplus") log.warn(about, "second payment for one sale: to be refunded");
  if (outcome === "wrong-amount") log.error(about, "provider confirmed another amount: not settled");
  return outcome;
}

async function settle(tx: Tx, chargeId: string, paid: ProviderTransaction): Promise<Settlement> {
  const [found] = await tx
    .select({
      status: charges.status,
      failure: charges.failure,
      amountCents: charges.amountCents,
      provider: charges.provider,
      saleId: sales.id,
      saleStatus: sales.status,
    })
    .from(charges)
    .innerJoin(sales, eq(sales.id, charges.saleId))
    .where(eq(charges.id, chargeId))
    .for("update");
  if (!found) throw new Error(`charge ${chargeId} is gone`);
  if (found.status === "paid") return "already";
  const stop = { nextCheckAt: null };
  if (found.amountCents !== paid.amountCents) {
    const failure = `paid ${paid.amountCents} cents, asked for ${found.amountCents}`;
    const told = `paid ${formatMoney(paid.amountCents)} instead of ${formatMoney(found.amountCents)}`;
    // Told again by every webhook; said to the seller once.
    if (found.failure !== failure) await noteSale(tx, { id: found.saleId, status: found.saleStatus }, told);
    await tx
      .update(charges)
      .set({ failure, ...stop })
      .where(eq(charges.id, chargeId));
    return "wrong-amount";
  }
  const paidAt = new Date();
  const first = mayMove(found.saleStatus, "completed");
  await tx
    .update(charges)
    .set({
      status: "paid",
      providerId: paid.providerId,
      paidAt,
      feeCents: paid.feeCents,
      endToEndId: paid.endToEndId,
      payerName: paid.payerName,
      failure: null,
      surplusAt: first ? null : paidAt,
      ...stop,
    })
    .where(eq(charges.id, chargeId));
  if (!first) {
    await surplusMail(tx, { saleId: found.saleId, chargeId, amountCents: paid.amountCents });
    await notify(tx, "sale", found.saleId);
    return "surplus";
  }
  await markSalePaid(tx, found.saleId, `payment confirmed by ${found.provider}`, paidAt);
  return "settled";
}
