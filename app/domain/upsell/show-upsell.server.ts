import { eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { upsellSaleCounts } from "#app/db/schema/products.server.ts";
import { findAccessMails } from "#app/domain/access/find-buyer-mails.server.ts";
import type { MailState } from "#app/domain/access/mail-state.ts";
import { findUpsellTerms } from "#app/domain/checkout/find-upsell-terms.server.ts";
import { OrderRefusal } from "#app/domain/order/order-refusal.ts";
import type { OpenRefundRequest } from "#app/domain/refund/request/open-refund-request.ts";
import type { Payment } from "#app/domain/sale/payments.ts";
import type { SaleStatus } from "#app/domain/sale/states.ts";
import { isToBeRefunded } from "#app/domain/upsell/is-to-be-refunded.ts";
import { type NextUpsell, startNextUpsell } from "#app/domain/upsell/start-next-upsell.server.ts";
import { DAY } from "#app/kit/duration.ts";

/** The next upsell of a purchase with the data shown next to it. */
export type UpsellView = {
  productName: string;
  /** Whether its buyer has just paid; else the upsell was added, or they came back, long after. */
  isJustPaid: boolean;
  /** What became of the mail with the access; null where none is known. */
  mailState: MailState | null;
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
  customerEmail: string | null;
  completedAt: Date | null;
  status: SaleStatus;
  payments: Payment[];
  refundRequest: OpenRefundRequest | null;
};

/** The data to show the next upsell of a paid sale; null after the last, where none could be paid, and while its own payment is to go back. */
export async function showUpsell(sale: PaidSale): Promise<UpsellView | null> {
  if (isToBeRefunded(sale)) return null;
  let warning: string | null = null;
  const upsell = await startNextUpsell(sale, async () => {
    const terms = await findUpsellTerms(sale.saleId);
    if (terms instanceof OrderRefusal) return null;
    warning = terms.warning;
    return terms.limits;
  });
  if (!upsell) return null;
  const { productName, saleId, customerEmail, completedAt } = sale;
  const isJustPaid = completedAt !== null && Date.now() - completedAt.getTime() < JUST_PAID;
  const mails = isJustPaid && customerEmail ? await findAccessMails([saleId], customerEmail) : null;
  const mailState = mails?.get(saleId)?.state ?? null;
  return {
    productName,
    isJustPaid,
    mailState,
    upsell,
    paidSales: await countUpsellSales(upsell.id),
    warning,
  };
}

/** Later a purchase is no news to its buyer. */
const JUST_PAID = DAY;

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
