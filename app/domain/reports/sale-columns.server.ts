import { sql } from "drizzle-orm";
import { orderBumps, products, upsells } from "#app/db/schema/products.server.ts";
import { saleLines, sales } from "#app/db/schema/sales.server.ts";
import { lineLink } from "#app/domain/catalog/content/line-link.server.ts";
import { paidSaleColumns } from "#app/domain/charge/payment-summary-columns.server.ts";
import { maskSealedDocument } from "#app/domain/sale/mask-sealed-document.server.ts";
import { sumPayments } from "#app/domain/sale/payment-totals.ts";
import { derivePayments, type PaidSale } from "#app/domain/sale/payments.ts";
import { anonymizationReason } from "#app/domain/sale/sale-anonymization.server.ts";
import { transactionIdSql } from "#app/domain/sale/transaction-id.server.ts";

/** A sale as it was read, with its payments and their sums, and its buyer's document masked. */
export function withPayments<T extends PaidSale & { customerDocumentSealed: string | null }>({
  customerDocumentSealed,
  charges,
  ...sale
}: T) {
  const payments = derivePayments({ ...sale, charges });
  const documentMask = maskSealedDocument(customerDocumentSealed);
  return { ...sale, documentMask, payments, ...sumPayments(payments) };
}

/** A sale in reports, over `sales` joined with `products`. Money in cents. */
export const saleColumns = {
  id: sales.id,
  productId: sales.productId,
  productName: sql<string>`coalesce((
    select l.name from ${saleLines} l where l.seller_id = ${sales.sellerId} and l.sale_id = ${sales.id} order by l.position limit 1
  ), ${products.name})`,
  productFileUrl: sql<string | null>`(
    select ${lineLink} from ${saleLines} left join ${products} on ${products.id} = ${saleLines.productId}
      left join ${orderBumps} on ${orderBumps.id} = ${saleLines.orderBumpId} left join ${upsells} on ${upsells.id} = ${saleLines.upsellId}
    where ${saleLines.sellerId} = ${sales.sellerId} and ${saleLines.saleId} = ${sales.id} order by ${saleLines.position} limit 1)`,
  offerId: sales.offerId,
  offerName: sales.offerName,
  quantity: sales.quantity,
  couponCode: sales.couponCode,
  discountCents: sql<number>`case when ${sales.couponId} is null then 0 else (
    select coalesce(sum(l.discount_cents), 0)::int from ${saleLines} l
    where l.seller_id = ${sales.sellerId} and l.sale_id = ${sales.id}) end`,
  ...paidSaleColumns,
  accessSuspendedAt: sales.accessSuspendedAt,
  paymentMethod: sales.paymentMethod,
  transactionId: transactionIdSql,
  customerName: sales.customerName,
  customerEmail: sales.customerEmail,
  customerPhone: sales.customerPhone,
  customerDocumentSealed: sales.customerDocumentSealed,
  customerIp: sales.customerIp,
  anonymizedReason: anonymizationReason,
  createdAt: sales.createdAt,
  utmSource: sales.utmSource,
  utmMedium: sales.utmMedium,
  utmCampaign: sales.utmCampaign,
  utmTerm: sales.utmTerm,
  utmContent: sales.utmContent,
};
