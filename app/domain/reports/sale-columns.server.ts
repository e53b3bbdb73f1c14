import { sql } from "drizzle-orm";
import { charges } from "#app/db/schema/payments.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { saleLines, sales } from "#app/db/schema/sales.server.ts";
import { paidCharges } from "#app/domain/charge/known-charges.server.ts";
import { emptiedWhy } from "#app/domain/sale/emptied-why.server.ts";
import { maskedDocument } from "#app/domain/sale/masked-document.server.ts";
import { type PaidSale, paymentsOf, sumPayments } from "#app/domain/sale/payments.ts";

/** What is read of a sale, with its payments and their sums, and its buyer's document as it may be shown. */
export function asReported<T extends PaidSale & { customerDocumentSealed: string | null }>({
  customerDocumentSealed,
  charges,
  ...sale
}: T) {
  const payments = paymentsOf({ ...sale, charges });
  const documentMask = maskedDocument(customerDocumentSealed);
  return { ...sale, documentMask, payments, ...sumPayments(payments) };
}

/** A sale as reports tell of it, over `sales` joined with `products`. Money in cents. */
export const saleColumns = {
  id: sales.id,
  productId: sales.productId,
  productName: sql<string>`coalesce((
    select l.name from ${saleLines} l where l.sale_id = ${sales.id} order by l.position limit 1
  ), ${products.name})`,
  productFileUrl: products.fileUrl,
  amountCents: sales.amountCents,
  feeCents: sales.feeCents,
  refundedCents: sales.refundedCents,
  status: sales.status,
  accessSuspendedAt: sales.accessSuspendedAt,
  completedAt: sales.completedAt,
  charges: paidCharges,
  paymentMethod: sales.paymentMethod,
  /** The provider's id of the payment: the paid charge's, else the newest one's. */
  transactionId: sql<string | null>`(
    select c.provider_id from ${charges} c where c.sale_id = ${sales.id}
    order by (c.status = 'paid') desc, c.created_at desc limit 1
  )`,
  customerName: sales.customerName,
  customerEmail: sales.customerEmail,
  customerPhone: sales.customerPhone,
  customerDocumentSealed: sales.customerDocumentSealed,
  customerIp: sales.customerIp,
  emptied: emptiedWhy,
  createdAt: sales.createdAt,
  utmSource: sales.utmSource,
  utmMedium: sales.utmMedium,
  utmCampaign: sales.utmCampaign,
  utmTerm: sales.utmTerm,
  utmContent: sales.utmContent,
};
