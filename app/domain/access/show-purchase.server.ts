import { eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { products, upsells } from "#app/db/schema/products.server.ts";
import { saleLines, sales } from "#app/db/schema/sales.server.ts";
import { sellerNameSql, sellers } from "#app/db/schema/sellers.server.ts";
import { findPurchaseLines, type PurchaseLine } from "#app/domain/access/find-purchase-lines.server.ts";
import { isBumpGone, isForSale } from "#app/domain/charge/conditions.server.ts";
import { paymentSummaryColumns } from "#app/domain/charge/payment-summary-columns.server.ts";
import { rejectedDisputesOf } from "#app/domain/sale/dispute/rejected-disputes.server.ts";
import { type BuyerPaymentSummary, hadCode, summarizePayments } from "#app/domain/sale/payment-summary.ts";
import type { Payment } from "#app/domain/sale/payments.ts";
import { isForfeitedSql, linksRevokedAt } from "#app/domain/sale/sale-anonymization.server.ts";
import type { SaleStatus } from "#app/domain/sale/states.ts";
import type { RejectedDispute } from "#app/domain/storefront/guarantee-end.ts";
import { isUuid } from "#app/kit/uuid.ts";

/** A purchase as its buyer sees it: no file addresses, and of the buyer's data only the e-mail. Money in cents. */
export type Purchase = {
  saleId: string;
  productId: number;
  productName: string;
  imageUrl: string | null;
  redirectUrl: string | null;
  sellerId: string;
  sellerName: string;
  /** When the seller closed the account; null while it is open. */
  shopClosedAt: Date | null;
  status: SaleStatus;
  accessSuspendedAt: Date | null;
  amountCents: number;
  /** The coupon that lowered the prices of its lines. */
  couponCode: string | null;
  parentSaleId: string | null;
  /** The payment state for its buyer. */
  paymentSummary: BuyerPaymentSummary;
  /** The charge by which the open page asks for it; null where none was made. */
  chargeId: string | null;
  /** Whether it ever had a PIX code, with which its first mail comes. */
  hadCode: boolean;
  /** When its code can no longer be paid; null where there is none, or it does not expire. */
  codeExpiresAt: Date | null;
  /** When it was first paid; null until then. */
  completedAt: Date | null;
  /** Every payment received, oldest first. */
  payments: Payment[];
  /** `pix`, `card` or `free`; of an unpaid order what its buyer chose. */
  paymentMethod: string;
  lines: PurchaseLine[];
  /** Whether mails can reach the buyer. */
  hasMail: boolean;
  customerEmail: string | null;
  emailCorrectedAt: Date | null;
  /** Its buyer had it anonymized, and lost the access with that. */
  isGivenUp: boolean;
  /** Its buyer's data was removed: as it is unpaid, it gets no new code. */
  isAnonymized: boolean;
  /** Whether its product, or its upsell, is still for sale: only then an unpaid one gets a new code. */
  isForSale: boolean;
  /** Whether one of its bumps is not: then it gets none, either. */
  isBumpGone: boolean;
  /** As promised at the checkout; null where it was not stored. */
  guaranteeDays: number | null;
  rejectedDisputes: RejectedDispute[];
};

/** The picture of what was sold: an upsell's own one. */
const imageUrl = sql<string | null>`case when ${sales.parentSaleId} is null then ${products.imageUrl} else
  (select u.image_url from ${saleLines} l inner join ${upsells} u on u.seller_id = l.seller_id and u.id = l.upsell_id
    where l.seller_id = ${sales.sellerId} and l.sale_id = ${sales.id} order by l.position limit 1) end`;

/** A sale and its lines; null for an unknown one. */
export async function showPurchase(saleId: string): Promise<Purchase | null> {
  if (!isUuid(saleId)) return null;
  const [found] = await db
    .select({
      saleId: sales.id,
      productId: products.id,
      productName: products.name,
      imageUrl,
      redirectUrl: products.redirectUrl,
      sellerId: sales.sellerId,
      sellerName: sellerNameSql,
      shopClosedAt: sellers.closedAt,
      accessSuspendedAt: sales.accessSuspendedAt,
      known: paymentSummaryColumns,
      couponCode: sales.couponCode,
      paymentMethod: sales.paymentMethod,
      parentSaleId: sales.parentSaleId,
      customerEmail: sales.customerEmail,
      emailCorrectedAt: linksRevokedAt,
      isGivenUp: isForfeitedSql,
      isAnonymized: sql<boolean>`${sales.anonymizedAt} is not null`,
      isForSale,
      isBumpGone,
      guaranteeDays: sales.guaranteeDays,
      rejectedDisputes: rejectedDisputesOf(sql`${sales}`),
      hasMail: sql<boolean>`${sales.customerEmail} is not null`,
    })
    .from(sales)
    .innerJoin(products, eq(products.id, sales.productId))
    .innerJoin(sellers, eq(sellers.id, sales.sellerId))
    .where(eq(sales.id, saleId));
  if (!found) return null;
  const { known, ...sale } = found;
  const { buyer, payments, chargeId } = summarizePayments(known, new Date());
  const payable = buyer === "payable" ? known.charges.find(({ id }) => id === chargeId) : undefined;
  return {
    ...sale,
    status: known.status,
    amountCents: known.amountCents,
    completedAt: known.completedAt,
    paymentSummary: buyer,
    chargeId,
    hadCode: hadCode(known.charges),
    codeExpiresAt: payable?.expiresAt ?? null,
    payments,
    lines: (await findPurchaseLines([saleId])).get(saleId) ?? [],
  };
}
