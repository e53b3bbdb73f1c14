import { and, eq, isNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { refundRequests } from "#app/db/schema/buyers.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { LONGEST_REASON } from "#app/domain/refund/asked/ask-for-refund.server.ts";
import { queueAnswered } from "#app/domain/refund/asked/queue-refund-news.server.ts";
import { tryRefund } from "#app/domain/refund/asked/try-refund.server.ts";
import { cleanText } from "#app/kit/clean-text.ts";
import { MINUTE } from "#app/kit/duration.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { log } from "#app/platform/log.server.ts";

/** What a seller says to a buyer's question. */
export type Answer = { answer: "granted" } | { answer: "declined"; words: string };

/**
 * Answers a buyer who asked for money back after the time for it: it goes back, or they read why not. Once; the same answer
 * again changes nothing.
 * @throws Refusal not-found; conflict where it was answered otherwise or went back; invalid where a no has no words
 */
export async function answerQuestion(sellerId: string, saleId: string, said: Answer): Promise<void> {
  if (!isUuid(saleId)) throw notFound("Pedido não encontrado");
  const words = said.answer === "declined" ? cleanText(said.words).trim().slice(0, LONGEST_REASON) : null;
  if (words === "") throw new Refusal("invalid", "Explique por que não: o comprador vai ler.", "words");
  const id = await db.transaction(async (tx) => {
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
    if (request.answer === said.answer && request.answerText === words) return null;
    if (request.answer) throw new Refusal("conflict", "Este pedido já foi respondido.");
    if (sale.status !== "completed") throw new Refusal("conflict", "O valor desta venda já voltou.");
    await tx
      .update(refundRequests)
      .set({
        answer: said.answer,
        answerText: words,
        answeredAt: new Date(),
        nextTryAt: said.answer === "granted" ? new Date(Date.now() + MINUTE) : null,
      })
      .where(and(eq(refundRequests.id, request.id), isNull(refundRequests.answer)));
    await queueAnswered(tx, saleId, { id: request.id, answer: said.answer });
    return request.id;
  });
  log.info({ saleId, answer: said.answer }, "buyer's question answered");
  if (id && said.answer === "granted") await tryRefund(id);
}
