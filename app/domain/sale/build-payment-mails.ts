import type { NewMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import type { SaleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";

/**
 * The buyer's mail and the seller's notification mail of a payment. They are rendered when they are sent, so that no template or
 * name can delay the payment.
 */
export function buildPaymentMails(sale: SaleContacts, paidAt: Date): NewMail[] {
  const { id: saleId } = sale;
  const data = { paidAt: paidAt.toISOString() };
  const mails: NewMail[] = [];
  if (sale.customerEmail) {
    mails.push({
      kind: sale.parentSaleId ? "upsell" : "purchase",
      idempotencyKey: `purchase/${saleId}`,
      recipient: sale.customerEmail,
      sellerId: sale.sellerId,
      saleId,
      data,
    });
  }
  if (sale.notifyNewSale) {
    mails.push({
      kind: "new-sale",
      idempotencyKey: `new-sale/${saleId}`,
      recipient: sale.sellerEmail,
      sellerId: sale.sellerId,
      saleId,
      data,
    });
  }
  return mails;
}
