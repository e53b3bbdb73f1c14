import { and, eq, inArray } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { refuseStale, versionOf } from "#app/db/version.server.ts";
import { queueCorrectedAccess } from "#app/domain/outbox/queue-corrected-access.server.ts";
import { lockOrder } from "#app/domain/sale/lock-order.server.ts";
import { noteSale } from "#app/domain/sale/note-sale.server.ts";
import { maskMail } from "#app/kit/mail-address.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";

/**
 * Corrects the buyer's name and e-mail on a sale, and on what else was bought in its order with the same e-mail: it was
 * typed once.
 * @throws Refusal not-found, also for somebody else's sale; conflict where they were corrected since `version`, or were emptied
 */
export async function editCustomer(
  sellerId: string,
  saleId: string | undefined,
  customer: { name: string; email: string },
  version?: string,
): Promise<void> {
  if (!isUuid(saleId)) throw notFound("Venda não encontrada");
  await db.transaction(async (tx) => {
    const order = (await lockOrder(tx, saleId)).filter((one) => one.sellerId === sellerId);
    const sale = order.find(({ id }) => id === saleId);
    if (!sale) throw notFound("Venda não encontrada");
    if (sale.emptiedAt && !sale.customerEmail)
      throw new Refusal("conflict", "Os dados do comprador foram apagados: esta venda não recebe outros.");
    refuseStale(version, customerVersion(sale));
    const before = sale.customerEmail === customer.email ? null : sale.customerEmail;
    const ids = order.filter(({ customerEmail }) => customerEmail === sale.customerEmail).map(({ id }) => id);
    await tx
      .update(sales)
      .set({
        customerName: customer.name || null,
        customerEmail: customer.email,
        // The links that went to the other address end.
        ...(before ? { emailCorrectedAt: new Date() } : {}),
      })
      .where(and(inArray(sales.id, ids), eq(sales.sellerId, sellerId)));
    const data = before ? { from: maskMail(before) } : {};
    if (sale.customerEmail !== customer.email) await queueCorrectedAccess(tx, ids, sale.customerEmail);
    for (const id of ids) await noteSale(tx, id, { kind: "customer_edited", data }, "seller");
  });
}

/** The version of what the form of a sale's customer shows. */
export function customerVersion(shown: {
  customerName: string | null;
  customerEmail: string | null;
}): string {
  return versionOf([shown.customerName ?? "", shown.customerEmail ?? ""]);
}
