import { and, desc, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { checkoutCustomizations } from "#app/db/schema/storefront.server.ts";
import { accessMails, type BuyerMail, saleMails } from "#app/domain/access/access-mails.server.ts";
import { linesOf, type PurchaseLine } from "#app/domain/access/purchase-lines.server.ts";
import { paidCharges } from "#app/domain/charge/known-charges.server.ts";
import { linksEndedAt } from "#app/domain/sale/emptied-why.server.ts";
import { maskedDocument } from "#app/domain/sale/masked-document.server.ts";
import { type Payment, paymentsOf } from "#app/domain/sale/payments.ts";
import type { SaleStatus } from "#app/domain/sale/states.ts";
import { storeColumn } from "#app/domain/storefront/store/find-store.server.ts";
import type { Store } from "#app/domain/storefront/store/store-words.ts";
import { cutPage } from "#app/kit/cut-page.ts";
import { notFound } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";

/** Purchases of one page. */
const PER_PAGE = 10;

/** A paid purchase as whoever reads its buyer's mailbox sees it. Money in cents. */
export type Bought = {
  saleId: string;
  sellerId: string;
  sellerName: string;
  /** When the seller closed the account; null while it is open. */
  shopClosedAt: Date | null;
  /** How the seller wants to be reached; empty where they did not say. */
  contact: string;
  store: Store | null;
  status: SaleStatus;
  accessSuspendedAt: Date | null;
  amountCents: number;
  refundedCents: number;
  /** Every payment received, oldest first. */
  payments: Payment[];
  paidAt: Date;
  emailCorrectedAt: Date | null;
  lines: PurchaseLine[];
};

/** A purchase with who bought it, as they gave it, and all its mails; the document in part, enough to compare with. */
export type Receipted = Bought & {
  buyer: { name: string | null; documentMask: string | null };
  mails: BuyerMail[];
};

/** Where a page of purchases begins: below this one. */
export type BoughtPlace = { paidAt: Date; saleId: string };

/** What was bought from one seller; purchases newest first. */
export type SellersPurchases = Pick<Bought, "sellerId" | "sellerName" | "contact" | "store"> & {
  purchases: (Bought & { mail: BuyerMail | null })[];
};

/** A page of what was bought with an e-mail, newest first, by seller. In four statements, however much it is. */
export async function listPurchases(
  email: string,
  before: BoughtPlace | null,
): Promise<{ sellers: SellersPurchases[]; older: BoughtPlace | null }> {
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
  const { items, older } = cutPage(rows, { limit: PER_PAGE, before });
  const ids = items.map(({ saleId }) => saleId);
  const lines = await linesOf(ids);
  const mails = await accessMails(ids, email);
  const purchases = items.map((row) => ({
    ...withLines(row, lines),
    mail: mails.get(row.saleId) ?? null,
  }));
  const bySeller = [...Map.groupBy(purchases, ({ sellerId }) => sellerId).values()];
  return {
    sellers: bySeller.map((of) => {
      const { sellerId, sellerName, contact, store } = of[0]!;
      return { sellerId, sellerName, contact, store, purchases: of };
    }),
    older: older && { paidAt: older.completedAt!, saleId: older.saleId },
  };
}

/** One purchase with all its mails. @throws Refusal not-found where it was not bought with this e-mail */
export async function findBought(email: string, saleId: string): Promise<Receipted> {
  const [row] = isUuid(saleId)
    ? await select(and(eq(sales.id, saleId), eq(sales.customerEmail, email), isNotNull(sales.completedAt)), 1)
    : [];
  if (!row) throw notFound("Compra não encontrada");
  const buyer = { name: row.customerName, documentMask: maskedDocument(row.documentSealed) };
  return { ...withLines(row, await linesOf([saleId])), buyer, mails: await saleMails(saleId, email) };
}

function select(which: SQL | undefined, limit: number) {
  return db
    .select({
      saleId: sales.id,
      sellerId: sales.sellerId,
      sellerName: sql<string>`coalesce(nullif(${sellers.company}, ''), ${sellers.name})`,
      shopClosedAt: sellers.closedAt,
      contact: sql<string>`coalesce(${checkoutCustomizations.settings} ->> 'support_contact', '')`,
      store: storeColumn,
      status: sales.status,
      accessSuspendedAt: sales.accessSuspendedAt,
      amountCents: sales.amountCents,
      refundedCents: sales.refundedCents,
      feeCents: sales.feeCents,
      completedAt: sales.completedAt,
      charges: paidCharges,
      emailCorrectedAt: linksEndedAt,
      customerName: sales.customerName,
      documentSealed: sales.customerDocumentSealed,
    })
    .from(sales)
    .innerJoin(sellers, eq(sellers.id, sales.sellerId))
    .leftJoin(checkoutCustomizations, eq(checkoutCustomizations.sellerId, sales.sellerId))
    .where(which)
    .orderBy(desc(sales.completedAt), desc(sales.id))
    .limit(limit);
}

function withLines(
  {
    customerName: _,
    documentSealed: __,
    charges,
    feeCents,
    completedAt,
    ...row
  }: Awaited<ReturnType<typeof select>>[number],
  lines: Map<string, PurchaseLine[]>,
): Bought {
  const payments = paymentsOf({ ...row, charges, feeCents, completedAt });
  return { ...row, payments, paidAt: completedAt!, lines: lines.get(row.saleId) ?? [] };
}
