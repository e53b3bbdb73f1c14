import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { saleOfCharge } from "#app/db/conditions.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { hasOtherPayable } from "#app/domain/charge/conditions.server.ts";
import { moveCharge } from "#app/domain/charge/move-charge.server.ts";
import { failSale } from "#app/domain/sale/fail-sale.server.ts";
import { mayMoveCharge } from "#app/domain/sale/states.ts";

/**
 * Books that a code ended unpaid at the provider. Expiry is usual for unpaid orders and changes nothing else; after a
 * cancellation the sale fails if none of its other codes can be paid. A later payment still counts.
 */
export async function endCharge(chargeId: string, to: "expired" | "cancelled"): Promise<void> {
  await db.transaction(async (tx) => {
    const [found] = await tx
      .select({
        charge: { id: charges.id, sellerId: charges.sellerId, status: charges.status },
        sale: { id: sales.id, sellerId: sales.sellerId, status: sales.status },
        hasOther: hasOtherPayable(chargeId),
      })
      .from(charges)
      .innerJoin(sales, saleOfCharge)
      .where(eq(charges.id, chargeId))
      .for("no key update", { of: [charges, sales] });
    if (!found || !mayMoveCharge(found.charge.status, to)) return;
    const { charge, sale, hasOther } = found;
    await moveCharge(tx, charge, { to }, "provider");
    if (to === "cancelled" && !hasOther && sale.status === "pending") await failSale(tx, sale, "cancelled");
  });
}
