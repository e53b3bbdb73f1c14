import { sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import type { Cause } from "#app/db/schema/lists.ts";
import { EVENT_OF_STATE } from "#app/domain/delivery/utmify/states.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import { nameWithArticle } from "#app/domain/gateway/providers/name-with-article.server.ts";
import type { ChargeEvent, SaleEvent } from "#app/domain/sale/events.ts";
import { pick } from "#app/kit/pick.ts";

type MailMoment = "queued" | "sent" | "delivered" | "bounced" | "failed";

/** A provider's webhook. `word`: the status in the provider's own words, or what stands in its place (`UNCLEAR_TEXTS`). */
type WebhookEntryData = { word: string; state: string };
type MailEntryData = { mail: string; recipient: string; error: string | null };
type TrackingEntryData = { state: string; status: string; responseStatus: number | null };

/**
 * One line of a sale's history. `chargeId` is the charge it is about; null where it is about the sale itself. `byProvider`
 * names the charge's provider with "pela" or "pelo" before it, `isCard` says whether it is a card and not a PIX.
 */
export type TimelineEntry = { id: string; at: Date; chargeId: string | null } & (
  | ({ source: "sale"; cause: Cause } & SaleEvent)
  | ({ source: "charge"; cause: Cause; byProvider: string; isCard: boolean } & ChargeEvent)
  | { source: "news"; kind: "news"; data: WebhookEntryData }
  | { source: "mail"; kind: MailMoment; data: MailEntryData }
  | { source: "tracking"; kind: "tracked"; data: TrackingEntryData }
);

/** How many lines of a history are shown. */
export const MAX_TIMELINE = 500;

const stateCases = Object.entries(EVENT_OF_STATE).map(
  ([state, event]) => sql`when ${event} then ${state}::text`,
);
const orderStateSql = sql`case o.event ${sql.join(stateCases, sql` `)} when 'sale.partially_refunded' then 'paid' end`;
const trackingStatusSql = sql`case o.status when 'refused' then 'failed' when 'too_late' then 'dropped' else o.status end`;

/**
 * A sale's history in the order it was learned: events of the sale and its charges, provider webhooks, mails, and deliveries
 * to UTMify. Entries of the same time are in order of cause: the order, webhook, check, charge, sale, mails. The
 * newest `MAX_TIMELINE` lines, and one more where there are older ones. A mail's delivery may be reported before its sending is
 * recorded: it stands after it all the same.
 */
export async function readTimeline(sellerId: string, saleId: string): Promise<TimelineEntry[]> {
  const rows = await db.execute<Record<string, unknown>>(sql`
    select * from (
      select 's' || e.id as id, case when e.kind = 'placed' then 0 else 4 end as rank, e.id as seq, e.at, null::uuid as "chargeId", 'sale' as source, e.kind, e.data, e.cause, null as provider, null as method
      from sale_events e where e.seller_id = ${sellerId} and e.sale_id = ${saleId}
      union all
      select 'c' || e.id, case when e.kind = 'asked' then 2 else 3 end, e.id, e.at, c.id, 'charge', e.kind, e.data, e.cause, c.provider, c.method
      from charges c inner join charge_events e on e.seller_id = c.seller_id and e.charge_id = c.id where c.seller_id = ${sellerId} and c.sale_id = ${saleId}
      union all
      select 'n' || w.id, 1, w.id, w.received_at, c.id, 'news', 'news',
        jsonb_build_object('word', w.provider_status, 'state', w.state), 'provider', null, null
      from charges c inner join payment_webhooks w on w.seller_id = c.seller_id and w.charge_id = c.id where c.seller_id = ${sellerId} and c.sale_id = ${saleId}
      union all
      select 'm' || m.id || moment.kind, 5, moment.step, moment.at, null, 'mail', moment.kind,
        jsonb_build_object('mail', m.kind, 'recipient', m.recipient, 'error', m.error), 'system', null, null
      from mails m cross join lateral (values
        (0, 'queued', m.created_at), (1, 'sent', m.sent_at),
        (2, 'delivered', case when m.delivered_at is not null then greatest(m.delivered_at, m.sent_at) end),
        (2, 'bounced', case when m.bounced_at is not null then greatest(m.bounced_at, m.sent_at) end),
        (2, 'failed', case when m.status = 'failed' and m.bounced_at is null then greatest(m.failed_at, m.sent_at) end)
      ) as moment (step, kind, at) where m.seller_id = ${sellerId} and m.sale_id = ${saleId} and moment.at is not null
      union all
      select 't' || o.id, 6, 0, coalesce(o.attempted_at, o.created_at), null, 'tracking', 'tracked',
        jsonb_build_object('state', ${orderStateSql}, 'status', ${trackingStatusSql}, 'responseStatus', o.response_status), 'system', null, null
      from deliveries o inner join destinations d on d.id = o.destination_id and d.kind = 'utmify' where o.seller_id = ${sellerId} and o.sale_id = ${saleId}
    ) lines order by at desc, rank desc, seq desc, id desc limit ${MAX_TIMELINE + 1}`);
  return rows.toReversed().map(({ provider, method, ...row }) => {
    const known = pick(providers, String(provider));
    const byProvider = known ? nameWithArticle(known, "pel") : "pelo provedor";
    const charge = row.source === "charge" ? { byProvider, isCard: method === "card" } : {};
    return { ...row, ...charge, at: new Date(row.at as string) } as unknown as TimelineEntry;
  });
}
