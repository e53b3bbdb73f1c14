import { eq } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { notify } from "#app/db/notify.server.ts";
import type { Cause } from "#app/db/schema/lists.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { markSaleReversed } from "#app/domain/sale/mark-sale-reversed.server.ts";
import { noteSale } from "#app/domain/sale/note-sale.server.ts";
import { mayMove, type SaleStatus } from "#app/domain/sale/states.ts";

/**
 * What money gone back means for a sale, whose row the caller locked: all of it makes it refunded, a part stands beside it.
 * Of a contested sale all has gone back already.
 * @param back in cents: of the payment that counts, in all (`refundedCents`) and just now (`addedCents`)
 */
export async function giveBackSale(
  tx: Tx,
  sale: { id: string; status: SaleStatus },
  back: { refundedCents: number; addedCents: number },
  cause: Cause,
): Promise<void> {
  if (sale.status === "chargedback") return notify(tx, "sale", sale.id);
  const [{ amountCents }] = (await tx
    .select({ amountCents: sales.amountCents })
    .from(sales)
    .where(eq(sales.id, sale.id))) as [{ amountCents: number }];
  if (back.refundedCents >= amountCents) {
    if (mayMove(sale.status, "refunded"))
      await markSaleReversed(tx, sale, { to: "refunded", refundedCents: amountCents }, cause);
    return;
  }
  await tx.update(sales).set({ refundedCents: back.refundedCents }).where(eq(sales.id, sale.id));
  await noteSale(tx, sale.id, { kind: "partly_refunded", data: { amountCents: back.addedCents } }, cause);
  await notify(tx, "sale", sale.id);
}
