import { type SQL, sql } from "drizzle-orm";
import { deliveries, destinations } from "#app/db/schema/deliveries.server.ts";
import { ACCESS_EVENTS, type DeliveryEvent } from "#app/db/schema/lists.ts";
import type { Cte, Statement } from "#app/db/statement.server.ts";
import { ACCESS_KINDS, ORDER_RECORD_KINDS } from "#app/domain/delivery/destinations.server.ts";
import { hasParked, isQueuedBehind } from "#app/domain/delivery/waiting.server.ts";
import { requestId } from "#app/platform/request-id.server.ts";
import { DELIVERIES } from "#app/queue/names.ts";

/**
 * Whether a destination `d` is notified at all. A stopped one is not; but a paid access must be opened some day, so for a
 * stopped member area the delivery is recorded: it ends at once, is in the log, and can be sent from there.
 */
export const isSubscribed = sql`(d.stopped_at is null or (d.deleted_at is null and d.kind = any(${ACCESS_KINDS})))`;

/**
 * Whether destination `d` may have been told to open a sale's access: what ends that, or gives it back, reaches a member area
 * also where it is notified of the product no more.
 */
export const mayHaveOpened = (sellerId: SQL, saleId: SQL) => sql`(select true from ${deliveries} o
  where o.seller_id = ${sellerId} and o.sale_id = ${saleId} and o.destination_id = d.id and o.event = 'access.granted'
    -- One that is sent again counts its attempts anew; its log keeps the earlier ones.
    and (o.attempts > 0 or o.attempt_log <> '[]' or o.leased_until > now()) limit 1) is not null`;

/**
 * Adds deliveries to the statement that writes the events: no extra statement, and no rows where the seller has no
 * destination. A repeated event adds nothing. A worker claims them (`claimDeliveries`).
 * @param events in the order in which they are delivered
 * @param occurrences what happened, one row each
 * @param order by columns of `f`, the occurrences: of several of one sale
 */
export function addDeliveries(
  statement: Statement,
  events: readonly DeliveryEvent[],
  occurrences: Cte<"sale_id" | "seller_id" | "product_id" | "about_id">,
  order?: SQL,
): void {
  if (events.length === 0) return;
  const isAccessKept = events.some((event) => ACCESS_EVENTS.includes(event))
    ? sql`or d.kind = any(${ACCESS_KINDS}) and e.event in ('access.granted', 'access.revoked')
        and ${mayHaveOpened(sql`f.seller_id`, sql`f.sale_id`)}`
    : sql``;
  const list = sql`${`{${events.join(",")}}`}::text[]`;
  const notifyColumn = statement.add(
    "deliveries",
    sql`
    insert into ${deliveries} (destination_id, seller_id, sale_id, subject_id, about_id, event, request_id, scheduled_at, parked_at)
    select q.destination_id, q.seller_id, q.sale_id, q.sale_id, q.about_id, q.event, ${requestId() ?? null}::text,
      case when q.nth = 1 and not q.is_blocked and not q.is_crowded then now() end,
      case when q.nth = 1 and not q.is_blocked and q.is_crowded then now() end
    from (
      select d.id as destination_id, d.seller_id, f.sale_id, a.about_id, e.event, e.n,
        row_number() over (partition by d.id, f.sale_id order by e.n${order ? sql`, ${order}` : sql``}) as nth,
        ${isQueuedBehind(sql`f.sale_id`)} as is_blocked, ${hasParked} as is_crowded
      from ${occurrences} f
        inner join ${destinations} d on d.seller_id = f.seller_id and ${isSubscribed}
        cross join lateral unnest(${list}) with ordinality e(event, n)
        -- A sale may have several partial refunds: each is sent, also to destinations with one record per order.
        cross join lateral (select case when d.kind = any(${ORDER_RECORD_KINDS}) and e.event <> 'sale.partially_refunded'
          then f.sale_id else f.about_id end as about_id) a
      where e.event = any(d.events) and ((d.product_ids is null or f.product_id = any(d.product_ids))
          and (d.except_product_ids is null or f.product_id <> all(d.except_product_ids)) ${isAccessKept})
        -- Nothing waits for one that was queued before.
        and (select true from ${deliveries} o where o.seller_id = d.seller_id and o.destination_id = d.id and o.about_id = a.about_id
          and o.event = e.event and o.part = 0 limit 1) is null
    ) q
    order by q.n, q.nth
    on conflict do nothing
    returning 1`,
  );
  statement.notify("due", DELIVERIES, notifyColumn);
}
