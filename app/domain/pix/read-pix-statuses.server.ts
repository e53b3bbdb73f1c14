import { db } from "#app/db/client.server.ts";
import { anyOf } from "#app/db/conditions.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { paymentSummaryColumns } from "#app/domain/charge/payment-summary-columns.server.ts";
import { type PaymentSummary, summarizePayments } from "#app/domain/sale/payment-summary.ts";

/** A payment's status for its open page: the API's value, the buyer's finer one, and since when it is paid. */
export type PixStatus = Pick<PaymentSummary, "apiStatus" | "buyer"> & { completedAt: Date | null };

/** The payment statuses of these sales; unknown sales are left out. */
export async function readPixStatuses(saleIds: string[]): Promise<Map<string, PixStatus>> {
  const rows = await db
    .select({
      id: sales.id,
      ...paymentSummaryColumns,
    })
    .from(sales)
    .where(anyOf(sales.id, saleIds));
  const now = new Date();
  return new Map(
    rows.map((row) => {
      const { apiStatus, buyer } = summarizePayments(row, now);
      return [row.id, { apiStatus, buyer, completedAt: row.completedAt }];
    }),
  );
}
