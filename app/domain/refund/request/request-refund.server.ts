import { and, eq, isNotNull, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { ofSaleId, ownOfCharge, ownOfSale } from "#app/db/conditions.server.ts";
import { refundRequests } from "#app/db/schema/buyers.server.ts";
import type { RefundRequestKind } from "#app/db/schema/lists.ts";
import { charges, refunds } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { Statement } from "#app/db/statement.server.ts";
import { IN_A_MINUTE } from "#app/domain/charge/check-times.server.ts";
import { addDeliveries } from "#app/domain/delivery/queue-deliveries.server.ts";
import { isUndecided } from "#app/domain/refund/is-under-way.ts";
import { manualRefundReason } from "#app/domain/refund/manual-refund-reason.server.ts";
import { attemptRefund } from "#app/domain/refund/request/attempt-refund.server.ts";
import { findGuaranteeEnd } from "#app/domain/refund/request/find-guarantee-end.server.ts";
import { queueRequestedMails } from "#app/domain/refund/request/queue-refund-request-mails.server.ts";
import { findFullRefundState } from "#app/domain/sale/payment-summary.ts";
import { isSalePayment } from "#app/domain/sale/states.ts";
import { cleanLines } from "#app/kit/clean-text.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { log } from "#app/platform/log.server.ts";

/** The maximum length of a reason. */
export const MAX_REASON_LENGTH = 1000;

/** Why a refund is not requested, by the sale's state. */
const REFUSALS = {
  free: "Este pedido foi gratuito: não há valor a devolver.",
  refunded: "Esta compra já foi devolvida.",
  disputed:
    "O pagamento desta compra está contestado no banco: quem decide a devolução agora é o banco. Se ele não devolver o valor, você ainda pode pedir aqui: o prazo para desistir não corre enquanto isso.",
  chargedback: "Esta compra foi contestada no banco, e o valor já voltou por lá.",
  declined: "Quem vendeu já respondeu a este pedido e não o aceitou: a resposta está nesta página.",
  accepted:
    "Quem vendeu já pediu a devolução desta compra, e o provedor de pagamento aceitou: o dinheiro está a caminho.",
};

/**
 * Requests a refund for the owner of the mailbox `email`: within the guarantee it is refunded without the seller, later the
 * seller decides. Idempotent.
 * @param typed the reason, in the buyer's words
 * @throws Refusal not-found; conflict where it was refunded or declined already; invalid where a reason is required and missing
 */
export async function requestRefund(
  email: string,
  saleId: string,
  typed: string,
): Promise<RefundRequestKind> {
  if (!isUuid(saleId)) throw notFound("Compra não encontrada");
  const reason = cleanLines(typed, MAX_REASON_LENGTH);
  const { id, kind } = await db.transaction((tx) => insertRequest(tx, email, saleId, reason));
  if (id) await attemptRefund(id);
  return kind;
}

/** @returns the request's kind, and its id where it is new */
async function insertRequest(
  tx: Tx,
  email: string,
  saleId: string,
  reason: string,
): Promise<{ id: string | null; kind: RefundRequestKind }> {
  const purchase = await lockPurchase(tx, saleId, email);
  const [existing] = await tx
    .select({ kind: refundRequests.kind, answer: refundRequests.answer })
    .from(refundRequests)
    .where(ownOfSale(refundRequests, purchase.sale.sellerId, saleId));
  if (existing && existing.answer !== "declined") return { id: null, kind: existing.kind };
  const { sale, isAccepted, manualReason } = purchase;
  if (sale.status === "refunded" || sale.status === "disputed" || sale.status === "chargedback")
    throw new Refusal("conflict", REFUSALS[sale.status]);
  // Sent by a page that was opened before: nobody is asked again.
  if (existing) throw new Refusal("conflict", REFUSALS.declined);
  if (sale.amountCents === 0) throw new Refusal("conflict", REFUSALS.free);
  // A pending refund that the provider has not accepted may fail, so the buyer's request is stored beside it.
  if (isAccepted) throw new Refusal("conflict", REFUSALS.accepted);
  const guaranteeEnd = await findGuaranteeEnd(tx, { saleId, paidAt: sale.paidAt! });
  const kind = guaranteeEnd > new Date() ? "right" : "question";
  if (kind === "question" && reason === "")
    throw new Refusal("invalid", "Conte o motivo do pedido.", "reason");
  const statement = new Statement();
  const insert = tx
    .insert(refundRequests)
    .values({
      saleId,
      sellerId: sale.sellerId,
      kind,
      reason: reason || null,
      // If this process dies before the attempt, `attemptRefunds` makes it.
      nextAttemptAt: kind === "right" && !manualReason ? IN_A_MINUTE : null,
      ...(kind === "right" && manualReason ? { failure: manualReason, failedAt: new Date() } : {}),
    })
    .returning({ id: refundRequests.id, saleId: refundRequests.saleId, createdAt: refundRequests.createdAt });
  const insertedRequest = statement.add<"id" | "created_at">("noted", insert);
  const occurrences = statement.add<"sale_id" | "seller_id" | "product_id" | "about_id">(
    "facts",
    sql`select s.id as sale_id, s.seller_id, s.product_id, n.id as about_id
      from ${insertedRequest} n inner join ${sales} s on s.id = n.sale_id`,
  );
  addDeliveries(statement, ["refund.requested"], occurrences);
  const [row] = await tx.execute<{ id: string; at: string }>(
    statement.selectFrom(insertedRequest, sql`id, created_at as at`),
  );
  const { id, at } = row!;
  await queueRequestedMails(tx, saleId, {
    id,
    kind,
    createdAt: new Date(at),
    isManual: manualReason !== null,
  });
  log.info({ saleId, kind }, "refund requested by the buyer");
  return { id, kind };
}

/** A buyer's purchase. Locks its charges, sale and refunds, in the usual lock order. */
async function lockPurchase(tx: Tx, saleId: string, email: string) {
  const paid = await tx
    .select({
      id: charges.id,
      status: charges.status,
      provider: charges.provider,
      method: charges.method,
      paidAt: charges.paidAt,
      paidCents: charges.paidCents,
      overpaidAt: charges.overpaidAt,
    })
    .from(charges)
    .where(ofSaleId(charges, saleId))
    .orderBy(charges.id)
    .for("no key update");
  const [sale] = await tx
    .select({
      status: sales.status,
      sellerId: sales.sellerId,
      paidAt: sales.completedAt,
      amountCents: sales.amountCents,
    })
    .from(sales)
    .where(and(eq(sales.id, saleId), eq(sales.customerEmail, email), isNotNull(sales.completedAt)))
    .for("no key update");
  if (!sale) throw notFound("Compra não encontrada");
  const charge = paid.find(isSalePayment);
  const all = charge
    ? await tx
        .select()
        .from(refunds)
        .where(ownOfCharge(refunds, sale.sellerId, charge.id))
        .for("no key update")
    : [];
  // Whether the provider may still make a refund that is not decided, the attempt finds out: nobody is told yet to use the bank.
  const manualReason = all.some(isUndecided) ? null : manualRefundReason(charge);
  return {
    sale,
    manualReason,
    isAccepted: findFullRefundState({ paidCents: charge?.paidCents ?? null, refunds: all }) === "accepted",
  };
}
