import { type SQL, sql } from "drizzle-orm";
import type { Reading } from "#app/platform/metrics.server.ts";

/** Rows that one look counts at most, of each kind: a gauge that shows this much means "so many or more". */
export const AT_MOST = 20_000;

const AGES = ["under_1m", "1m_to_5m", "5m_to_1h", "1h_to_1d", "over_1d"] as const;

/** The age of a moment as one of `AGES`. */
export function ageOf(moment: SQL): SQL {
  return sql`(case when ${moment} > now() - interval '1 minute' then 'under_1m'
    when ${moment} > now() - interval '5 minutes' then '1m_to_5m'
    when ${moment} > now() - interval '1 hour' then '5m_to_1h'
    when ${moment} > now() - interval '1 day' then '1h_to_1d' else 'over_1d' end)`;
}

/** Counts of rows by age, ages without rows too. */
export function byAge(rows: { age: string; count: number }[]): Reading["values"] {
  return AGES.map((age) => [{ age }, rows.find((row) => row.age === age)?.count ?? 0]);
}
