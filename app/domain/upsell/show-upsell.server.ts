import { eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { upsellSaleCounts } from "#app/db/schema/products.server.ts";
import { findPaymentTerms } from "#app/domain/checkout/payment-terms.server.ts";
import { findOpenRefundRequests } from "#app/domain/refund/request/find-open-refund-requests.server.ts";
import type { Payment } from "#app/domain/sale/payments.ts";
import type { SaleStatus } from "#app/domain/sale/states.ts";
import { type NextUpsell, startNextUpsell } from "#app/domain/upsell/start-next-upsell.server.ts";

/** The next upsell of a purchase with the data shown next to it. */
export type UpsellView = {
  productName: string;
  /** Whether the buyer gave an e-mail. */
  hasMail: boolean;
  upsell: NextUpsell;
  /** How many sales of the upsell itself were paid; null where there are too few to show. */
  paidSales: number | null;
  /** A text that the provider obliges the seller to show; null where none. */
  warning: string | null;
};

type PaidSale = {
  saleId: string;
  productId: number;
  sellerId: string;
  productName: string;
  hasMail: boolean;
  status: SaleStatus;
  payments: Payment[];
};

/** The data to show the next upsell of a paid sale; null after the last, and while its own payment is to go back. */
export async function showUpsell(sale: PaidSale): Promise<UpsellView | null> {
  if (await isToBeRefunded(sale)) return null;
  const upsell = await startNextUpsell(sale);
  if (!upsell) return null;
  const { warning } = await findPaymentTerms(sale.sellerId);
  const { productName, hasMail } = sale;
  return { productName, hasMail, upsell, paidSales: await countUpsellSales(upsell.id), warning };
}

/** Its page then says what becomes of the money. */
async function isToBeRefunded(sale: PaidSale): Promise<boolean> {
  const paid = sale.payments.find(({ kind }) => kind === "counts");
  if (paid?.refund === "requested" || paid?.refund === "accepted") return true;
  return (await findOpenRefundRequests([sale])).size > 0;
}

/** Fewer are not meaningful. */
const MIN_SHOWN = 10;

/** Paid sales of an upsell, not of the product it follows; null if they are few. */
export async function countUpsellSales(upsellId: number): Promise<number | null> {
  const [row] = await db
    .select({ paid: sql<number>`coalesce(sum(${upsellSaleCounts.completed}), 0)::int` })
    .from(upsellSaleCounts)
    .where(eq(upsellSaleCounts.upsellId, upsellId));
  return row!.paid >= MIN_SHOWN ? row!.paid : null;
}
