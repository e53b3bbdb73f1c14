import type { Tx } from "#app/db/client.server.ts";
import type { Cause } from "#app/db/schema/lists.ts";
import { moveDispute } from "#app/domain/sale/dispute/move-dispute.server.ts";
import { moveSale, type SaleMove } from "#app/domain/sale/move-sale.server.ts";
import { queueRefundMail } from "#app/domain/sale/notices/queue-refund-mail.server.ts";
import type { SaleStatus } from "#app/domain/sale/states.ts";

/**
 * All that giving the money back causes, in one transaction; the sale's row is locked by the caller and completed or disputed.
 * Downloads end by themselves: they want a completed sale.
 */
export async function markSaleReversed(
  tx: Tx,
  sale: { id: string; status: SaleStatus },
  move: Extract<SaleMove, { to: "refunded" }>,
  cause: Cause,
): Promise<void> {
  if (sale.status === "disputed") await moveDispute(tx, sale.id, "refunded");
  await moveSale(tx, sale, move, cause);
  await queueRefundMail(tx, sale.id, cause === "seller");
}
