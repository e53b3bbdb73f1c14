import { and, eq } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { ofCharge, ownById, ownOfSale } from "#app/db/conditions.server.ts";
import { refundRequests } from "#app/db/schema/buyers.server.ts";
import { charges, refunds } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { isSalePaymentSql } from "#app/domain/charge/conditions.server.ts";
import { isUndecided } from "#app/domain/refund/is-under-way.ts";
import { manualRefundReason } from "#app/domain/refund/manual-refund-reason.server.ts";
import { attemptRefund } from "#app/domain/refund/request/attempt-refund.server.ts";
import { queueAnsweredMails } from "#app/domain/refund/request/queue-refund-request-mails.server.ts";
import { MAX_REASON_LENGTH } from "#app/domain/refund/request/request-refund.server.ts";
import { findFullRefundState } from "#app/domain/sale/payment-summary.ts";
import { cleanText, truncate } from "#app/kit/clean-text.ts";
import { MINUTE } from "#app/kit/duration.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { log } from "#app/platform/log.server.ts";

const UNDER_WAY =
  "O reembolso desta venda já foi pedido ao provedor. Se ele não devolver, você poderá responder a este pedido.";

/** A seller's answer to a refund request. */
export type RefundRequestAnswer = { answer: "granted" } | { answer: "declined"; text: string };

/**
 * Answers a refund request that was made after the guarantee: grants the refund, or declines it with an explanation. Only
 * once; the same answer again changes nothing. `isManual`: the provider refunds it no more, so the seller has to.
 * @throws Refusal not-found; conflict where it was answered otherwise or refunded, or is declined while its refund is under way;
 * invalid where a decline has no text
 */
export async function answerRefundRequest(
  sellerId: string,
  saleId: string,
  reply: RefundRequestAnswer,
): Promise<{ isManual: boolean }> {
  if (!isUuid(saleId)) throw notFound("Pedido não encontrado");
  const text = reply.answer === "declined" ? truncate(cleanText(reply.text).trim(), MAX_REASON_LENGTH) : null;
  if (text === "") throw new Refusal("invalid", "Explique por que não: o comprador vai ler.", "words");
  const { id, isManual } = await db.transaction(async (tx) => {
    const [sale] = await tx
      .select({ status: sales.status })
      .from(sales)
      .where(ownById(sales, sellerId, saleId))
      .for("no key update");
    const [request] = await tx
      .select({
        id: refundRequests.id,
        answer: refundRequests.answer,
        answerText: refundRequests.answerText,
        failedAt: refundRequests.failedAt,
        nextAttemptAt: refundRequests.nextAttemptAt,
      })
      .from(refundRequests)
      .where(and(ownOfSale(refundRequests, sellerId, saleId), eq(refundRequests.kind, "question")))
      .for("no key update");
    if (!sale || !request) throw notFound("Pedido não encontrado");
    if (request.answer === reply.answer && request.answerText === text)
      return { id: null, isManual: request.failedAt !== null && request.nextAttemptAt === null };
    if (request.answer) throw new Refusal("conflict", "Este pedido já foi respondido.");
    if (sale.status === "disputed")
      throw new Refusal("conflict", "O pagamento está contestado no banco: responda depois da decisão.");
    if (sale.status !== "completed") throw new Refusal("conflict", "O valor desta venda já voltou.");
    const payment = await readSalePayment(tx, sellerId, saleId);
    if (reply.answer === "declined" && payment.isUnderWay) throw new Refusal("conflict", UNDER_WAY);
    // As in `requestRefund`.
    const manualReason =
      reply.answer === "granted" && !payment.isUndecided ? manualRefundReason(payment.charge) : null;
    await tx
      .update(refundRequests)
      .set({
        answer: reply.answer,
        answerText: text,
        answeredAt: new Date(),
        nextAttemptAt: reply.answer === "granted" && !manualReason ? new Date(Date.now() + MINUTE) : null,
        ...(manualReason ? { failure: manualReason, failedAt: new Date() } : {}),
      })
      .where(eq(refundRequests.id, request.id));
    await queueAnsweredMails(tx, saleId, {
      id: request.id,
      answer: reply.answer,
      isManual: manualReason !== null,
    });
    return { id: request.id, isManual: manualReason !== null };
  });
  if (id) {
    log.info({ saleId, answer: reply.answer }, "refund request answered");
    await attemptRefund(id);
  }
  return { isManual };
}

/**
 * The sale's payment, if it has a charge. `isUnderWay`: all that is left of it is being refunded, as its seller requested in
 * another tab; `isUndecided`: the provider may still make a refund of it.
 */
async function readSalePayment(tx: Tx, sellerId: string, saleId: string) {
  const rows = await tx
    .select({
      charge: {
        paidCents: charges.paidCents,
        provider: charges.provider,
        method: charges.method,
        paidAt: charges.paidAt,
      },
      refund: {
        status: refunds.status,
        amountCents: refunds.amountCents,
        acceptedAt: refunds.acceptedAt,
        dismissedAt: refunds.dismissedAt,
      },
    })
    .from(charges)
    .leftJoin(refunds, ofCharge(refunds))
    .where(and(ownOfSale(charges, sellerId, saleId), isSalePaymentSql));
  const charge = rows[0]?.charge;
  const all = rows.flatMap(({ refund }) => refund ?? []);
  return {
    charge,
    isUnderWay: findFullRefundState({ paidCents: charge?.paidCents ?? null, refunds: all }) !== null,
    isUndecided: all.some(isUndecided),
  };
}
