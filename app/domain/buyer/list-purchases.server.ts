import { and, desc, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sellerNameSql, sellers } from "#app/db/schema/sellers.server.ts";
import { checkoutCustomizations } from "#app/db/schema/storefront.server.ts";
import {
  type BuyerMail,
  findAccessMails,
  findSaleMails,
} from "#app/domain/access/find-buyer-mails.server.ts";
import { findPurchaseLines, type PurchaseLine } from "#app/domain/access/find-purchase-lines.server.ts";
import { paidSaleColumns } from "#app/domain/charge/payment-summary-columns.server.ts";
import { maskSealedDocument } from "#app/domain/sale/mask-sealed-document.server.ts";
import { derivePayments, type Payment } from "#app/domain/sale/payments.ts";
import { linksRevokedAt } from "#app/domain/sale/sale-anonymization.server.ts";
import type { SaleStatus } from "#app/domain/sale/states.ts";
import { storeColumn } from "#app/domain/storefront/store/find-store.server.ts";
import type { Store } from "#app/domain/storefront/store/format-store.ts";
import { paginate } from "#app/kit/paginate.ts";
import { notFound } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";

/** Purchases of one page. */
const PER_PAGE = 10;

/** A paid purchase as shown to its buyer in the portal. Money in cents. */
export type PaidPurchase = {
  saleId: string;
  sellerId: string;
  sellerName: string;
  /** When the seller closed the account; null while it is open. */
  shopClosedAt: Date | null;
  /** The seller's support contact; empty where none was given. */
  contact: string;
  store: Store | null;
  status: SaleStatus;
  accessSuspendedAt: Date | null;
  amountCents: number;
  couponCode: string | null;
  refundedCents: number;
  /** `pix`, `card` or `free`. */
  paymentMethod: string;
  /** Every payment received, oldest first. */
  payments: Payment[];
  paidAt: Date;
  emailCorrectedAt: Date | null;
  lines: PurchaseLine[];
};

/** A purchase with its buyer's data and all its mails; the document is masked, but can be compared. */
export type PurchaseReceipt = PaidPurchase & {
  buyer: { name: string | null; documentMask: string | null };
  mails: BuyerMail[];
};

/** The page cursor of purchases. */
export type PurchaseCursor = { paidAt: Date; saleId: string };

/** The purchases from one seller, newest first. */
export type SellerPurchases = Pick<PaidPurchase, "sellerId" | "sellerName" | "contact" | "store"> & {
  purchases: (PaidPurchase & { mail: BuyerMail | null })[];
};

/** A page of the purchases of an e-mail, newest first, by seller. Four statements, whatever the number of purchases. */
export async function listPurchases(
  email: string,
  before: PurchaseCursor | null,
): Promise<{ sellers: SellerPurchases[]; older: PurchaseCursor | null }> {
  const rows = await select(
    and(
      eq(sales.customerEmail, email),
      isNotNull(sales.completedAt),
      before
        ? sql`(${sales.completedAt}, ${sales.id}) < (${before.paidAt.toISOString()}::timestamptz, ${before.saleId}::uuid)`
        : undefined,
    ),
    PER_PAGE + 1,
  );
  const { items, older } = paginate(rows, { limit: PER_PAGE, before });
  const ids = items.map(({ saleId }) => saleId);
  const lines = await findPurchaseLines(ids);
  const mails = await findAccessMails(ids, email);
  const purchases = items.map((row) => ({
    ...toPaidPurchase(row, lines),
    mail: mails.get(row.saleId) ?? null,
  }));
  const bySeller = [...Map.groupBy(purchases, ({ sellerId }) => sellerId).values()];
  return {
    sellers: bySeller.map((ofSeller) => {
      const { sellerId, sellerName, contact, store } = ofSeller[0]!;
      return { sellerId, sellerName, contact, store, purchases: ofSeller };
    }),
    older: older && { paidAt: older.completedAt!, saleId: older.saleId },
  };
}

/** One purchase with all its mails. @throws Refusal not-found where it was not bought with this e-mail */
export async function findPurchaseReceipt(email: string, saleId: string): Promise<PurchaseReceipt> {
  const [row] = isUuid(saleId)
    ? await select(and(eq(sales.id, saleId), eq(sales.customerEmail, email), isNotNull(sales.completedAt)), 1)
    : [];
  if (!row) throw notFound("Compra não encontrada");
  const buyer = { name: row.customerName, documentMask: maskSealedDocument(row.documentSealed) };
  return {
    ...toPaidPurchase(row, await findPurchaseLines([saleId])),
    buyer,
    mails: await findSaleMails(saleId, email),
  };
}

function select(condition: SQL | undefined, limit: number) {
  return db
    .select({
      saleId: sales.id,
      sellerId: sales.sellerId,
      sellerName: sellerNameSql,
      shopClosedAt: sellers.closedAt,
      contact: sql<string>`coalesce(${checkoutCustomizations.settings} ->> 'support_contact', '')`,
      store: storeColumn,
      accessSuspendedAt: sales.accessSuspendedAt,
      paymentMethod: sales.paymentMethod,
      couponCode: sales.couponCode,
      ...paidSaleColumns,
      emailCorrectedAt: linksRevokedAt,
      customerName: sales.customerName,
      documentSealed: sales.customerDocumentSealed,
    })
    .from(sales)
    .innerJoin(sellers, eq(sellers.id, sales.sellerId))
    .leftJoin(checkoutCustomizations, eq(checkoutCustomizations.sellerId, sales.sellerId))
    .where(condition)
    .orderBy(desc(sales.completedAt), desc(sales.id))
    .limit(limit);
}

function toPaidPurchase(
  {
    customerName: _,
    documentSealed: __,
    charges,
    feeCents,
    completedAt,
    ...row
  }: Awaited<ReturnType<typeof select>>[number],
  lines: Map<string, PurchaseLine[]>,
): PaidPurchase {
  const payments = derivePayments({ ...row, charges, feeCents, completedAt });
  return { ...row, payments, paidAt: completedAt!, lines: lines.get(row.saleId) ?? [] };
}
