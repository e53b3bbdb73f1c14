import { asc } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { ownOfSale } from "#app/db/conditions.server.ts";
import { disputes } from "#app/db/schema/disputes.server.ts";
import type { DisputeOrigin, DisputeStatus, EvidenceStatus } from "#app/db/schema/lists.ts";
import { reportsDisputes } from "#app/domain/gateway/method-capabilities.server.ts";
import type { RefundView } from "#app/domain/refund/show-refund.server.ts";
import { salePaymentOf } from "#app/domain/sale/payments.ts";
import { isUuid } from "#app/kit/uuid.ts";

/** A dispute as its seller sees it. Money in cents. */
export type DisputeView = {
  id: string;
  status: DisputeStatus;
  origin: DisputeOrigin;
  amountCents: number;
  note: string | null;
  providerId: string | null;
  evidenceStatus: EvidenceStatus | null;
  evidenceDueAt: Date | null;
  evidenceSentAt: Date | null;
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
      providerId: disputes.providerId,
      evidenceStatus: disputes.evidenceStatus,
      evidenceDueAt: disputes.evidenceDueAt,
      evidenceSentAt: disputes.evidenceSentAt,
      openedAt: disputes.openedAt,
      decidedAt: disputes.decidedAt,
    })
    .from(disputes)
    .where(ownOfSale(disputes, sellerId, saleId))
    .orderBy(asc(disputes.openedAt));
}

/** Whether the provider of a sale's payment reports disputes, so that they are not entered by hand. */
export function areDisputesReported({ payments }: Pick<RefundView, "payments">): boolean {
  const payment = salePaymentOf(payments);
  return payment ? reportsDisputes({ provider: payment.providerName, method: payment.method }) : false;
}
