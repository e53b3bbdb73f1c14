import { sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import type { Cause } from "#app/db/schema/lists.ts";
import { NEWS_OF } from "#app/domain/outbox/utmify/states.ts";
import type { ChargeFact, SaleFact } from "#app/domain/sale/facts.ts";

type MailMoment = "queued" | "sent" | "delivered" | "bounced" | "failed";

/** News of a provider; `lateMs`: how long after the payment was booked or asked about it came, null where it came first. */
type NewsData = { word: string; state: string };
type MailData = { mail: string; recipient: string; error: string | null };
type TrackingData = { state: string; status: string; responseStatus: number | null };

/** One line of a sale's history. `chargeId` tells which code it is about; null where it is about the sale itself. */
export type TimelineEntry = { id: string; at: Date; chargeId: string | null } & (
  | ({ source: "sale"; cause: Cause } & SaleFact)
  | ({ source: "charge"; cause: Cause } & ChargeFact)
  | { source: "news"; kind: "news"; data: NewsData }
  | { source: "mail"; kind: MailMoment; data: MailData }
  | { source: "tracking"; kind: "tracked"; data: TrackingData }
);

const states = Object.entries(NEWS_OF).map(([state, event]) => sql`when ${event} then ${state}::text`);
const stateOf = sql`case o.event ${sql.join(states, sql` `)} when 'sale.partially_refunded' then 'paid' end`;
const trackedAs = sql`case o.status when 'refused' then 'failed' when 'too_late' then 'dropped' else o.status end`;

/**
 * All that is known of a sale in the order it was learned: facts of the sale and its charges, the provider's news, its
 * mails and what tracking was told. What was learned at one moment stands as one thing follows from the other: the order,
 * news, the question, the charge, the sale, its mails. At most 500 lines.
 */
export async function readTimeline(saleId: string): Promise<TimelineEntry[]> {
  const rows = await db.execute<Record<string, unknown>>(sql`
    select * from (
      select 's' || e.id as id, case when e.kind = 'placed' then 0 else 4 end as rank, e.id as seq, e.at, null::uuid as "chargeId", 'sale' as source, e.kind, e.data, e.cause
      from sale_events e where e.sale_id = ${saleId}
      union all
      select 'c' || e.id, case when e.kind = 'asked' then 2 else 3 end, e.id, e.at, c.id, 'charge', e.kind, e.data, e.cause
      from charges c inner join charge_events e on e.charge_id = c.id where c.sale_id = ${saleId}
      union all
      select 'n' || w.id, 1, w.id, w.received_at, c.id, 'news', 'news',
        jsonb_build_object('word', w.word, 'state', w.state), 'provider'
      from charges c inner join payment_webhooks w on w.charge_id = c.id where c.sale_id = ${saleId}
      union all
      select 'm' || m.id || moment.kind, 5, 0, moment.at, null, 'mail', moment.kind,
        jsonb_build_object('mail', m.kind, 'recipient', m.recipient, 'error', m.error), 'system'
      from mails m cross join lateral (values
        ('queued', m.created_at), ('sent', m.sent_at), ('delivered', m.delivered_at), ('bounced', m.bounced_at),
        ('failed', case when m.status = 'failed' and m.bounced_at is null then m.due_at end)
      ) as moment (kind, at) where m.sale_id = ${saleId} and moment.at is not null
      union all
      select 't' || o.id, 6, 0, coalesce(o.tried_at, o.created_at), null, 'tracking', 'tracked',
        jsonb_build_object('state', ${stateOf}, 'status', ${trackedAs}, 'responseStatus', o.response_status), 'system'
      from outbox o inner join destinations d on d.id = o.destination_id and d.kind = 'utmify' where o.sale_id = ${saleId}
    ) lines order by at, rank, seq, id limit 500`);
  return rows.map((row) => ({ ...row, at: new Date(row.at as string) }) as unknown as TimelineEntry);
}
