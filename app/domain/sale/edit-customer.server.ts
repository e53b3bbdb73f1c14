import { and, eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { refuseStale, versionOf } from "#app/db/version.server.ts";
import { noteSale } from "#app/domain/sale/note-sale.server.ts";
import { maskMail } from "#app/kit/mail-address.ts";
import { notFound } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";

/**
 * Corrects the buyer's name and e-mail on one sale.
 * @throws Refusal not-found, also for somebody else's sale; conflict where they were corrected since `version`
 */
export async function editCustomer(
  sellerId: string,
  saleId: string | undefined,
  customer: { name: string; email: string },
  version?: string,
): Promise<void> {
  if (!isUuid(saleId)) throw notFound("Venda não encontrada");
  const own = and(eq(sales.id, saleId), eq(sales.sellerId, sellerId));
  await db.transaction(async (tx) => {
    const [sale] = await tx
      .select({ customerName: sales.customerName, customerEmail: sales.customerEmail })
      .from(sales)
      .where(own)
      .for("no key update");
    if (!sale) throw notFound("Venda não encontrada");
    refuseStale(version, customerVersion(sale));
    const before = sale.customerEmail === customer.email ? null : sale.customerEmail;
    await tx
      .update(sales)
      .set({
        customerName: customer.name || null,
        customerEmail: customer.email,
        // The links that went to the other address end.
        ...(before ? { emailCorrectedAt: new Date() } : {}),
      })
      .where(own);
    const data = before ? { from: maskMail(before) } : {};
    await noteSale(tx, saleId, { kind: "customer_edited", data }, "seller");
  });
}

/** The version of what the form of a sale's customer shows. */
export function customerVersion(shown: {
  customerName: string | null;
  customerEmail: string | null;
}): string {
  return versionOf([shown.customerName ?? "", shown.customerEmail ?? ""]);
}
