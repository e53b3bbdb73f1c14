import { and, eq, isNotNull, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { refundRequests } from "#app/db/schema/buyers.server.ts";
import type { RefundRequestKind } from "#app/db/schema/lists.ts";
import { charges, refunds } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { Statement } from "#app/db/statement.server.ts";
import { addDeliveries } from "#app/domain/outbox/queue-news.server.ts";
import { queueAsked } from "#app/domain/refund/asked/queue-refund-news.server.ts";
import { rightEnds } from "#app/domain/refund/asked/refund-window.ts";
import { tryRefund } from "#app/domain/refund/asked/try-refund.server.ts";
import { whyByHand } from "#app/domain/refund/gives-back.server.ts";
import { wholeRefundOf } from "#app/domain/sale/standing.ts";
import { findGuarantee } from "#app/domain/storefront/find-guarantee.server.ts";
import { cleanText, cut } from "#app/kit/clean-text.ts";
import { MINUTE } from "#app/kit/duration.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { log } from "#app/platform/log.server.ts";

/** How long a reason may be. */
export const LONGEST_REASON = 1000;

/** Says why a purchase's money is not asked for. */
const NO = {
  refunded: "Esta compra já foi devolvida.",
  disputed: "O pagamento desta compra está contestado no banco: quem decide a devolução agora é o banco.",
  chargedback: "Esta compra foi contestada no banco, e o valor já voltou por lá.",
  accepted:
    "Quem vendeu já pediu a devolução desta compra, e o provedor de pagamento aceitou: o dinheiro está a caminho.",
};

/**
 * Asks for the money of a purchase, for who reads the mailbox of `email`: within the guarantee it goes back without
 * the seller's hand, later the seller is asked. The same once more changes nothing.
 * @param typed why, in the buyer's words
 * @throws Refusal not-found; conflict where it went back already; invalid where a question has no reason
 */
export async function askForRefund(email: string, saleId: string, typed: string): Promise<RefundRequestKind> {
  if (!isUuid(saleId)) throw notFound("Compra não encontrada");
  const reason = cut(cleanText(typed).trim(), LONGEST_REASON);
  const { id, kind } = await db.transaction((tx) => note(tx, email, saleId, reason));
  if (id && kind === "right") await tryRefund(id);
  return kind;
}

/** @returns the request's kind, and its id where it was not there before */
async function note(
  tx: Tx,
  email: string,
  saleId: string,
  reason: string,
): Promise<{ id: string | null; kind: RefundRequestKind }> {
  const left = await lockLeft(tx, saleId, email);
  const [before] = await tx
    .select({ kind: refundRequests.kind })
    .from(refundRequests)
    .where(eq(refundRequests.saleId, saleId));
  if (before) return { id: null, kind: before.kind };
  const { sale, isAccepted, byHand } = left;
  if (sale.status === "refunded" || sale.status === "disputed" || sale.status === "chargedback")
    throw new Refusal("conflict", NO[sale.status]);
  // One that the provider did not accept may come to nothing: the buyer's wish is kept beside it, and followed.
  if (isAccepted) throw new Refusal("conflict", NO.accepted);
  const ends = rightEnds(sale.paidAt!, await findGuarantee(tx, saleId));
  const kind = ends > new Date() ? "right" : "question";
  if (kind === "question" && reason === "")
    throw new Refusal("invalid", "Conte o motivo: quem vendeu vai lê-lo.", "reason");
  const statement = new Statement();
  const insert = tx
    .insert(refundRequests)
    .values({
      saleId,
      sellerId: sale.sellerId,
      kind,
      reason: reason || null,
      // Where this process dies before it asked, another one does.
      nextTryAt: kind === "right" && !byHand ? new Date(Date.now() + MINUTE) : null,
      ...(kind === "right" && byHand ? { failure: byHand, failedAt: new Date() } : {}),
    })
    .returning({ id: refundRequests.id, saleId: refundRequests.saleId, createdAt: refundRequests.createdAt });
  const noted = statement.add<"id" | "created_at">("noted", insert);
  const facts = statement.add<"sale_id" | "seller_id" | "product_id" | "about_id">(
    "facts",
    sql`select s.id as sale_id, s.seller_id, s.product_id, n.id as about_id
      from ${noted} n inner join ${sales} s on s.id = n.sale_id`,
  );
  addDeliveries(statement, ["refund.requested"], facts);
  const [row] = await tx.execute<{ id: string; at: string }>(
    statement.selectFrom(noted, sql`id, created_at as at`),
  );
  const { id, at } = row!;
  await queueAsked(tx, saleId, { id, kind, createdAt: new Date(at), byHand: byHand !== null });
  log.info({ saleId, kind }, "refund asked for by the buyer");
  return { id, kind };
}

/** A buyer's purchase, with its charges, itself and its refunds locked in the order in which settling locks them. */
async function lockLeft(tx: Tx, saleId: string, email: string) {
  const paid = await tx
    .select({
      id: charges.id,
      status: charges.status,
      provider: charges.provider,
      paidAt: charges.paidAt,
      paidCents: charges.paidCents,
      surplusAt: charges.surplusAt,
    })
    .from(charges)
    .where(eq(charges.saleId, saleId))
    .orderBy(charges.id)
    .for("no key update");
  const [sale] = await tx
    .select({ status: sales.status, sellerId: sales.sellerId, paidAt: sales.completedAt })
    .from(sales)
    .where(and(eq(sales.id, saleId), eq(sales.customerEmail, email), isNotNull(sales.completedAt)))
    .for("no key update");
  if (!sale) throw notFound("Compra não encontrada");
  const charge = paid.find(({ status, surplusAt }) => status === "paid" && surplusAt === null);
  const all = charge
    ? await tx.select().from(refunds).where(eq(refunds.chargeId, charge.id)).for("no key update")
    : [];
  const byHand = whyByHand(charge);
  return {
    sale,
    byHand,
    isAccepted: wholeRefundOf({ paidCents: charge?.paidCents ?? null, refunds: all }) === "accepted",
  };
}
