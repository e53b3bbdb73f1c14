import { and, desc, eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { mails } from "#app/db/schema/mails.server.ts";
import { deliveryColumns } from "#app/domain/reports/delivery-columns.server.ts";
import { DELIVERIES } from "#app/domain/reports/figures/figures.server.ts";

export type SaleDelivery = Awaited<ReturnType<typeof listSaleDeliveries>>[number];

/** The mails of one sale to its buyer, newest first. */
export function listSaleDeliveries(sellerId: string, saleId: string) {
  return db
    .select(deliveryColumns)
    .from(mails)
    .where(and(eq(mails.sellerId, sellerId), eq(mails.saleId, saleId), DELIVERIES))
    .orderBy(desc(mails.createdAt), desc(mails.id));
}
