import type { Tx } from "#app/db/client.server.ts";
import type { Cause } from "#app/db/schema/lists.ts";
import { moveDispute } from "#app/domain/sale/dispute/move-dispute.server.ts";
import { queueRefundMail } from "#app/domain/sale/mails/queue-refund-mail.server.ts";
import { moveSale, type SaleMove } from "#app/domain/sale/move-sale.server.ts";
import type { SaleStatus } from "#app/domain/sale/states.ts";

/**
 * Makes a sale refunded with all consequences, in one transaction; it is completed or disputed, and its row locked by
 * the caller. Downloads need no change: they require a completed sale.
 */
export async function markSaleRefunded(
  tx: Tx,
  sale: { id: string; status: SaleStatus },
  move: Extract<SaleMove, { to: "refunded" }>,
  cause: Cause,
): Promise<void> {
  if (sale.status === "disputed") await moveDispute(tx, sale.id, "refunded");
  await moveSale(tx, sale, move, cause);
  await queueRefundMail(tx, sale.id, cause === "seller");
}
