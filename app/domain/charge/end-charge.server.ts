import { eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { moveCharge } from "#app/domain/charge/move-charge.server.ts";
import { failSale } from "#app/domain/sale/fail-sale.server.ts";
import { mayMoveCharge } from "#app/domain/sale/states.ts";

/**
 * Notes that a code ended unpaid at the provider. Most orders that are not paid expire: that is no news. A cancellation
 * is: where no other code of the order can be paid the sale fails. A payment that comes all the same still counts.
 */
export async function endCharge(chargeId: string, to: "expired" | "cancelled"): Promise<void> {
  await db.transaction(async (tx) => {
    const [found] = await tx
      .select({
        charge: { id: charges.id, status: charges.status },
        sale: { id: sales.id, status: sales.status },
        hasOther: sql<boolean>`exists (select from charges o where o.sale_id = ${sales.id} and o.id <> ${charges.id}
          and (o.status = 'creating' or (o.status = 'open' and o.expires_at > now())))`,
      })
      .from(charges)
      .innerJoin(sales, eq(sales.id, charges.saleId))
      .where(eq(charges.id, chargeId))
      .for("no key update", { of: [charges, sales] });
    if (!found || !mayMoveCharge(found.charge.status, to)) return;
    const { charge, sale, hasOther } = found;
    await moveCharge(tx, charge, { to }, "provider");
    if (to === "cancelled" && !hasOther && sale.status === "pending") await failSale(tx, sale, "cancelled");
  });
}
