import type { Tx } from "#app/db/client.server.ts";
import { saleEvents } from "#app/db/schema/sales.server.ts";
import type { SaleStatus } from "#app/domain/sales/states.ts";

/** Writes into a sale's history what its seller must see although its state stays as it is. */
export async function noteSale(
  tx: Tx,
  sale: { id: string; status: SaleStatus },
  cause: string,
): Promise<void> {
  await tx
    .insert(saleEvents)
    .values({ saleId: sale.id, fromStatus: sale.status, toStatus: sale.status, cause });
}
