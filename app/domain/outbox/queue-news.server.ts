import { sql } from "drizzle-orm";
import { MEMBER_KINDS, type NewsEvent } from "#app/db/schema/lists.ts";
import { destinations, outbox } from "#app/db/schema/outbox.server.ts";
import type { Cte, Statement } from "#app/db/statement.server.ts";
import { ORDER_KEEPERS } from "#app/domain/outbox/destinations.server.ts";
import { requestId } from "#app/platform/request-id.server.ts";
import { NEWS } from "#app/queue/names.ts";

/** What follows in the same subject is woken when the one before it ends; should that be missed, it is due by itself. */
const AFTER_FIRST = sql.raw("interval '5 seconds'");

/**
 * Whether a destination `d` is told at all. Who is paused hears of nothing; but an access that was paid for has to be opened
 * one day, so news for a paused member area is noted: it ends at once, stands in its log, and can be sent from there.
 */
export const hears = sql`(d.stopped_at is null or (d.deleted_at is null and d.kind = any(${`{${MEMBER_KINDS.join(",")}}`}::text[])))`;

/**
 * Adds the deliveries of events to the statement that writes what happened: no statement of their own, and no rows where the
 * seller has no destination. The same event again adds nothing.
 * @param events in the order in which they are delivered
 * @param facts what happened, one row each
 */
export function addDeliveries(
  statement: Statement,
  events: readonly NewsEvent[],
  facts: Cte<"sale_id" | "seller_id" | "product_id" | "about_id">,
): void {
  if (events.length === 0) return;
  const list = sql`${`{${events.join(",")}}`}::text[]`;
  const queued = statement.add(
    "deliveries",
    sql`
    insert into ${outbox} (destination_id, seller_id, sale_id, subject_id, about_id, event, request_id, due_at)
    select d.id, d.seller_id, f.sale_id, f.sale_id,
      -- A sale's parts go back one by one: each is told, also to who keeps orders.
      case when d.kind = any(${ORDER_KEEPERS}) and e.event <> 'sale.partially_refunded' then f.sale_id else f.about_id end, e.event, ${requestId() ?? null}::text,
      now() + ${AFTER_FIRST} * (row_number() over (partition by d.id order by e.n) - 1)
    from ${facts} f
      inner join ${destinations} d on d.seller_id = f.seller_id and ${hears}
      cross join lateral unnest(${list}) with ordinality e(event, n)
    where e.event = any(d.events) and (d.product_ids is null or f.product_id = any(d.product_ids))
      and (d.except_product_ids is null or f.product_id <> all(d.except_product_ids))
    order by e.n
    on conflict (destination_id, about_id, event, part) do nothing
    returning 1`,
  );
  statement.notify("due", NEWS, queued);
}
