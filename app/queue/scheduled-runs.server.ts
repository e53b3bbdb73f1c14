import type { JobHelpers } from "graphile-worker";
import type { Sql } from "postgres";
import { log } from "#app/platform/log.server.ts";

/**
 * When each job of the schedule last succeeded, beside what graphile-worker stores of its lines: a job that fails at every
 * run is queued anew each time, and so never fails for good. The row's `known_since` is when it was first waited for.
 */
const PREFIX = "succeeded:";

/** The identifier of that row in `_private_known_crontabs`. */
export const successIdentifier = (job: string): string => PREFIX + job;

/** Records when a scheduled job last succeeded, for metrics; a job does not fail because of it. */
export async function recordScheduledSuccess({ query }: JobHelpers, job: string): Promise<void> {
  await query(
    `insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution) values ($1, now(), now())
      on conflict (identifier) do update set last_execution = excluded.last_execution`,
    [successIdentifier(job)],
  ).catch((err: unknown) => log.warn({ err, job }, "success of a scheduled job not recorded"));
}

/** From now on these are waited for. */
export async function awaitScheduledJobs(client: Sql, jobs: string[]): Promise<void> {
  await client`
    insert into graphile_worker._private_known_crontabs (identifier, known_since)
    select ${PREFIX} || job, now() from jsonb_array_elements_text(${JSON.stringify(jobs)}::text::jsonb) as job
    on conflict do nothing`;
}

/** A minute of the schedule that began on another machine's clock. */
const TOLERANCE = "1 minute";

/**
 * A worker whose clock was ahead stored that its lines were run in the future: until then no worker would run them again.
 * @returns how many were corrected
 */
export async function correctFutureRuns(client: Sql): Promise<number> {
  const corrected = await client`
    update graphile_worker._private_known_crontabs set last_execution = now()
    where last_execution > now() + ${TOLERANCE}::interval`;
  return corrected.count;
}
