import { sql } from "drizzle-orm";
import { metricsDb } from "#app/db/replica/read-clients.server.ts";
import { overdueOrdersSql, UNPAID_RETENTION } from "#app/domain/erasure/anonymize-unpaid-orders.server.ts";
import { MAX_COUNTED } from "#app/metrics/age-buckets.server.ts";
import { pendingRows } from "#app/metrics/pending-rows.server.ts";
import type { GaugeReading } from "#app/platform/metrics.server.ts";

/** Buyers who requested erasure. */
export function pendingErasures(): Promise<GaugeReading[]> {
  return pendingRows("erasures", {
    pending: "Erasure requests that wait for a worker.",
    overdue: "For how long the oldest of them has waited.",
  });
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
