import { sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { notifyExpression } from "#app/db/notify.server.ts";
import { deliveries, destinations } from "#app/db/schema/deliveries.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { ACCESS_KINDS } from "#app/domain/delivery/destinations.server.ts";
import { isSubscribed, mayHaveOpened } from "#app/domain/delivery/queue-deliveries.server.ts";
import { requestId } from "#app/platform/request-id.server.ts";
import { seal } from "#app/platform/secrets.server.ts";
import { DELIVERIES } from "#app/queue/names.ts";

/**
 * Queues deliveries to the member areas when paid sales move to another e-mail: opens them to the new one and, where the old
 * one may have been sent, closes them to that, also where refunds close nothing: the access moves. A closing that has not
 * arrived yet stays one of the old e-mail. Other destinations do not go by e-mail. One statement, in the transaction that
 * corrects the sales.
 * @param before the old e-mail; null where there was none
 */
export async function queueCorrectedAccess(
  tx: Tx,
  { sellerId, saleIds, before }: { sellerId: string; saleIds: string[]; before: string | null },
): Promise<void> {
  const aboutEmailSealed = before === null ? null : seal(before);
  const ids = sql`${`{${saleIds.join(",")}}`}::uuid[]`;
  await tx.execute(sql`
    with corrected as materialized (
      select id, seller_id, product_id, gen_random_uuid() as about_id from ${sales}
      where seller_id = ${sellerId} and id = any(${ids}) and (status = 'completed' or status = 'disputed' and access_suspended_at is null)
    ), closing as (
      update ${deliveries} o set about_email_sealed = ${aboutEmailSealed}::text
      from ${destinations} d
      where d.id = o.destination_id and d.kind = any(${ACCESS_KINDS}) and o.seller_id = ${sellerId} and o.sale_id = any(${ids})
        and o.event = 'access.revoked' and o.status <> 'sent' and o.about_email_sealed is null and o.cleared_at is null
    ), queued as (
      insert into ${deliveries} (destination_id, seller_id, sale_id, subject_id, about_id, event, about_email_sealed, request_id)
      select d.id, d.seller_id, c.id, c.id, c.about_id, e.event,
        case e.event when 'access.revoked' then ${aboutEmailSealed}::text end, ${requestId() ?? null}::text
      from corrected c
        inner join ${destinations} d on d.seller_id = c.seller_id and ${isSubscribed} and d.kind = any(${ACCESS_KINDS})
        cross join (values ('access.granted', 1), ('access.revoked', 2)) e(event, n)
      where e.event = 'access.granted' and (d.product_ids is null or c.product_id = any(d.product_ids))
        or (e.event = 'access.granted' or ${before !== null}) and ${mayHaveOpened(sql`c.seller_id`, sql`c.id`)}
      order by e.n
      returning 1
    )
    select ${notifyExpression("due", DELIVERIES)} from queued limit 1`);
}
