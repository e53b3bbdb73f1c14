import type { Db } from "#app/db/client.server.ts";
import type { Cause } from "#app/db/schema/lists.ts";
import { saleEvents } from "#app/db/schema/sales.server.ts";
import type { SaleEvent } from "#app/domain/sale/events.ts";

/** Records a sale event that does not change the sale's state. */
export async function recordSaleEvent(
  tx: Db,
  { id: saleId, sellerId }: { id: string; sellerId: string },
  { kind, data }: SaleEvent,
  cause: Cause,
): Promise<void> {
  await tx.insert(saleEvents).values({ saleId, sellerId, kind, data, cause });
}
