import type { Tx } from "#app/db/client.server.ts";
import { ownById, ownOfSale } from "#app/db/conditions.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { isSalePayment } from "#app/domain/sale/states.ts";
import { notFound } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";

/** A seller's sale, locked. Lock its charges first (`lockSalePayment`). @throws Refusal not-found */
export async function lockPaidSale(tx: Tx, sellerId: string, saleId: string) {
  const [sale] = isUuid(saleId)
    ? await tx
        .select({
          ...{ id: sales.id, sellerId: sales.sellerId },
          ...{ status: sales.status, amountCents: sales.amountCents },
        })
        .from(sales)
        .where(ownById(sales, sellerId, saleId))
        .for("no key update")
    : [];
  if (!sale) throw notFound("Venda não encontrada");
  return sale;
}

/** The payment that completed a sale, if any. Locks all charges of the sale, in the order of their ids, as others do. */
export async function lockSalePayment(tx: Tx, sellerId: string, saleId: string) {
  const all = isUuid(saleId)
    ? await tx
        .select({
          id: charges.id,
          status: charges.status,
          provider: charges.provider,
          method: charges.method,
          overpaidAt: charges.overpaidAt,
        })
        .from(charges)
        .where(ownOfSale(charges, sellerId, saleId))
        .orderBy(charges.id)
        .for("no key update")
    : [];
  return all.find(isSalePayment);
}
