import type { Tx } from "#app/db/client.server.ts";
import type { SaleFacts } from "#app/domain/sale/facts.ts";
import { moveSale } from "#app/domain/sale/move-sale.server.ts";
import { queueFailedPaymentMail } from "#app/domain/sale/notices/queue-failed-payment-mail.server.ts";
import type { SaleStatus } from "#app/domain/sale/states.ts";

/** All that a refused or cancelled code causes, in one transaction; the sale's row is locked by the caller and pending. */
export async function failSale(
  tx: Tx,
  sale: { id: string; status: SaleStatus },
  why: SaleFacts["failed"]["why"],
  detail = "",
): Promise<void> {
  await moveSale(tx, sale, { to: "failed", why }, "provider");
  await queueFailedPaymentMail(tx, sale.id, why, detail);
}
