import { eq, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { notify } from "#app/db/notify.server.ts";
import type { Cause } from "#app/db/schema/lists.ts";
import { charges, refunds } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { Statement } from "#app/db/statement.server.ts";
import { addDeliveries } from "#app/domain/outbox/queue-news.server.ts";
import { markSaleReversed } from "#app/domain/sale/mark-sale-reversed.server.ts";
import { noteSale } from "#app/domain/sale/note-sale.server.ts";
import { queuePaymentNewsMail } from "#app/domain/sale/notices/payment-news/queue-payment-news-mail.server.ts";
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
  await queuePartNews(tx, sale.id);
  await noteSale(tx, sale.id, { kind: "partly_refunded", data: { amountCents: back.addedCents } }, cause);
  await queuePaymentNewsMail(tx, sale.id, `part/${sale.id}/${back.refundedCents}`, {
    what: "part-returned",
    amountCents: back.addedCents,
    at: new Date().toISOString(),
    isRecorded: cause === "seller",
  });
  await notify(tx, "sale", sale.id);
}

/** News of each part of the payment that counts which this transaction booked as gone back. */
async function queuePartNews(tx: Tx, saleId: string): Promise<void> {
  const statement = new Statement();
  const facts = statement.add<"sale_id" | "seller_id" | "product_id" | "about_id">(
    "facts",
    sql`select s.id as sale_id, s.seller_id, s.product_id, r.id as about_id
    from ${sales} s inner join ${charges} c on c.sale_id = s.id and c.status = 'paid' and c.surplus_at is null
      inner join ${refunds} r on r.charge_id = c.id and r.status = 'done' and r.ended_at = now()::timestamptz(3)
    where s.id = ${saleId}`,
  );
  addDeliveries(statement, ["sale.partially_refunded"], facts);
  await tx.execute(statement.select());
}
