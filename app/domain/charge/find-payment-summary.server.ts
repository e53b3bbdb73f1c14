import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { paymentSummaryColumns } from "#app/domain/charge/payment-summary-columns.server.ts";
import { type PaymentSummary, summarizePayments } from "#app/domain/sale/payment-summary.ts";
import { isUuid } from "#app/kit/uuid.ts";

/** The payment summary of a sale, found by its id or that of one of its charges; null for an unknown one. */
export async function findPaymentSummary(
  key: { saleId: string } | { chargeId: string },
): Promise<(PaymentSummary & { saleId: string }) | null> {
  const id = "saleId" in key ? key.saleId : key.chargeId;
  if (!isUuid(id)) return null;
  const [sale] = await db
    .select({ id: sales.id, ...paymentSummaryColumns })
    .from(sales)
    .where(
      "saleId" in key
        ? eq(sales.id, id)
        : eq(sales.id, db.select({ id: charges.saleId }).from(charges).where(eq(charges.id, id))),
    );
  return sale ? { ...summarizePayments(sale, new Date()), saleId: sale.id } : null;
}
