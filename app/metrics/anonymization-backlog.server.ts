import { sql } from "drizzle-orm";
import { ago } from "#app/db/conditions.server.ts";
import { metricsDb } from "#app/db/replica/read-clients.server.ts";
import { isUnfinished } from "#app/domain/erasure/anonymization-conditions.server.ts";
import { overdueOrdersSql, UNPAID_RETENTION } from "#app/domain/erasure/anonymize-unpaid-orders.server.ts";
import { canBeAnonymizedSql, MAX_WAIT } from "#app/domain/erasure/erase-buyer.server.ts";
import { MAX_COUNTED } from "#app/metrics/age-buckets.server.ts";
import { readPending } from "#app/metrics/pending-rows.server.ts";
import type { GaugeReading } from "#app/platform/metrics.server.ts";

/**
 * Buyers who requested erasure, while something of it can be done: one whose passes fail, or find its sales locked, is due again
 * after each, and so never late by its own time.
 */
export function pendingErasures(): Promise<GaugeReading[]> {
  const isBlocked = sql`(e.requested_at > ${ago(MAX_WAIT)} and ${isUnfinished})`;
  const request = { email: sql`e.email`, requestedAt: sql`e.requested_at` };
  const isPossible = canBeAnonymizedSql(request, isBlocked);
  return readPending(
    "erasures",
    sql`select case when p.sale is null then scheduled_at else requested_at end as since
      from erasures e left join lateral (select s.id as sale from sales s where ${isPossible} limit 1) p on true
      where p.sale is not null or scheduled_at <= now()`,
    {
      pending: "Erasure requests of which something can be done.",
      overdue: "For how long the oldest of them has waited.",
    },
  );
}

/** Orders whose buyers should have been anonymized by age. */
export async function ordersPendingAnonymization(): Promise<GaugeReading[]> {
  const [row] = await metricsDb.execute<{ orders: number; overdue: number }>(sql`
    select count(*)::int as orders,
      coalesce(extract(epoch from now() - min(created_at)) - ${UNPAID_RETENTION / 1000}, 0)::float8 as overdue
    from (select s.created_at ${overdueOrdersSql()} order by s.created_at limit ${MAX_COUNTED}) o`);
  return [
    {
      name: "orders_pending_anonymization",
      help: "Orders that nobody paid within 30 days and that still name their buyer.",
      values: [[{}, row!.orders]],
    },
    {
      name: "orders_pending_anonymization_overdue_seconds",
      help: "How long the oldest of them is overdue.",
      values: [[{}, row!.overdue]],
    },
  ];
}
