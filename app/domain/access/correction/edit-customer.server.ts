import { sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { ownById, ownByIds } from "#app/db/conditions.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { rejectStale, versionOf } from "#app/db/version.server.ts";
import { moveMails } from "#app/domain/access/correction/move-mails.server.ts";
import { takesEmail } from "#app/domain/access/correction/takes-email.ts";
import { queueCorrectedAccess } from "#app/domain/delivery/queue-corrected-access.server.ts";
import { lockOrder } from "#app/domain/sale/lock-order.server.ts";
import { recordSaleEvent } from "#app/domain/sale/record-sale-event.server.ts";
import { maskMail } from "#app/kit/mail-address.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";

/**
 * Corrects the buyer's name and e-mail on a sale and on the other sales of its order with the same e-mail, as it was typed
 * once; without a name it stays as it is. With a new e-mail earlier links stop working, the access is mailed to the new
 * address and a notification to the old one, if a mail of the order went there.
 * @throws Refusal not-found, also for another seller's sale; conflict where they were corrected since `version`, or anonymized and
 * not paid since
 * @returns the version of what was saved
 */
export async function editCustomer(
  sellerId: string,
  saleId: string | undefined,
  customer: { name?: string | null | undefined; email: string },
  version?: string,
): Promise<string> {
  if (!isUuid(saleId)) throw notFound("Venda não encontrada");
  return db.transaction(async (tx) => {
    const order = (await lockOrder(tx, saleId)).filter((orderedSale) => orderedSale.sellerId === sellerId);
    const sale = order.find(({ id }) => id === saleId);
    if (!sale) throw notFound("Venda não encontrada");
    if (!takesEmail(sale))
      throw new Refusal("conflict", "Os dados do comprador foram apagados: esta venda não recebe outros.");
    rejectStale(version, customerVersion(sale));
    const { customerEmail: currentEmail } = sale;
    const isNewEmail = currentEmail !== customer.email;
    const oldEmail = isNewEmail ? currentEmail : null;
    const movedSales = order.filter((one) => one.customerEmail === currentEmail && takesEmail(one));
    const ids = movedSales.map(({ id }) => id);
    const saved = {
      customerName: customer.name === undefined ? sale.customerName : customer.name || null,
      customerEmail: customer.email,
    };
    await tx
      .update(sales)
      .set({
        ...(customer.name === undefined ? {} : { customerName: saved.customerName }),
        customerEmail: saved.customerEmail,
        // Links that were mailed to the old address stop working.
        ...(oldEmail ? { emailCorrectedAt: sql`now()` } : {}),
      })
      .where(ownByIds(sales, sellerId, ids));
    const given = isNewEmail ? { given: true as const } : {};
    const data = oldEmail ? { from: maskMail(oldEmail) } : given;
    if (isNewEmail) {
      await queueCorrectedAccess(tx, { sellerId, saleIds: ids, before: currentEmail });
      const namedSaleId = movedSales.find(({ parentSaleId }) => parentSaleId === null)?.id ?? sale.id;
      await moveMails(tx, movedSales, {
        namedSaleId,
        oldEmail,
        newEmail: customer.email,
        correctedBy: "seller",
      });
    }
    for (const id of ids)
      await recordSaleEvent(tx, { id, sellerId }, { kind: "customer_edited", data }, "seller");
    return customerVersion(saved);
  });
}

/** Whether `editCustomer` would move a seller's sale to another e-mail, and mail that. */
export async function movesEmail(
  sellerId: string,
  saleId: string | undefined,
  email: string,
): Promise<boolean> {
  if (!isUuid(saleId)) return false;
  const [sale] = await db
    .select({ email: sales.customerEmail })
    .from(sales)
    .where(ownById(sales, sellerId, saleId));
  return sale !== undefined && sale.email !== email;
}

/** The version of the fields that the customer form shows. */
export function customerVersion(customerFields: {
  customerName: string | null;
  customerEmail: string | null;
}): string {
  return versionOf([customerFields.customerName ?? "", customerFields.customerEmail ?? ""]);
}
