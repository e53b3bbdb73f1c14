import { and, asc, eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { saleEvents, saleLines, sales } from "#app/db/schema/sales.server.ts";
import { listSaleDeliveries, type SaleDelivery } from "#app/domain/reports/list-sale-deliveries.server.ts";
import { saleColumns } from "#app/domain/reports/sale-columns.server.ts";
import { isSaleId } from "#app/domain/sales/sale-id.ts";
import type { SaleStatus } from "#app/domain/sales/states.ts";
import { notFound } from "#app/kit/refusal.ts";

/** All there is to know of one sale. Money in cents. */
export type ShownSale = {
  sale: NonNullable<Awaited<ReturnType<typeof findSale>>>;
  lines: { id: string; kind: "product" | "bump" | "offer"; name: string; priceCents: number }[];
  /** Every change of its state, oldest first; `cause` as it was written down. */
  events: { id: number; toStatus: SaleStatus; cause: string; at: Date }[];
  deliveries: SaleDelivery[];
};

/** A seller's sale. Four statements. @throws Refusal not-found, also for somebody else's */
export async function showSale(sellerId: string, saleId: string | undefined): Promise<ShownSale> {
  const sale = isSaleId(saleId) ? await findSale(sellerId, saleId) : undefined;
  if (!sale) throw notFound("Venda não encontrada");
  const [lines, events, deliveries] = await Promise.all([
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
    db
      .select({
        id: saleEvents.id,
        toStatus: saleEvents.toStatus,
        cause: saleEvents.cause,
        at: saleEvents.at,
      })
      .from(saleEvents)
      .where(eq(saleEvents.saleId, sale.id))
      .orderBy(asc(saleEvents.id)),
    listSaleDeliveries(sellerId, sale.id),
  ]);
  return { sale, lines, events, deliveries };
}

async function findSale(sellerId: string, saleId: string) {
  const [sale] = await db
    .select({ ...saleColumns, completedAt: sales.completedAt, parentSaleId: sales.parentSaleId })
    .from(sales)
    .innerJoin(products, eq(products.id, sales.productId))
    .where(and(eq(sales.sellerId, sellerId), eq(sales.id, saleId)));
  return sale;
}
