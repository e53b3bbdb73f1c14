import { eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { knownSale } from "#app/domain/charge/known-charges.server.ts";
import { type Standing, standing } from "#app/domain/sale/standing.ts";
import { isUuid } from "#app/kit/uuid.ts";

/** How a sale, named by itself or by one of its charges, stands now; null for an unknown one. */
export async function findStanding(
  of: { saleId: string } | { chargeId: string },
): Promise<(Standing & { saleId: string }) | null> {
  const id = "saleId" in of ? of.saleId : of.chargeId;
  if (!isUuid(id)) return null;
  const [sale] = await db
    .select({ id: sales.id, ...knownSale })
    .from(sales)
    .where(
      "saleId" in of
        ? eq(sales.id, id)
        : eq(sales.id, db.select({ id: charges.saleId }).from(charges).where(eq(charges.id, id))),
    );
  return sale ? { ...standing(sale, new Date()), saleId: sale.id } : null;
}

/** Whether a payment of this sale was announced and is not booked yet: as a condition of a query on sales. */
export const isAnnounced = sql<boolean>`exists (
  select from charges c inner join payment_webhooks w on w.charge_id = c.id
  where c.sale_id = ${sales.id} and c.status not in ('paid', 'mispaid') and w.handled_at is null and w.state = 'paid')`;
