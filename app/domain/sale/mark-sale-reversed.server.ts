import type { Tx } from "#app/db/client.server.ts";
import type { Cause } from "#app/db/schema/lists.ts";
import { moveSale, type SaleMove } from "#app/domain/sale/move-sale.server.ts";
import { queueRefundMail } from "#app/domain/sale/notices/queue-refund-mail.server.ts";
import type { SaleStatus } from "#app/domain/sale/states.ts";

/**
 * All that giving the money back causes, in one transaction; the sale's row is locked by the caller and completed.
 * Downloads end by themselves: they want a completed sale.
 */
export async function markSaleReversed(
  tx: Tx,
  sale: { id: string; status: SaleStatus },
  move: Extract<SaleMove, { to: "refunded" }> | { to: "chargedback" },
  cause: Cause,
): Promise<void> {
  await moveSale(tx, sale, move, cause);
  if (move.to === "refunded") await queueRefundMail(tx, sale.id);
}
