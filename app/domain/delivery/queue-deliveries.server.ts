import { sql } from "drizzle-orm";
import { deliveries, destinations } from "#app/db/schema/deliveries.server.ts";
import type { DeliveryEvent } from "#app/db/schema/lists.ts";
import type { Cte, Statement } from "#app/db/statement.server.ts";
import { ACCESS_KINDS, ORDER_RECORD_KINDS } from "#app/domain/delivery/destinations.server.ts";
import { requestId } from "#app/platform/request-id.server.ts";
import { DELIVERIES } from "#app/queue/names.ts";

/** A subject's next delivery is woken when the one before it ends; if that is missed, it runs after this. */
const FOLLOWER_DELAY = sql.raw("interval '5 seconds'");

/**
 * Whether a destination `d` is notified at all. A stopped one is not; but a paid access must be opened some day, so for a
 * stopped member area the delivery is recorded: it ends at once, is in the log, and can be sent from there.
 */
export const isSubscribed = sql`(d.stopped_at is null or (d.deleted_at is null and d.kind = any(${ACCESS_KINDS})))`;

/**
 * Adds deliveries to the statement that writes the events: no extra statement, and no rows where the seller has no
 * destination. A repeated event adds nothing.
 * @param events in the order in which they are delivered
 * @param occurrences what happened, one row each
 */
export function addDeliveries(
  statement: Statement,
  events: readonly DeliveryEvent[],
  occurrences: Cte<"sale_id" | "seller_id" | "product_id" | "about_id">,
): void {
  if (events.length === 0) return;
  const list = sql`${`{${events.join(",")}}`}::text[]`;
  const notifyColumn = statement.add(
    "deliveries",
    sql`
    insert into ${deliveries} (destination_id, seller_id, sale_id, subject_id, about_id, event, request_id, scheduled_at)
    select d.id, d.seller_id, f.sale_id, f.sale_id,
      -- A sale may have several partial refunds: each is sent, also to destinations with one record per order.
      case when d.kind = any(${ORDER_RECORD_KINDS}) and e.event <> 'sale.partially_refunded' then f.sale_id else f.about_id end, e.event, ${requestId() ?? null}::text,
      now() + ${FOLLOWER_DELAY} * (row_number() over (partition by d.id order by e.n) - 1)
    from ${occurrences} f
      inner join ${destinations} d on d.seller_id = f.seller_id and ${isSubscribed}
      cross join lateral unnest(${list}) with ordinality e(event, n)
    where e.event = any(d.events) and (d.product_ids is null or f.product_id = any(d.product_ids))
      and (d.except_product_ids is null or f.product_id <> all(d.except_product_ids))
    order by e.n
    on conflict (destination_id, about_id, event, part) do nothing
    returning 1`,
  );
  statement.notify("due", DELIVERIES, notifyColumn);
}
