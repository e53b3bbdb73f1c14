import { type SQL, sql } from "drizzle-orm";
import type { GaugeReading } from "#app/platform/metrics.server.ts";

/** The most rows that one reading counts, of each kind: a gauge at this value means "so many or more". */
export const MAX_COUNTED = 20_000;

const AGE_BUCKETS = ["under_1m", "1m_to_5m", "5m_to_1h", "1h_to_1d", "over_1d"] as const;

/** The age of a timestamp as one of `AGE_BUCKETS`. */
export function ageBucket(moment: SQL): SQL {
  return sql`(case when ${moment} > now() - interval '1 minute' then 'under_1m'
    when ${moment} > now() - interval '5 minutes' then '1m_to_5m'
    when ${moment} > now() - interval '1 hour' then '5m_to_1h'
    when ${moment} > now() - interval '1 day' then '1h_to_1d' else 'over_1d' end)`;
}

/** Counts of rows by age, ages without rows too. */
export function countsByAge(rows: { age: string; count: number }[]): GaugeReading["values"] {
  return AGE_BUCKETS.map((age) => [{ age }, rows.find((row) => row.age === age)?.count ?? 0]);
}
