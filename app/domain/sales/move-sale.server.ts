import { eq } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { notify } from "#app/db/notify.server.ts";
import { saleEvents, sales } from "#app/db/schema/sales.server.ts";
import { mayMove, type SaleStatus } from "#app/domain/sales/states.ts";

/**
 * Moves a sale, locked by the caller, to another state, leaves the history row and tells the open pages.
 * @throws Error where the state table does not allow the move: a bug, since callers ask first
 */
export async function moveSale(
  tx: Tx,
  sale: { id: string; status: SaleStatus },
  to: SaleStatus,
  cause: string,
  moments: { completedAt?: Date; refundedAt?: Date } = {},
): Promise<void> {
  if (!mayMove(sale.status, to)) throw new Error(`a ${sale.status} sale cannot become ${to}`);
  await tx
    .update(sales)
    .set({ status: to, ...moments })
    .where(eq(sales.id, sale.id));
  await tx.insert(saleEvents).values({ saleId: sale.id, fromStatus: sale.status, toStatus: to, cause });
  await notify(tx, "sale", sale.id);
}
