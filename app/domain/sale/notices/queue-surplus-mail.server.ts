import type { Tx } from "#app/db/client.server.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { readSaleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";

/** Queues the seller's notice that a sale was paid once more: money to give back. Once a charge, and never switched off. */
export async function queueSurplusMail(
  tx: Tx,
  { saleId, chargeId, amountCents }: { saleId: string; chargeId: string; amountCents: number },
): Promise<void> {
  const sale = await readSaleContacts(tx, saleId);
  if (!sale) throw new Error(`sale ${saleId} is gone`);
  await queueMail(tx, {
    kind: "surplus",
    idempotencyKey: `surplus/${chargeId}`,
    recipient: sale.sellerEmail,
    sellerId: sale.sellerId,
    saleId,
    facts: { amountCents },
  });
}
