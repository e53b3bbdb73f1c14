import { describeMailProblem } from "#app/domain/reports/describe-mail-problem.ts";
import type { LoggedSaleMail } from "#app/domain/reports/list-sale-mails.server.ts";
import type { ListedSale } from "#app/domain/reports/list-sales.server.ts";
import type { Payment } from "#app/domain/sale/payments.ts";
import { toReais, toReaisOrNull } from "#app/kit/money.ts";

/** A sale in the API for its seller. Money in reais. */
export function toSaleJson(sale: ListedSale) {
  return {
    id: sale.id,
    product_id: sale.productId,
    product_name: sale.productName,
    product_file_url: sale.productFileUrl,
    amount: toReais(sale.amountCents),
    received_amount: toReais(sale.receivedCents),
    fee_amount: toReaisOrNull(sale.feeCents),
    refunded_amount: toReais(sale.refundedCents),
    net_amount: toReaisOrNull(sale.netCents),
    offer: sale.offerId === null ? null : { id: sale.offerId, name: sale.offerName },
    quantity: sale.quantity,
    coupon:
      sale.couponCode === null ? null : { code: sale.couponCode, discount: toReais(sale.discountCents) },
    payments: sale.payments.map(toPaymentJson),
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

/** A payment in the API: received less refunded less fee is net. */
function toPaymentJson(payment: Payment) {
  return {
    charge_id: payment.chargeId,
    kind: payment.kind,
    instalments: payment.card?.instalments ?? null,
    buyer_paid: toReaisOrNull(payment.card?.buyerCents ?? null),
    received: toReais(payment.receivedCents),
    refunded: toReais(payment.refundedCents),
    fee: toReaisOrNull(payment.feeCents),
    net: toReais(payment.netCents),
    paid_at: payment.paidAt.toISOString(),
    refund_status: payment.refund,
    refunded_at: payment.refundedAt?.toISOString() ?? null,
  };
}

/** What a mail's sale adds to it. */
type MailedSale = {
  saleId: string;
  customerName: string | null;
  productName: string;
  amountCents: number;
};

/** A mail in the API's log. */
export function toMailLogJson(mail: LoggedSaleMail, sale: MailedSale) {
  return {
    id: mail.id,
    sale_id: sale.saleId,
    recipient_email: mail.recipient,
    customer_name: sale.customerName,
    product_name: sale.productName,
    amount: toReais(sale.amountCents),
    delivery_status: mail.status,
    retry_count: mail.attempts - 1,
    error_message: describeMailProblem(mail),
    created_at: mail.createdAt.toISOString(),
    sent_at: mail.sentAt?.toISOString() ?? null,
  };
}
