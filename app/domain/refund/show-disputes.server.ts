import { and, asc, eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { disputes } from "#app/db/schema/disputes.server.ts";
import type { DisputeOrigin, DisputeStatus } from "#app/db/schema/lists.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import type { RefundView } from "#app/domain/refund/show-refund.server.ts";
import { pick } from "#app/kit/pick.ts";
import { isUuid } from "#app/kit/uuid.ts";

/** A dispute as its seller sees it. Money in cents. */
export type DisputeView = {
  id: string;
  status: DisputeStatus;
  origin: DisputeOrigin;
  amountCents: number;
  note: string | null;
  openedAt: Date;
  decidedAt: Date | null;
};

/** A sale's disputes, oldest first; empty for another seller's sale. */
export async function showDisputes(sellerId: string, saleId: string): Promise<DisputeView[]> {
  if (!isUuid(saleId)) return [];
  return db
    .select({
      id: disputes.id,
      status: disputes.status,
      origin: disputes.origin,
      amountCents: disputes.amountCents,
      note: disputes.note,
      openedAt: disputes.openedAt,
      decidedAt: disputes.decidedAt,
    })
    .from(disputes)
    .where(and(eq(disputes.sellerId, sellerId), eq(disputes.saleId, saleId)))
    .orderBy(asc(disputes.openedAt));
}

/** Whether the provider of a sale's payment reports disputes, so that they are not entered by hand. */
export function areDisputesReported({ payments }: Pick<RefundView, "payments">): boolean {
  const payment = payments.find(({ role }) => role === "counts");
  return (payment && pick(providers, payment.providerName)?.reportsDisputes) ?? false;
}
