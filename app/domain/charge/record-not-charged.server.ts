import { and, eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { ownById, saleOfCharge } from "#app/db/conditions.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { hasOtherPayable } from "#app/domain/charge/conditions.server.ts";
import { isLongUndecided } from "#app/domain/charge/long-undecided.ts";
import { moveCharge } from "#app/domain/charge/move-charge.server.ts";
import { moveSale } from "#app/domain/sale/move-sale.server.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { log } from "#app/platform/log.server.ts";

const DECIDED = "Este cartão não espera mais uma resposta: veja o histórico da venda.";

/**
 * Records that a card which its provider has not decided for long was not charged, as its seller found out there: the order
 * fails as if its provider had cancelled the payment, so that its buyer can pay again. A payment that is confirmed later still
 * counts. Nobody is mailed.
 * @throws Refusal not-found; conflict where the card is decided, or its provider has had less time
 */
export async function recordNotCharged(sellerId: string, chargeId: string): Promise<void> {
  await db.transaction(async (tx) => {
    const [found] = isUuid(chargeId)
      ? await tx
          .select({
            charge: {
              ...{ id: charges.id, sellerId: charges.sellerId },
              ...{ method: charges.method, status: charges.status, createdAt: charges.createdAt },
            },
            sale: { id: sales.id, sellerId: sales.sellerId, status: sales.status },
          })
          .from(charges)
          .innerJoin(sales, saleOfCharge)
          .where(ownById(charges, sellerId, chargeId))
          .for("no key update", { of: [charges, sales] })
      : [];
    if (!found) throw notFound("Pagamento não encontrado");
    const { charge, sale } = found;
    if (!isLongUndecided(charge, new Date())) throw new Refusal("conflict", DECIDED);
    await moveCharge(tx, charge, { to: "cancelled" }, "seller");
    const [payable] = await tx
      .select({ hasOther: hasOtherPayable(chargeId) })
      .from(sales)
      .where(and(eq(sales.sellerId, sellerId), eq(sales.id, sale.id)));
    if (sale.status === "pending" && !payable!.hasOther)
      await moveSale(tx, sale, { to: "failed", reason: "cancelled", chargeId }, "seller");
  });
  log.info({ chargeId }, "undecided card recorded by the seller: not charged");
}
