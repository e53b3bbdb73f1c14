import { sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { ownById } from "#app/db/conditions.server.ts";
import { notify } from "#app/db/notify.server.ts";
import type { Cause } from "#app/db/schema/lists.ts";
import { charges, refunds } from "#app/db/schema/payments.server.ts";
import { saleEvents, sales } from "#app/db/schema/sales.server.ts";
import { Statement } from "#app/db/statement.server.ts";
import { addDeliveries } from "#app/domain/delivery/queue-deliveries.server.ts";
import { queueBuyerPaymentMail } from "#app/domain/sale/mails/payment/queue-buyer-payment-mail.server.ts";
import { markSaleRefunded } from "#app/domain/sale/mark-sale-refunded.server.ts";
import { recordSaleEvent } from "#app/domain/sale/record-sale-event.server.ts";
import { mayMoveSale, type SaleStatus } from "#app/domain/sale/states.ts";

/**
 * Applies a refund to a sale, whose row the caller locked: a full refund makes it refunded, a partial one is recorded
 * with it. A charged-back sale is already refunded in full.
 * @param refunded in cents: of the payment that counts, in all (`refundedCents`) and just now (`addedCents`)
 */
export async function bookSaleRefund(
  tx: Tx,
  sale: { id: string; sellerId: string; status: SaleStatus },
  refunded: { refundedCents: number; addedCents: number },
  cause: Cause,
): Promise<void> {
  if (sale.status === "chargedback") return notify(tx, "sale", sale.id);
  const isSale = ownById(sales, sale.sellerId, sale.id);
  const [{ amountCents }] = (await tx
    .select({ amountCents: sales.amountCents })
    .from(sales)
    .where(isSale)) as [{ amountCents: number }];
  if (refunded.refundedCents >= amountCents) {
    if (!mayMoveSale(sale.status, "refunded")) return;
    const restCents = refunded.addedCents < refunded.refundedCents ? refunded.addedCents : undefined;
    await markSaleRefunded(tx, sale, { to: "refunded", refundedCents: amountCents }, cause, restCents);
    return;
  }
  await tx.update(sales).set({ refundedCents: refunded.refundedCents }).where(isSale);
  await queuePartialRefundDeliveries(tx, sale);
  await recordSaleEvent(
    tx,
    sale,
    { kind: "partly_refunded", data: { amountCents: refunded.addedCents } },
    cause,
  );
  await queueBuyerPaymentMail(tx, sale.id, `part/${sale.id}/${refunded.refundedCents}`, {
    what: "part-returned",
    amountCents: refunded.addedCents,
    at: new Date().toISOString(),
    isRecorded: cause === "seller",
  });
  await notify(tx, "sale", sale.id);
}

/**
 * Queues a delivery for each partial refund that this transaction booked on the payment that counts. The first booking, whose
 * event is recorded after this, covers earlier refunds, too: of a payment whose amount its provider corrected since.
 */
async function queuePartialRefundDeliveries(
  tx: Tx,
  { id: saleId, sellerId }: { id: string; sellerId: string },
): Promise<void> {
  const statement = new Statement();
  const occurrences = statement.add<"sale_id" | "seller_id" | "product_id" | "about_id">(
    "occurrences",
    sql`select s.id as sale_id, s.seller_id, s.product_id, r.id as about_id, r.ended_at
    from ${sales} s inner join ${charges} c on c.seller_id = s.seller_id and c.sale_id = s.id and c.status = 'paid' and c.overpaid_at is null
      inner join ${refunds} r on r.seller_id = c.seller_id and r.charge_id = c.id and r.status = 'done'
    where s.seller_id = ${sellerId} and s.id = ${saleId} and (r.ended_at = now()::timestamptz(3) or not exists (
      select from ${saleEvents} e where e.seller_id = s.seller_id and e.sale_id = s.id and e.kind = 'partly_refunded'))`,
  );
  addDeliveries(statement, ["sale.partially_refunded"], occurrences, sql`f.ended_at, f.about_id`);
  await tx.execute(statement.select());
}
