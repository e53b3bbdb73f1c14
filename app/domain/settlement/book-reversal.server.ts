import { eq, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { notify } from "#app/db/notify.server.ts";
import type { RefundStatus, SaleStatus } from "#app/db/schema/lists.ts";
import { charges, refunds } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { type MovedRefund, moveRefund, openRefund } from "#app/domain/charge/move-refund.server.ts";
import { nextLook } from "#app/domain/charge/next-look.server.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import type { ProviderTransaction } from "#app/domain/gateway/providers/port.ts";
import { decideDispute } from "#app/domain/sale/dispute/open-dispute.server.ts";
import { giveBackSale } from "#app/domain/sale/give-back-sale.server.ts";
import { queueReturnedMail } from "#app/domain/sale/notices/payment-news/queue-returned-mail.server.ts";
import { bookDispute, type DisputeBooked } from "#app/domain/settlement/book-dispute.server.ts";
import { endUnconfirmedRefund } from "#app/domain/settlement/end-unconfirmed-refund.server.ts";
import { DAY, HOUR, MINUTE } from "#app/kit/duration.ts";
import { pick } from "#app/kit/pick.ts";
import { log } from "#app/platform/log.server.ts";

/** The refund of a charge that is under way, else the newest; null where there is none. */
export type LastRefund = { status: RefundStatus; requestedAt: Date; acceptedAt: Date | null } | null;

/** How long a requested refund is waited for, also where the provider says nothing at all. */
export const REFUND_WAIT = 3 * DAY;
/** The same where the provider never said yes and still calls the payment paid. */
const UNACCEPTED_WAIT = 30 * MINUTE;

/** When to ask about a requested refund the next time: pauses grow with its age; null where none is waited for. */
export function nextRefundCheck(refund: LastRefund, now: Date): Date | null {
  if (refund?.status !== "pending") return null;
  const age = now.getTime() - refund.requestedAt.getTime();
  return new Date(now.getTime() + Math.min(Math.max(age, MINUTE), 6 * HOUR));
}

/** Why a request came to nothing, for the sale's history. */
const ALL_BACK = "o valor todo já tinha sido devolvido";

/** What the provider says of a payment that was booked before. */
export type Reversal = "refunded" | "already" | "still-paid" | "not-refunded" | DisputeBooked;

/** Books what the provider says of a payment that was booked before: that it went back, or is still here. */
export async function bookReversal(
  chargeId: string,
  last: LastRefund,
  transaction: ProviderTransaction | null,
  sale: SaleStatus,
): Promise<Reversal> {
  const disputed = await bookDispute(chargeId, transaction, sale);
  if (disputed && !transaction?.refundedCents) return disputed;
  // What the provider calls a refunded payment is not documented; its four words would only leave `canceled`.
  const hasEnded = transaction?.state === "expired" || transaction?.state === "cancelled";
  const isLost = transaction?.state === "chargedback";
  const isExpected = last !== null || sale === "disputed";
  const isBack = transaction?.state === "refunded" || isLost || (hasEnded && isExpected);
  if (isBack) return settleRefund(chargeId, transaction.refundedCents, isLost);
  // A part that was booked long ago says nothing of a refund that is still waited for.
  if (transaction?.refundedCents && (await settleRefund(chargeId, transaction.refundedCents)) === "refunded")
    return "refunded";
  if (hasEnded) log.warn({ chargeId, word: transaction.word }, "paid charge has ended at the provider");
  if (last?.status === "pending") {
    const wait = last.acceptedAt ? REFUND_WAIT : UNACCEPTED_WAIT;
    await endUnconfirmedRefund(chargeId, new Date(Date.now() - wait));
  }
  return transaction?.state === "paid" ? "still-paid" : "not-refunded";
}

/**
 * Books that money of a charge went back, once however many say so, and what follows for its sale unless the payment was
 * a surplus one or of a wrong amount.
 * @param totalCents how much of the charge is back by now; null: all of it
 * @param isLost the provider says that the payer's bank took it
 */
async function settleRefund(
  chargeId: string,
  totalCents: number | null,
  isLost = false,
): Promise<"refunded" | "already"> {
  return db.transaction(async (tx) => {
    const [found] = await tx
      .select({
        charge: {
          status: charges.status,
          provider: charges.provider,
          surplusAt: charges.surplusAt,
          paidCents: charges.paidCents,
          paidAt: charges.paidAt,
        },
        sale: { id: sales.id, status: sales.status },
      })
      .from(charges)
      .innerJoin(sales, eq(sales.id, charges.saleId))
      .where(eq(charges.id, chargeId))
      .for("no key update");
    if (!found?.charge.paidCents) throw new Error(`charge ${chargeId} is gone or was never paid`);
    const { charge, sale } = found;
    const total = Math.min(totalCents ?? charge.paidCents!, charge.paidCents!);
    const all = await tx
      .select()
      .from(refunds)
      .where(eq(refunds.chargeId, chargeId))
      .orderBy(refunds.requestedAt)
      .for("no key update");
    const booked = all.reduce((sum, one) => sum + (one.status === "done" ? one.amountCents : 0), 0);
    if (total >= charge.paidCents!) await endNeedless(tx, all, total - booked);
    if (booked >= total) return "already";
    const asked = all.findLast((one) => one.status !== "done" && one.amountCents <= total - booked);
    if (asked) await moveRefund(tx, asked, { to: "done" }, "provider");
    const left = total - booked - (asked?.amountCents ?? 0);
    if (left > 0)
      await openRefund(tx, { chargeId, amountCents: left, status: "done", origin: "observed" }, "provider");
    await endQuestions(tx, chargeId);
    const counts = charge.status === "paid" && !charge.surplusAt;
    // Nobody asked for it, and the provider does not say who did: while it is contested, that was the bank.
    const isTaken = sale.status === "disputed" && !asked && total >= charge.paidCents!;
    if (counts && (isLost || (isTaken && !pick(providers, charge.provider)?.reportsDisputes)))
      await decideDispute(tx, sale.id, "lost", { chargeId, origin: "provider", note: null }, "provider");
    else if (counts)
      await giveBackSale(tx, sale, { refundedCents: total, addedCents: total - booked }, "provider");
    else {
      const payment = { id: chargeId, paidCents: charge.paidCents!, paidAt: charge.paidAt! };
      const isMismatch = charge.status === "mispaid";
      const back = { totalCents: total, addedCents: total - booked };
      await queueReturnedMail(tx, sale.id, { ...payment, ...back, isMismatch });
      await notify(tx, "sale", sale.id);
    }
    log.info({ chargeId, saleId: sale.id, refundedCents: total }, "refund settled");
    return "refunded";
  });
}

/**
 * Ends the requests that are still waited for where all of a payment is back without them: there is nothing left that they
 * could give back, and nothing that their seller should look into.
 * @param openCents what is back and not booked yet: a request of no more than that is how it went back
 */
async function endNeedless(tx: Tx, all: MovedRefund[], openCents: number): Promise<void> {
  for (const refund of all) {
    if (refund.status !== "pending" || refund.amountCents <= openCents) continue;
    await moveRefund(tx, refund, { to: "refused", why: "refused", detail: ALL_BACK }, "system");
    await endQuestions(tx, refund.chargeId);
  }
}

/** Nothing is left to ask about a charge, unless another refund waits. */
export async function endQuestions(tx: Tx, chargeId: string): Promise<void> {
  await tx
    .update(charges)
    .set({ nextCheckAt: nextLook(null) })
    .where(
      sql`${charges.id} = ${chargeId} and not exists (
        select from ${refunds} r where r.charge_id = ${chargeId} and r.status = 'pending')`,
    );
}
