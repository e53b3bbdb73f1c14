import type { JobHelpers, Task } from "graphile-worker";
import { log, messageWithoutValues } from "#app/platform/log.server.ts";
import { forRequest, newRequestId, readRequestId } from "#app/platform/request-id.server.ts";
import { type AnyJob, type Ids, REQUEST_KEY } from "#app/queue/job.server.ts";
import { recordScheduledSuccess } from "#app/queue/scheduled-runs.server.ts";

/**
 * A job as graphile-worker runs it. A run that the schedule queued ends at once while an earlier one of that kind is still
 * running: one that takes minutes would otherwise fill a runner with others that wait for it.
 */
export function runTask(job: AnyJob): Task {
  return async (payload, helpers) => {
    // Cron and our own `enqueue` add keys to the payload; the handler expects its ids alone.
    const { _cron, [REQUEST_KEY]: request, ...ids } = payload as Ids & { _cron?: unknown };
    const number = helpers.job.attempts;
    const isScheduled = Boolean(_cron);
    await forRequest(readRequestId(request) ?? newRequestId(), async () => {
      try {
        if (isScheduled && (await isStillRunning(helpers))) return;
        await job.handle(ids as never, { number, last: number >= helpers.job.max_attempts });
        if (isScheduled) await recordScheduledSuccess(helpers, job.name);
      } catch (error) {
        log.error({ err: error, job: job.name, ids, attempt: number }, "job failed");
        if (await isReplaced(helpers)) return;
        // graphile-worker stores the message: the error itself has the values of a statement that failed.
        throw new Error(messageWithoutValues(error));
      }
    });
  };
}

/** One that hangs is not waited for longer: the next run may succeed. */
const LONGEST_RUN = "1 hour";

/** Whether an earlier run is at work that the schedule queued under the same key. */
async function isStillRunning({ job, query }: JobHelpers): Promise<boolean> {
  if (!job.key) return false;
  const { rows } = await query(
    `select 1 from graphile_worker._private_jobs j
      where j.task_id = (select task_id from graphile_worker._private_jobs where id = $1) and j.id < $1
        and j.locked_at > now() - $2::interval and j.payload -> '_cron' is not null limit 1`,
    [job.id, LONGEST_RUN],
  );
  return rows.length > 0;
}

/**
 * Whether another one was queued under the key of this job while it ran. It is not retried then, and no row of it stays: the
 * next run of the schedule does its work, since one that began meanwhile has ended without doing anything.
 */
async function isReplaced({ job, query }: JobHelpers): Promise<boolean> {
  if (!job.key) return false;
  const found = await query<{ key: string | null }>(
    "select key from graphile_worker._private_jobs where id = $1",
    [job.id],
  ).catch(() => null);
  return found?.rows[0]?.key === null;
}
