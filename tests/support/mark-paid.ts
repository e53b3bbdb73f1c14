import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { markSalePaid } from "#app/domain/sale/mark-sale-paid.server.ts";
import { saleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";

/** A payment of a sale as settling books it, without a charge. */
export function markPaid(saleId: string): Promise<void> {
  return db.transaction(async (tx) => {
    const [sale] = await tx
      .select(saleContacts)
      .from(sales)
      .innerJoin(sellers, eq(sellers.id, sales.sellerId))
      .where(eq(sales.id, saleId))
      .for("no key update", { of: sales });
    await markSalePaid(tx, sale!, { at: new Date(), feeCents: null });
  });
}
