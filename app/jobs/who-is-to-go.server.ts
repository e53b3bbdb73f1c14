import { sql } from "drizzle-orm";
import { measuring } from "#app/db/client.server.ts";
import { overdueOrders, UNPAID_KEPT_FOR } from "#app/domain/erasure/empty-unpaid.server.ts";
import { AT_MOST } from "#app/jobs/by-age.server.ts";
import { dueRows } from "#app/jobs/due-rows.server.ts";
import type { Reading } from "#app/platform/metrics.server.ts";

/** Buyers who asked to be forgotten. */
export function dueErasures(): Promise<Reading[]> {
  return dueRows("erasures", {
    due: "Buyers who asked for their data to be emptied and wait for a worker.",
    overdue: "For how long the oldest of them has waited.",
  });
}

/** Persons that should have gone by their age. */
export async function unpaidPersons(): Promise<Reading[]> {
  const [row] = await measuring.execute<{ orders: number; overdue: number }>(sql`
    select count(*)::int as orders,
      coalesce(extract(epoch from now() - min(created_at)) - ${UNPAID_KEPT_FOR / 1000}, 0)::float8 as overdue
    from (select s.created_at ${overdueOrders()} order by s.created_at limit ${AT_MOST}) o`);
  return [
    {
      name: "unpaid_persons",
      help: "Orders that nobody paid within 30 days and that still name their buyer.",
      values: [[{}, row!.orders]],
    },
    {
      name: "unpaid_persons_overdue_seconds",
      help: "For how long the oldest of them should have been without.",
      values: [[{}, row!.overdue]],
    },
  ];
}
