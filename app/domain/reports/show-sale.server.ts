import { and, asc, eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { saleLines, sales } from "#app/db/schema/sales.server.ts";
import { knownSale } from "#app/domain/charge/known-charges.server.ts";
import { listSaleDeliveries, type SaleDelivery } from "#app/domain/reports/list-sale-deliveries.server.ts";
import { readTimeline, type TimelineEntry } from "#app/domain/reports/read-timeline.server.ts";
import { asReported, saleColumns } from "#app/domain/reports/sale-columns.server.ts";
import { type Standing, standing } from "#app/domain/sale/standing.ts";
import { notFound } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";

/** All there is to know of one sale. Money in cents. */
export type ShownSale = {
  sale: Omit<NonNullable<Awaited<ReturnType<typeof findSale>>>, "known">;
  lines: { id: string; kind: "product" | "bump" | "offer"; name: string; priceCents: number }[];
  standing: Standing;
  /** All that is known of it, oldest first. */
  timeline: TimelineEntry[];
  deliveries: SaleDelivery[];
};

/** A seller's sale. @throws Refusal not-found, also for somebody else's */
export async function showSale(sellerId: string, saleId: string | undefined): Promise<ShownSale> {
  const sale = isUuid(saleId) ? await findSale(sellerId, saleId) : undefined;
  if (!sale) throw notFound("Venda não encontrada");
  const [lines, timeline, deliveries] = await Promise.all([
    db
      .select({
        id: saleLines.id,
        kind: saleLines.kind,
        name: saleLines.name,
        priceCents: saleLines.priceCents,
      })
      .from(saleLines)
      .where(eq(saleLines.saleId, sale.id))
      .orderBy(asc(saleLines.position)),
    readTimeline(sale.id),
    listSaleDeliveries(sellerId, sale.id),
  ]);
  const { known, ...shown } = sale;
  return { sale: shown, standing: standing(known, new Date()), lines, timeline, deliveries };
}

async function findSale(sellerId: string, saleId: string) {
  const [sale] = await db
    .select({
      ...saleColumns,
      parentSaleId: sales.parentSaleId,
      adConsent: sales.adConsent,
      known: knownSale,
    })
    .from(sales)
    .innerJoin(products, eq(products.id, sales.productId))
    .where(and(eq(sales.sellerId, sellerId), eq(sales.id, saleId)));
  return sale && asReported(sale);
}
