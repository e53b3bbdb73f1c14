import { eq } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { moveSale } from "#app/domain/sale/move-sale.server.ts";

/** Makes a failed sale pending again, once it has another code. */
export async function reopenSale(tx: Tx, saleId: string): Promise<void> {
  const [sale] = await tx
    .select({ id: sales.id, status: sales.status })
    .from(sales)
    .where(eq(sales.id, saleId))
    .for("no key update");
  if (sale?.status === "failed") await moveSale(tx, sale, { to: "pending" }, "buyer");
}
