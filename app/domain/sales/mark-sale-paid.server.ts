import { eq, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { saleLines, sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { queueMail } from "#app/domain/mail/queue-mail.server.ts";
import { moveSale } from "#app/domain/sales/move-sale.server.ts";
import { newSaleMail } from "#app/domain/sales/new-sale-mail.server.ts";
import { purchaseMail } from "#app/domain/sales/purchase-mail.server.ts";

/**
 * All that a payment causes, in the settlement's transaction; the sale's row is locked by the caller.
 * The one list: state and history, the open page, the buyer's mail, the seller's notice.
 */
export async function markSalePaid(tx: Tx, saleId: string, cause: string, paidAt: Date): Promise<void> {
  const [sale] = await tx
    .select({
      id: sales.id,
      status: sales.status,
      sellerId: sales.sellerId,
      amountCents: sales.amountCents,
      customerName: sales.customerName,
      customerEmail: sales.customerEmail,
      sellerName: sellers.name,
      sellerCompany: sellers.company,
      sellerEmail: sellers.email,
      notifyNewSale: sellers.notifyNewSale,
      lines: sql<{ name: string; priceCents: number }[]>`(
        select json_agg(json_build_object('name', l.name, 'priceCents', l.price_cents) order by l.position)
        from ${saleLines} l where l.sale_id = ${sales.id})`,
    })
    .from(sales)
    .innerJoin(sellers, eq(sellers.id, sales.sellerId))
    .where(eq(sales.id, saleId));
  if (!sale) throw new Error(`sale ${saleId} is gone`);
  await moveSale(tx, sale, "completed", cause, { completedAt: paidAt });
  const paid = { ...sale, sellerName: sale.sellerCompany || sale.sellerName, paidAt };
  if (sale.customerEmail) {
    await queueMail(tx, {
      kind: "purchase",
      idempotencyKey: `purchase/${saleId}`,
      recipient: sale.customerEmail,
      sellerId: sale.sellerId,
      saleId,
      mail: purchaseMail(paid),
    });
  }
  if (sale.notifyNewSale) {
    await queueMail(tx, {
      kind: "new-sale",
      idempotencyKey: `new-sale/${saleId}`,
      recipient: sale.sellerEmail,
      sellerId: sale.sellerId,
      saleId,
      mail: newSaleMail(paid),
    });
  }
}
