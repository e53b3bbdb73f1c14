import { sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { deliveries, destinations } from "#app/db/schema/deliveries.server.ts";
import { freeCalls } from "#app/domain/delivery/sending/claim-deliveries.server.ts";
import { isBlocked, isQueued } from "#app/domain/delivery/waiting.server.ts";
import { defineJob } from "#app/queue/job.server.ts";

/** Rows scheduled at once. */
const BATCH_SIZE = 1000;

/**
 * Every minute: schedules deliveries that wait for nothing. They began to wait at the moment when what they waited for
 * ended, or their destination was stopped meanwhile.
 */
export const wakeMissed = defineJob<Record<string, never>>("wake-missed", async () => {
  await db.execute(sql`
    update ${deliveries} set scheduled_at = now() where status = 'queued' and scheduled_at is null and id = any(array(
      select c.id from (select * from ${deliveries} o where ${isQueued()} and o.scheduled_at is null and o.parked_at is null) c
        inner join ${destinations} d on d.id = c.destination_id
      where not ${isBlocked} limit ${BATCH_SIZE}))`);
  // One look-up for each destination that something is queued for, however much that is.
  await db.execute(sql`
    with recursive addressed(id) as (
      (select o.destination_id from ${deliveries} o where ${isQueued()} order by o.destination_id limit 1)
      union all
      select (select o.destination_id from ${deliveries} o where ${isQueued()} and o.destination_id > a.id
        order by o.destination_id limit 1) from addressed a where a.id is not null
    ), missed as (
      select waiting.id from addressed a inner join ${destinations} d on d.id = a.id
        cross join lateral (select id, scheduled_at from ${deliveries} p
          where p.seller_id = d.seller_id and p.destination_id = d.id and p.status = 'queued' and p.parked_at is not null
          order by p.sequence limit greatest(0, ${freeCalls})) waiting
      where waiting.scheduled_at is null and (d.backoff_until is null or d.backoff_until <= now())
      union all
      select o.id from addressed a inner join ${destinations} d on d.id = a.id
        cross join lateral (select o.id from ${deliveries} o where o.seller_id = d.seller_id and o.destination_id = d.id and ${isQueued()}
          and (o.scheduled_at is null or o.scheduled_at > now()) and (o.leased_until is null or o.leased_until <= now()) limit 1) o
      where d.stopped_at is not null
    )
    update ${deliveries} set scheduled_at = now() where status = 'queued' and id = any(array(select id from missed))`);
});
