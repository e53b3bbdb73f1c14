import type { Db } from "#app/db/client.server.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { readSaleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";

/**
 * Queues the seller's mail that a refund they requested was never confirmed, or rejected after it was accepted, once per
 * refund. Sent whatever mails they want: only they can resolve it. Money in cents.
 */
export async function queueUnconfirmedRefundMail(
  tx: Db,
  saleId: string,
  refund: { refundId: string; amountCents: number; requestedAt: Date; isRejected?: boolean },
): Promise<void> {
  const sale = await readSaleContacts(tx, saleId);
  if (!sale) return;
  await queueMail(tx, {
    kind: "unconfirmed-refund",
    idempotencyKey: `unconfirmed-refund/${refund.refundId}`,
    recipient: sale.sellerEmail,
    sellerId: sale.sellerId,
    saleId,
    data: {
      amountCents: refund.amountCents,
      requestedAt: refund.requestedAt.toISOString(),
      isRejected: refund.isRejected ?? false,
    },
  });
}
