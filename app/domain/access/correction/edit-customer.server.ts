import { and, eq, inArray } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { refuseStale, versionOf } from "#app/db/version.server.ts";
import { moveMails } from "#app/domain/access/correction/move-mails.server.ts";
import { queueCorrectedAccess } from "#app/domain/outbox/queue-corrected-access.server.ts";
import { lockOrder } from "#app/domain/sale/lock-order.server.ts";
import { noteSale } from "#app/domain/sale/note-sale.server.ts";
import { maskMail } from "#app/kit/mail-address.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";

/**
 * Corrects the buyer's name and e-mail on a sale, and on what else was bought in its order with the same e-mail: it was
 * typed once. With a new e-mail the links of before end, the access goes to the new one and a notice to the old one, as where
 * the buyer corrects it.
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
    const { customerEmail: old } = sale;
    const isNew = old !== customer.email;
    const before = isNew ? old : null;
    const moved = order.filter(
      ({ customerEmail, emptiedAt }) => customerEmail === old && (old || !emptiedAt),
    );
    const ids = moved.map(({ id }) => id);
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
    if (isNew) {
      await queueCorrectedAccess(tx, ids, old);
      const first = moved.find(({ parentSaleId }) => parentSaleId === null)?.id ?? sale.id;
      await moveMails(tx, moved, { first, before, to: customer.email, by: "seller" });
    }
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
