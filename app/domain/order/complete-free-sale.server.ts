import type { Tx } from "#app/db/client.server.ts";
import { buildPaymentMails, moveSale } from "#app/domain/sale/move-sale.server.ts";
import { readSaleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";

/** Completes a new sale that costs nothing: access, mails and deliveries as after a payment, without a charge. */
export async function completeFreeSale(tx: Tx, saleId: string): Promise<void> {
  const sale = await readSaleContacts(tx, saleId);
  const at = new Date();
  await moveSale(tx, sale!, { to: "completed", at, feeCents: 0 }, "buyer", buildPaymentMails(sale!, at));
}
