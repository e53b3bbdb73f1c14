import { sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { notify } from "#app/db/notify.server.ts";
import { disputes } from "#app/db/schema/disputes.server.ts";
import type { ProviderDispute } from "#app/domain/gateway/providers/port.ts";
import { recordSaleEvent } from "#app/domain/sale/record-sale-event.server.ts";
import { MINUTE, SECOND } from "#app/kit/duration.ts";

/** So long after evidence was sent, a check finds out whether it arrived; answers may be from before. */
export const ARRIVAL_PERIOD = 10 * MINUTE;

/**
 * Records what a provider says of a sale's open dispute; the caller locked the sale's row. What it does not say stays.
 * Evidence that we sent and that arrived is a sale event, once. An answer that was on its way while it was sent does not
 * undo that.
 */
export async function updateDispute(
  tx: Tx,
  { id: saleId, sellerId }: { id: string; sellerId: string },
  { providerId, evidence, evidenceDueAt }: Omit<ProviderDispute, "amountCents">,
): Promise<void> {
  const status = sql`case when ${evidence}::text = 'needed' and d.evidence_status = 'in_review'
      and d.evidence_sent_at > now() - make_interval(secs => ${ARRIVAL_PERIOD / SECOND}) then d.evidence_status
    else coalesce(${evidence}::text, d.evidence_status) end`;
  const [changed] = await tx.execute<{ id: string; has_arrived: boolean }>(sql`
    with before as (
      select d.id, d.seller_id, d.evidence_status, d.evidence_sent_at, ${status} as new_status from ${disputes} d
      where d.seller_id = ${sellerId} and d.sale_id = ${saleId} and d.status = 'open'
    )
    update ${disputes} u set provider_id = ${providerId}, evidence_status = b.new_status,
      evidence_due_at = coalesce(${evidenceDueAt?.toISOString() ?? null}::timestamptz, u.evidence_due_at)
    from before b where u.seller_id = b.seller_id and u.id = b.id
      and (u.provider_id, u.evidence_status, u.evidence_due_at) is distinct from
        (${providerId}, b.new_status, coalesce(${evidenceDueAt?.toISOString() ?? null}::timestamptz, u.evidence_due_at))
    returning u.id, b.evidence_sent_at is not null and b.evidence_status = 'needed'
      and b.new_status in ('in_review', 'accepted', 'rejected') as has_arrived`);
  if (!changed) return;
  if (changed.has_arrived)
    await recordSaleEvent(
      tx,
      { id: saleId, sellerId },
      { kind: "evidence_sent", data: { disputeId: changed.id } },
      "seller",
    );
  await notify(tx, "sale", saleId);
}
