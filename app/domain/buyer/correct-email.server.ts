import { and, eq, sql } from "drizzle-orm";
import { type Db, db } from "#app/db/client.server.ts";
import { ownByIds, ownOfSale } from "#app/db/conditions.server.ts";
import { saleEvents, sales } from "#app/db/schema/sales.server.ts";
import { moveMails } from "#app/domain/access/correction/move-mails.server.ts";
import { isForfeited, isLeftAnonymous, takesEmail } from "#app/domain/access/correction/takes-email.ts";
import { isFreeEnded } from "#app/domain/access/has-access.ts";
import { queueCorrectedAccess } from "#app/domain/delivery/queue-corrected-access.server.ts";
import { ANONYMIZED_MESSAGE } from "#app/domain/order/payable-order.server.ts";
import { lockOrder } from "#app/domain/sale/lock-order.server.ts";
import { recordSaleEvent } from "#app/domain/sale/record-sale-event.server.ts";
import type { SaleStatus } from "#app/domain/sale/states.ts";
import { maskMail } from "#app/kit/mail-address.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";

/** How often a buyer may correct the e-mail of one purchase. */
const MAX_CORRECTIONS = 3;

/**
 * The expected address and when it was last corrected to it, 0 where never: a later correction may restore an earlier
 * address.
 */
type ExpectedEmail = { email: string; correctedAt: number };

/**
 * Corrects the e-mail of an order or a purchase with its upsells, for its buyer; the caller has verified that it is the
 * buyer. Earlier mailed links stop working, a new access mail goes to the new address and a notification to the old one.
 * Repeating the correction changes nothing.
 * @param from the e-mail it must have had ever since, where the permission is for that one alone
 * @throws Refusal not-found; conflict where the purchase was refunded or anonymized, was corrected since, or too often
 */
export async function correctEmail(saleId: string, to: string, from?: ExpectedEmail): Promise<void> {
  if (!isUuid(saleId)) throw notFound("Compra não encontrada");
  await db.transaction(async (tx) => {
    const orderSales = await lockOrder(tx, saleId);
    const target = orderSales.find(({ id }) => id === saleId);
    if (!target) throw notFound("Compra não encontrada");
    const root = orderSales.find(({ parentSaleId }) => parentSaleId === null)!;
    // The sales of an order may have different e-mails: compare with the one that the buyer sees.
    const { customerEmail: before } = target;
    if (before === to) return;
    const correctedAt = target.emailCorrectedAt?.getTime() ?? 0;
    if (from && (before !== from.email || correctedAt !== from.correctedAt))
      throw new Refusal("conflict", "O e-mail desta compra já foi trocado. Este link não vale mais.");
    refuseReturned(target);
    if (isForfeited(target))
      throw new Refusal("conflict", "Os dados desta compra foram apagados a pedido de quem comprou.");
    if (isLeftAnonymous(target)) throw new Refusal("conflict", ANONYMIZED_MESSAGE);
    await refuseTooOften(tx, root.sellerId, root.id);
    const moved = orderSales.filter((one) => one.customerEmail === before && takesEmail(one));
    const ids = moved.map(({ id }) => id);
    await tx
      .update(sales)
      .set({ customerEmail: to, emailCorrectedAt: sql`now()` })
      .where(ownByIds(sales, root.sellerId, ids));
    const data = before ? { from: maskMail(before) } : {};
    await recordSaleEvent(tx, root, { kind: "customer_edited", data }, "buyer");
    await queueCorrectedAccess(tx, { sellerId: root.sellerId, saleIds: ids, before });
    await moveMails(tx, moved, {
      namedSaleId: root.id,
      oldEmail: before,
      newEmail: to,
      correctedBy: "buyer",
    });
  });
}

/**
 * Refuses a correction whose confirmation would be refused.
 * @throws Refusal conflict where the purchase was refunded, or corrected too often
 */
export async function refuseCorrection(sale: {
  saleId: string;
  sellerId: string;
  parentSaleId: string | null;
  status: SaleStatus;
  amountCents: number;
}): Promise<void> {
  refuseReturned(sale);
  await refuseTooOften(db, sale.sellerId, sale.parentSaleId ?? sale.saleId);
}

/** @throws Refusal conflict where the purchase was refunded or charged back, or a free one ended */
export function refuseReturned(sale: { status: SaleStatus; amountCents: number }): void {
  if (sale.status !== "refunded" && sale.status !== "chargedback") return;
  const what = isFreeEnded(sale) ? "O acesso a esta compra terminou" : "Esta compra foi devolvida";
  throw new Refusal("conflict", `${what}: não há mais acesso a enviar.`);
}

/** Corrections of an order are recorded at its first sale. */
async function refuseTooOften(tx: Db, sellerId: string, rootId: string): Promise<void> {
  const corrected = await tx.$count(
    saleEvents,
    and(
      ownOfSale(saleEvents, sellerId, rootId),
      eq(saleEvents.kind, "customer_edited"),
      eq(saleEvents.cause, "buyer"),
    ),
  );
  if (corrected >= MAX_CORRECTIONS)
    throw new Refusal(
      "conflict",
      `O e-mail desta compra já foi corrigido ${MAX_CORRECTIONS} vezes. Fale com quem vendeu: só essa pessoa pode trocá-lo agora.`,
    );
}
