import { and, eq, gt, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { mails } from "#app/db/schema/mails.server.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import type { SaleEventData } from "#app/domain/sale/events.ts";
import { readSaleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";
import { truncate } from "#app/kit/clean-text.ts";
import { HOUR } from "#app/kit/duration.ts";

/** A broken gateway fails every order: one mail an hour about the same failure is enough. */
const MIN_INTERVAL = HOUR;

/**
 * Queues the seller's mail that an order could not be paid, where they want such mails. Each reason once per sale, and at
 * most once an hour: a cancelled code must not hide that the key was refused.
 */
export async function queueFailedPaymentMail(
  tx: Db,
  saleId: string,
  reason: SaleEventData["failed"]["why"],
  detail: string,
): Promise<void> {
  const sale = await readSaleContacts(tx, saleId);
  if (!sale?.notifyFailedPayment) return;
  const [recent] = await tx
    .select({ id: mails.id })
    .from(mails)
    .where(
      and(
        eq(mails.sellerId, sale.sellerId),
        gt(mails.createdAt, new Date(Date.now() - MIN_INTERVAL)),
        eq(mails.kind, "failed-payment"),
        sql`split_part(${mails.idempotencyKey}, '/', 3) = ${reason}`,
      ),
    )
    .limit(1);
  if (recent) return;
  await queueMail(tx, {
    kind: "failed-payment",
    idempotencyKey: `failed-payment/${saleId}/${reason}`,
    recipient: sale.sellerEmail,
    sellerId: sale.sellerId,
    saleId,
    data: { why: reason, detail: truncate(detail, 300) },
  });
}
