import { and, eq, inArray } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { saleEvents, sales } from "#app/db/schema/sales.server.ts";
import { moveMails } from "#app/domain/access/correction/move-mails.server.ts";
import { queueCorrectedAccess } from "#app/domain/outbox/queue-corrected-access.server.ts";
import { lockOrder, type OrderedSale } from "#app/domain/sale/lock-order.server.ts";
import { noteSale } from "#app/domain/sale/note-sale.server.ts";
import { maskMail } from "#app/kit/mail-address.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";

/** How often a buyer may correct the e-mail of one purchase. */
const MOST = 3;

/** An address, and when it was last corrected to it; 0 where it was ordered with. An address may come back. */
type Permitted = { email: string; correctedAt: number };

/**
 * Corrects the e-mail of an order or a purchase, with what was taken after it, for its buyer: whoever calls this has seen
 * that it is them. The links mailed before open nothing any more, the access goes to the new address, a notice to the old
 * one. The same correction once more changes nothing.
 * @param from the e-mail it must have had ever since, where the permission is for that one alone
 * @throws Refusal not-found; conflict where the purchase was given back or emptied, was corrected since, or too often
 */
export async function correctEmail(saleId: string, to: string, from?: Permitted): Promise<void> {
  if (!isUuid(saleId)) throw notFound("Compra não encontrada");
  await db.transaction(async (tx) => {
    const family = await lockOrder(tx, saleId);
    const root = family.find(({ parentSaleId }) => parentSaleId === null);
    const asked = family.find(({ id }) => id === saleId);
    if (!root || !asked) throw notFound("Compra não encontrada");
    // One of them may have been corrected alone: what is asked about is what the buyer sees.
    const { customerEmail: before } = asked;
    if (before === to) return;
    const correctedAt = asked.emailCorrectedAt?.getTime() ?? 0;
    if (from && (before !== from.email || correctedAt !== from.correctedAt))
      throw new Refusal("conflict", "O e-mail desta compra já foi trocado. Este link não vale mais.");
    if (asked.status === "refunded" || asked.status === "chargedback")
      throw new Refusal("conflict", "Esta compra foi devolvida: não há mais acesso a enviar.");
    if (isGivenUp(asked))
      throw new Refusal("conflict", "Os dados desta compra foram apagados a pedido de quem comprou.");
    await refuseTooOften(tx, root.id);
    const moved = family.filter((one) => one.customerEmail === before && !isGivenUp(one));
    const ids = moved.map(({ id }) => id);
    await tx
      .update(sales)
      .set({ customerEmail: to, emailCorrectedAt: new Date() })
      .where(inArray(sales.id, ids));
    const data = before ? { from: maskMail(before) } : {};
    await noteSale(tx, root.id, { kind: "customer_edited", data }, "buyer");
    await queueCorrectedAccess(tx, ids, before);
    await moveMails(tx, moved, { first: root.id, before, to, by: "buyer" });
  });
}

/** The same as for a query (`emptied-why.server.ts`). */
function isGivenUp({ customerEmail, emptiedAt, completedAt }: OrderedSale): boolean {
  return !customerEmail && emptiedAt !== null && completedAt !== null && completedAt <= emptiedAt;
}

async function refuseTooOften(tx: Tx, saleId: string): Promise<void> {
  const corrected = await tx.$count(
    saleEvents,
    and(eq(saleEvents.saleId, saleId), eq(saleEvents.kind, "customer_edited"), eq(saleEvents.cause, "buyer")),
  );
  if (corrected >= MOST)
    throw new Refusal(
      "conflict",
      `O e-mail desta compra já foi corrigido ${MOST} vezes. Fale com quem vendeu: só essa pessoa pode trocá-lo agora.`,
    );
}
