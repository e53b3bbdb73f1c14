import { and, eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { ownById, ownOfSale } from "#app/db/conditions.server.ts";
import { refundRequests } from "#app/db/schema/buyers.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { IN_A_MINUTE } from "#app/domain/charge/check-times.server.ts";
import { manualRefundReason } from "#app/domain/refund/manual-refund-reason.server.ts";
import { attemptRefund } from "#app/domain/refund/request/attempt-refund.server.ts";
import { queueAnsweredMails } from "#app/domain/refund/request/queue-refund-request-mails.server.ts";
import { readSalePayment } from "#app/domain/refund/request/read-sale-payment.server.ts";
import { MAX_REASON_LENGTH } from "#app/domain/refund/request/request-refund.server.ts";
import { cleanLines } from "#app/kit/clean-text.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { log } from "#app/platform/log.server.ts";

const UNDER_WAY =
  "O reembolso desta venda já foi pedido ao provedor. Se ele não devolver, você poderá responder a este pedido.";

const NOBODY_READS =
  "Os dados do comprador foram apagados: ele não espera mais uma resposta, e ninguém a leria.";

/** A seller's answer to a refund request. */
export type RefundRequestAnswer = { answer: "granted" } | { answer: "declined"; text: string };

/**
 * Answers a refund request that was made after the guarantee: grants the refund, or declines it with an explanation. Only
 * once; the same answer again changes nothing. `isManual`: the provider refunds it no more, so the seller has to.
 * @throws Refusal not-found; conflict where it was answered otherwise or refunded, or is declined while its refund is under way
 * or after its buyer was anonymized; invalid where a decline has no text
 */
export async function answerRefundRequest(
  sellerId: string,
  saleId: string,
  reply: RefundRequestAnswer,
): Promise<{ isManual: boolean }> {
  if (!isUuid(saleId)) throw notFound("Pedido não encontrado");
  const text = reply.answer === "declined" ? cleanLines(reply.text, MAX_REASON_LENGTH) : null;
  if (text === "") throw new Refusal("invalid", "Explique por que não: o comprador vai ler.", "words");
  const { id, isManual } = await db.transaction(async (tx) => {
    const [sale] = await tx
      .select({ status: sales.status, customerEmail: sales.customerEmail })
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
    // From a page that was opened before: the text would be stored for nobody.
    if (reply.answer === "declined" && !sale.customerEmail) throw new Refusal("conflict", NOBODY_READS);
    if (sale.status === "disputed")
      throw new Refusal("conflict", "O pagamento está contestado no banco: responda depois da decisão.");
    if (sale.status !== "completed") throw new Refusal("conflict", "O valor desta venda já voltou.");
    const payment = await readSalePayment(tx, sellerId, saleId);
    // All that is left of it is being refunded, as its seller requested in another tab.
    if (reply.answer === "declined" && payment.fullRefundState) throw new Refusal("conflict", UNDER_WAY);
    // As in `requestRefund`.
    const manualReason =
      reply.answer === "granted" && !payment.isUndecided ? manualRefundReason(payment.charge) : null;
    await tx
      .update(refundRequests)
      .set({
        answer: reply.answer,
        answerText: text,
        answeredAt: new Date(),
        nextAttemptAt: reply.answer === "granted" && !manualReason ? IN_A_MINUTE : null,
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
