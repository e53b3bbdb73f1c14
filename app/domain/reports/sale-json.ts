import { deliveryNote } from "#app/domain/reports/delivery-note.ts";
import type { SaleDelivery } from "#app/domain/reports/list-sale-deliveries.server.ts";
import type { ListedSale } from "#app/domain/reports/list-sales.server.ts";
import { netCents } from "#app/domain/reports/net.ts";
import { toReais } from "#app/kit/money.ts";

/** A sale as the API gives it to its seller. Names are the spec's (entity Sale); money in reais. */
export function saleJson(sale: ListedSale) {
  const net = netCents(sale);
  return {
    id: sale.id,
    product_id: sale.productId,
    product_name: sale.productName,
    product_file_url: sale.productFileUrl,
    amount: toReais(sale.amountCents),
    fee_amount: sale.feeCents === null ? null : toReais(sale.feeCents),
    refunded_amount: toReais(sale.refundedCents),
    net_amount: net === null ? null : toReais(net),
    status: sale.status,
    payment_method: sale.paymentMethod,
    transaction_id: sale.transactionId,
    customer_name: sale.customerName,
    customer_email: sale.customerEmail,
    customer_phone: sale.customerPhone,
    customer_document: sale.documentMask,
    customer_ip: sale.customerIp,
    created_at: sale.createdAt.toISOString(),
    utm_source: sale.utmSource,
    utm_medium: sale.utmMedium,
    utm_campaign: sale.utmCampaign,
    utm_term: sale.utmTerm,
    utm_content: sale.utmContent,
  };
}

/** What a delivery's sale adds to it. */
type DeliveredSale = {
  saleId: string;
  customerName: string | null;
  productName: string;
  amountCents: number;
};

/** A mail as the API's log tells of it. Names are the spec's (entity E-mail log). */
export function deliveryJson(mail: SaleDelivery, sale: DeliveredSale) {
  return {
    id: mail.id,
    sale_id: sale.saleId,
    recipient_email: mail.recipient,
    customer_name: sale.customerName,
    product_name: sale.productName,
    amount: toReais(sale.amountCents),
    delivery_status: mail.status,
    retry_count: mail.attempts - 1,
    error_message: deliveryNote(mail),
    created_at: mail.createdAt.toISOString(),
    sent_at: mail.sentAt?.toISOString() ?? null,
  };
}
