import { eq } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { moveCharge } from "#app/domain/charge/move-charge.server.ts";
import { openRefund } from "#app/domain/charge/move-refund.server.ts";
import { scheduleDisputedCheck } from "#app/domain/charge/paced-check.server.ts";
import type { ProviderTransaction } from "#app/domain/gateway/providers/port.ts";
import { decideDispute, openDispute } from "#app/domain/sale/dispute/open-dispute.server.ts";
import { giveBackSale } from "#app/domain/sale/give-back-sale.server.ts";
import { judgePayment } from "#app/domain/sale/judge-payment.ts";
import { markSalePaid } from "#app/domain/sale/mark-sale-paid.server.ts";
import { markSaleReversed } from "#app/domain/sale/mark-sale-reversed.server.ts";
import { moveSale } from "#app/domain/sale/move-sale.server.ts";
import { queuePaymentNewsMail } from "#app/domain/sale/notices/payment-news/queue-payment-news-mail.server.ts";
import { queueReturnedMail } from "#app/domain/sale/notices/payment-news/queue-returned-mail.server.ts";
import { queueSurplusMail } from "#app/domain/sale/notices/queue-surplus-mail.server.ts";
import { queueWrongAmountMail } from "#app/domain/sale/notices/queue-wrong-amount-mail.server.ts";
import { saleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";
import { type ReadPayment, settleAtOnce } from "#app/domain/settlement/settle-at-once.server.ts";
import { log } from "#app/platform/log.server.ts";

/**
 * What settling did. `surplus`: the sale had been paid before, this money is to be given back; `wrong-amount`: it is not
 * what was asked for; `came-and-went`: it had gone back before we looked.
 */
export type Settlement = "settled" | "already" | "surplus" | "wrong-amount" | "came-and-went";

/**
 * Books a payment the provider itself confirmed. Locks the charge and its sale, so that any number of calls at once
 * settle once: all that follows from the payment is queued in the same transaction. Of a payment that has gone back by
 * now both moves are booked, and nothing is handed over in between.
 * @param read the charge as its caller has read it: where nothing has changed since, one statement does it
 */
export async function settleCharge(
  chargeId: string,
  paid: ProviderTransaction,
  read?: ReadPayment,
): Promise<Settlement> {
  const isUsual = read && (await settleAtOnce(read, paid));
  const outcome = isUsual ? "settled" : await db.transaction((tx) => settle(tx, chargeId, paid));
  const about = { chargeId, providerId: paid.providerId, amountCents: paid.amountCents };
  if (outcome === "settled" || outcome === "came-and-went")
    log.info({ ...about, outcome }, "payment settled");
  if (outcome === "surplus") log.warn(about, "second payment for one sale: to be refunded");
  if (outcome === "wrong-amount") log.error(about, "provider confirmed another amount: not settled");
  return outcome;
}

async function settle(tx: Tx, chargeId: string, paid: ProviderTransaction): Promise<Settlement> {
  const [found] = await tx
    .select({
      charge: { id: charges.id, status: charges.status, amountCents: charges.amountCents },
      sale: saleContacts,
    })
    .from(charges)
    .innerJoin(sales, eq(sales.id, charges.saleId))
    .innerJoin(sellers, eq(sellers.id, sales.sellerId))
    .where(eq(charges.id, chargeId))
    .for("no key update", { of: [charges, sales] });
  if (!found) throw new Error(`charge ${chargeId} is gone`);
  const { charge, sale } = found;
  const judgement = judgePayment(charge, sale, paid.amountCents);
  if (judgement === "already") return charge.status === "mispaid" ? "wrong-amount" : "already";
  const at = new Date();
  const { providerId, amountCents: paidCents, feeCents } = paid;
  const contested = { chargeId, origin: "provider", note: null } as const;
  const came = { providerId, paidCents, feeCents, at };
  const isLost = paid.state === "chargedback";
  const isBack = paid.state === "refunded" || isLost;
  // Nobody asks about a booked payment again of their own accord: what went back before is booked with it.
  const backCents = Math.min(paid.refundedCents ?? (isBack ? paidCents : 0), paidCents);
  const giveBack = async () => {
    if (backCents === 0) return;
    const back = { chargeId, amountCents: backCents, status: "done", origin: "observed" } as const;
    await openRefund(tx, back, "provider");
  };
  const returned = { id: chargeId, paidCents, paidAt: at, totalCents: backCents, addedCents: backCents };
  const tellBuyer = (what: "overpaid" | "mismatched") =>
    queuePaymentNewsMail(tx, sale.id, `${what}/${chargeId}`, {
      what,
      amountCents: paidCents,
      at: at.toISOString(),
    });
  if (judgement === "wrong") {
    await moveCharge(tx, charge, { ...came, to: "mispaid", expectedCents: charge.amountCents }, "provider");
    await giveBack();
    if (!isBack) {
      await queueWrongAmountMail(tx, { saleId: sale.id, chargeId, paidCents });
      await tellBuyer("mismatched");
    }
    if (backCents > 0) await queueReturnedMail(tx, sale.id, { ...returned, isMismatch: true });
    return "wrong-amount";
  }
  const counts = judgement === "counts";
  if (!counts && backCents > 0) await queueReturnedMail(tx, sale.id, { ...returned, isMismatch: false });
  await moveCharge(tx, charge, { ...came, to: "paid", surplus: !counts }, "provider");
  await giveBack();
  if (isBack) {
    if (counts) {
      await moveSale(tx, sale, { to: "completed", at, feeCents }, "provider");
      const refunded = { to: "refunded", refundedCents: paidCents } as const;
      if (isLost) await decideDispute(tx, sale.id, "lost", contested, "provider");
      else await markSaleReversed(tx, { id: sale.id, status: "completed" }, refunded, "provider");
    }
    return "came-and-went";
  }
  if (counts) {
    await markSalePaid(tx, sale, { at, feeCents });
    const back = { refundedCents: backCents, addedCents: backCents };
    if (backCents > 0) await giveBackSale(tx, { id: sale.id, status: "completed" }, back, "provider");
    if (paid.state === "disputed" && (await openDispute(tx, sale.id, contested, "provider")))
      await scheduleDisputedCheck(tx, chargeId);
    return "settled";
  }
  await queueSurplusMail(tx, { saleId: sale.id, chargeId, amountCents: paidCents - backCents });
  await tellBuyer("overpaid");
  return "surplus";
}
