import { sql } from "drizzle-orm";
import { measuring } from "#app/db/client.server.ts";
import { AT_MOST } from "#app/jobs/by-age.server.ts";
import type { Reading } from "#app/platform/metrics.server.ts";

/** Pictures that wait to be prepared. Those that a worker is at are not due. */
export async function duePictures(): Promise<Reading[]> {
  const [row] = await measuring.execute<{ due: number; oldest: number }>(sql`
    select count(*)::int as due, coalesce(extract(epoch from now() - min(due_at)), 0)::float8 as oldest
    from (select due_at from pictures where due_at <= now() order by due_at limit ${AT_MOST}) p`);
  return [
    {
      name: "pictures_due",
      help: "Sellers' pictures that wait to be prepared.",
      values: [[{}, row!.due]],
    },
    {
      name: "pictures_overdue_seconds",
      help: "For how long the oldest of them has waited for a worker.",
      values: [[{}, row!.oldest]],
    },
  ];
}
