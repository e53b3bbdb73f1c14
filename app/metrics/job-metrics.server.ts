import { sql } from "drizzle-orm";
import { metricsDb } from "#app/db/replica/read-clients.server.ts";
import { jobs } from "#app/jobs/catalogue.server.ts";
import { schedule } from "#app/jobs/crontab.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { MAX_COUNTED } from "#app/metrics/age-buckets.server.ts";
import type { GaugeReading } from "#app/platform/metrics.server.ts";
import { successIdentifier } from "#app/queue/scheduled-runs.server.ts";

const KINDS = jobs.map(({ name }) => name);
const PRIORITIES = [...new Set(jobs.map(({ priority = 0 }) => priority))];

export async function pendingJobs(): Promise<GaugeReading[]> {
  const rows = await metricsDb.execute<{ job: string; pending: number; oldest: number }>(sql`
    select t.identifier as job, count(*)::int as pending, extract(epoch from now() - min(j.run_at))::float8 as oldest
    from unnest(${`{${PRIORITIES.join(",")}}`}::smallint[]) as p,
      lateral (
        select task_id, run_at from graphile_worker._private_jobs
        where is_available = true and priority = p and run_at <= now() order by run_at limit ${MAX_COUNTED}
      ) j
      inner join graphile_worker._private_tasks t on t.id = j.task_id
    group by 1`);
  return [
    {
      name: "jobs_pending",
      help: "Jobs that are due and wait for a worker.",
      values: byKind(rows, ({ pending }) => pending),
    },
    {
      name: "jobs_overdue_seconds",
      help: "How long the oldest of them has been due.",
      values: byKind(rows, ({ oldest }) => oldest),
    },
  ];
}

/** The next line of the schedule took its key while it ran: it was no last attempt, and the newer job does its work. */
const isReplaced = sql`(j.key is null and t.identifier = any(${`{${Object.keys(schedule).join(",")}}`}::text[]))`;

export async function lockedJobs(): Promise<GaugeReading[]> {
  const rows = await metricsDb.execute<{ job: string; running: number; failed: number }>(sql`
    select t.identifier as job, count(*) filter (where j.locked_at is not null)::int as running,
      count(*) filter (where j.locked_at is null and not ${isReplaced})::int as failed
    from graphile_worker._private_jobs j inner join graphile_worker._private_tasks t on t.id = j.task_id
    where not j.is_available group by 1`);
  return [
    {
      name: "jobs_running",
      help: "Jobs that are running.",
      values: byKind(rows, ({ running }) => running),
    },
    {
      name: "jobs_failed",
      help: "Jobs whose last attempt failed and that are not retried; deleted after 30 days.",
      values: byKind(rows, ({ failed }) => failed),
    },
  ];
}

/** When the jobs of the schedule last succeeded, and how often they should. */
export async function scheduledJobs(): Promise<GaugeReading[]> {
  const rows = await metricsDb.execute<{ identifier: string; age: number }>(sql`
    select identifier, greatest(0, extract(epoch from now() - coalesce(last_execution, known_since)))::float8 as age
    from graphile_worker._private_known_crontabs`);
  const ages = new Map(rows.map(({ identifier, age }) => [identifier, age]));
  return [
    {
      name: "scheduled_job_success_age_seconds",
      help: "How long ago each job of the schedule last succeeded, or, where it never did, was first scheduled.",
      values: Object.keys(schedule).flatMap((job): GaugeReading["values"] => {
        const age = ages.get(successIdentifier(job));
        return age === undefined ? [] : [[{ job }, age]];
      }),
    },
    {
      name: "scheduled_job_interval_seconds",
      help: "How often each is run.",
      values: Object.entries(schedule).map(([job, interval]) => [{ job }, interval / SECOND]),
    },
  ];
}

/** One value for each kind of job, also without rows; unknown kinds are `other`. */
function byKind<Row extends { job: string }>(
  rows: Row[],
  value: (row: Row) => number,
): GaugeReading["values"] {
  const others = rows.filter(({ job }) => !KINDS.includes(job));
  return [
    ...KINDS.map((job): GaugeReading["values"][number] => {
      const row = rows.find((one) => one.job === job);
      return [{ job }, row ? value(row) : 0];
    }),
    ...(others.length > 0
      ? [[{ job: "other" }, Math.max(...others.map(value))] as GaugeReading["values"][number]]
      : []),
  ];
}
