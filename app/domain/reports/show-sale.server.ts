import { asc, eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { ownById, ownOfSale } from "#app/db/conditions.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { saleLines, sales } from "#app/db/schema/sales.server.ts";
import { isLongUndecided } from "#app/domain/charge/long-undecided.ts";
import { paymentSummaryColumns } from "#app/domain/charge/payment-summary-columns.server.ts";
import { type LoggedSaleMail, listSaleMails } from "#app/domain/reports/list-sale-mails.server.ts";
import { MAX_TIMELINE, readTimeline, type TimelineEntry } from "#app/domain/reports/read-timeline.server.ts";
import { saleColumns, withPayments } from "#app/domain/reports/sale-columns.server.ts";
import { exceededLimitSql } from "#app/domain/sale/exceeded-limit.server.ts";
import { type PaymentSummary, summarizePayments } from "#app/domain/sale/payment-summary.ts";
import { isPaidAnonymous } from "#app/domain/sale/sale-anonymization.server.ts";
import { UNPAID } from "#app/domain/sale/states.ts";
import { notFound } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";

/** A sale in full. Money in cents. */
export type SaleView = {
  sale: Omit<NonNullable<Awaited<ReturnType<typeof findSale>>>, "known">;
  lines: {
    id: string;
    kind: "product" | "bump" | "offer";
    name: string;
    priceCents: number;
    discountCents: number;
    methodDiscountCents: number;
  }[];
  paymentSummary: PaymentSummary;
  /** Cards that their provider has not decided for long: only the seller can find out. */
  undecidedCards: { chargeId: string; since: Date }[];
  /** The newest `MAX_TIMELINE` lines of its history, oldest first. */
  timeline: TimelineEntry[];
  hasOlderLines: boolean;
  saleMails: LoggedSaleMail[];
};

/** A seller's sale. @throws Refusal not-found, also for another seller's */
export async function showSale(sellerId: string, saleId: string | undefined): Promise<SaleView> {
  const sale = isUuid(saleId) ? await findSale(sellerId, saleId) : undefined;
  if (!sale) throw notFound("Venda não encontrada");
  const [lines, history, saleMails] = await Promise.all([
    db
      .select({
        id: saleLines.id,
        kind: saleLines.kind,
        name: saleLines.name,
        priceCents: saleLines.priceCents,
        discountCents: saleLines.discountCents,
        methodDiscountCents: saleLines.methodDiscountCents,
      })
      .from(saleLines)
      .where(ownOfSale(saleLines, sellerId, sale.id))
      .orderBy(asc(saleLines.position)),
    readTimeline(sellerId, sale.id),
    listSaleMails(sellerId, sale.id),
  ]);
  const { known, ...saleFields } = sale;
  const now = new Date();
  const isUnpaid = UNPAID.includes(known.status);
  return {
    sale: saleFields,
    paymentSummary: summarizePayments(known, now),
    undecidedCards: known.charges
      .filter((charge) => isUnpaid && isLongUndecided(charge, now))
      .map(({ id: chargeId, createdAt: since }) => ({ chargeId, since })),
    lines,
    timeline: history.slice(-MAX_TIMELINE),
    hasOlderLines: history.length > MAX_TIMELINE,
    saleMails,
  };
}

async function findSale(sellerId: string, saleId: string) {
  const [sale] = await db
    .select({
      ...saleColumns,
      parentSaleId: sales.parentSaleId,
      adConsent: sales.adConsent,
      isPaidAnonymous,
      exceeded: exceededLimitSql,
      known: paymentSummaryColumns,
    })
    .from(sales)
    .innerJoin(products, eq(products.id, sales.productId))
    .where(ownById(sales, sellerId, saleId));
  return sale && withPayments(sale);
}
