import { and, eq, isNull } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { refundRequests } from "#app/db/schema/buyers.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { LONGEST_REASON } from "#app/domain/refund/asked/ask-for-refund.server.ts";
import { queueAnswered } from "#app/domain/refund/asked/queue-refund-news.server.ts";
import { tryRefund } from "#app/domain/refund/asked/try-refund.server.ts";
import { whyByHand } from "#app/domain/refund/gives-back.server.ts";
import { cleanText, cut } from "#app/kit/clean-text.ts";
import { MINUTE } from "#app/kit/duration.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { log } from "#app/platform/log.server.ts";

/** What a seller says to a buyer's question. */
export type Answer = { answer: "granted" } | { answer: "declined"; words: string };

/**
 * Answers a buyer who asked for money back after the time for it: it goes back, or they read why not. Once; the same answer
 * again changes nothing. `byHand`: the provider gives it back no more, the seller has to.
 * @throws Refusal not-found; conflict where it was answered otherwise or went back; invalid where a no has no words
 */
export async function answerQuestion(
  sellerId: string,
  saleId: string,
  said: Answer,
): Promise<{ byHand: boolean }> {
  if (!isUuid(saleId)) throw notFound("Pedido não encontrado");
  const words = said.answer === "declined" ? cut(cleanText(said.words).trim(), LONGEST_REASON) : null;
  if (words === "") throw new Refusal("invalid", "Explique por que não: o comprador vai ler.", "words");
  const { id, byHand } = await db.transaction(async (tx) => {
    const [sale] = await tx
      .select({ status: sales.status })
      .from(sales)
      .where(and(eq(sales.id, saleId), eq(sales.sellerId, sellerId)))
      .for("no key update");
    const [request] = await tx
      .select({
        id: refundRequests.id,
        answer: refundRequests.answer,
        answerText: refundRequests.answerText,
        failure: refundRequests.failure,
      })
      .from(refundRequests)
      .where(
        and(
          eq(refundRequests.saleId, saleId),
          eq(refundRequests.sellerId, sellerId),
          eq(refundRequests.kind, "question"),
        ),
      )
      .for("no key update");
    if (!sale || !request) throw notFound("Pedido não encontrado");
    if (request.answer === said.answer && request.answerText === words)
      return { id: null, byHand: request.failure !== null };
    if (request.answer) throw new Refusal("conflict", "Este pedido já foi respondido.");
    if (sale.status === "disputed")
      throw new Refusal("conflict", "O pagamento está contestado no banco: responda depois da decisão.");
    if (sale.status !== "completed") throw new Refusal("conflict", "O valor desta venda já voltou.");
    const why = said.answer === "granted" ? whyByHand(await paymentOf(tx, saleId)) : null;
    await tx
      .update(refundRequests)
      .set({
        answer: said.answer,
        answerText: words,
        answeredAt: new Date(),
        nextTryAt: said.answer === "granted" && !why ? new Date(Date.now() + MINUTE) : null,
        ...(why ? { failure: why, failedAt: new Date() } : {}),
      })
      .where(and(eq(refundRequests.id, request.id), isNull(refundRequests.answer)));
    await queueAnswered(tx, saleId, { id: request.id, answer: said.answer, byHand: why !== null });
    return { id: request.id, byHand: why !== null };
  });
  log.info({ saleId, answer: said.answer }, "buyer's question answered");
  if (id && said.answer === "granted" && !byHand) await tryRefund(id);
  return { byHand };
}

/** The payment that counts, where there is one of ours. */
async function paymentOf(tx: Tx, saleId: string) {
  const [payment] = await tx
    .select({ provider: charges.provider, paidAt: charges.paidAt })
    .from(charges)
    .where(and(eq(charges.saleId, saleId), eq(charges.status, "paid"), isNull(charges.surplusAt)));
  return payment;
}
