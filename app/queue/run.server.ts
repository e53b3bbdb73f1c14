import { EventEmitter } from "node:events";
import { Logger, type Runner, run, type WorkerEvents } from "graphile-worker";
import { logDatabaseFailure } from "#app/db/database-away.server.ts";
import { MINUTE, SECOND } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";
import { gauge } from "#app/platform/metrics.server.ts";
import { isStopping, onShutdown } from "#app/platform/shutdown.server.ts";
import type { AnyQueue } from "#app/queue/define-queue.server.ts";
import type { AnyJob } from "#app/queue/job.server.ts";
import { openQueuePool } from "#app/queue/pool.server.ts";
import { registerWorkers } from "#app/queue/register-workers.server.ts";
import { runQueues } from "#app/queue/run-queues.server.ts";
import { runTask } from "#app/queue/run-task.server.ts";

const STOP_TIMEOUT = 30 * SECOND;
/** Concurrent jobs per runner. */
const CONCURRENCY = 6;

let isRunning = false;

/** Whether this process takes jobs: its runners have started, and it is not stopping. */
export function isWorking(): boolean {
  return isRunning && !isStopping();
}

gauge("worker_running", "1 while this process takes jobs, 0 while it cannot or stops.", [], (running) =>
  running.set(isWorking() ? 1 : 0),
);

/**
 * Runs jobs and queues until the process is stopped; if Postgres goes away, restarts until it is back.
 * @param crontab crontab lines (UTC), e.g. `* * * * * sweep-charges`: each fires once however many workers run
 * @param scheduledJobs the names of the jobs whose success is awaited
 */
export async function runWorker(
  jobs: AnyJob[],
  queues: AnyQueue[],
  crontab: string,
  scheduledJobs: string[],
): Promise<void> {
  runQueues(queues);
  while (!isStopping()) {
    try {
      const { runners, release } = await startRunners(jobs, crontab, scheduledJobs);
      isRunning = true;
      log.info("worker ready");
      await Promise.race(runners.map((runner) => runner.promise)).finally(() => {
        isRunning = false;
        return release();
      });
    } catch (error) {
      if (isStopping()) return;
      logDatabaseFailure(error, "worker stopped; starting again");
      await new Promise((resolve) => setTimeout(resolve, SECOND));
    }
  }
}

async function startRunners(
  jobs: AnyJob[],
  crontab: string,
  scheduledJobs: string[],
): Promise<{ runners: Runner[]; release: () => Promise<void> }> {
  const events = new EventEmitter() as WorkerEvents;
  events.setMaxListeners(50);
  const registry = registerWorkers(events);
  runAtDatabaseTime(events);
  const runners = await registry
    .prepare(scheduledJobs)
    .then(() => startBoth(jobs, crontab, events))
    .catch(async (error) => {
      await registry.close();
      throw error;
    });
  restartAfterSetBack(events, runners);
  const stopRegistry = await registry.start();
  const stop = () => Promise.all(runners.map((runner) => runner.stop())).then(() => {});
  const removeShutdownHandler = onShutdown(stop);
  return {
    runners,
    release: async () => {
      removeShutdownHandler();
      // If one runner ends by itself, the others are stopped and all are restarted.
      const ended = Promise.allSettled(runners.flatMap((runner) => [runner.stop(), runner.promise]));
      // Running jobs get this long to end; one that hangs does not block the restart.
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, STOP_TIMEOUT))]);
      await stopRegistry();
    },
  };
}

/** Slow jobs have a runner of their own: a mail provider that is slow or away delays no payment and no PIX's mail. */
async function startBoth(jobs: AnyJob[], crontab: string, events: WorkerEvents): Promise<Runner[]> {
  const [slow, fast] = [true, false].map((isSlow) => jobs.filter((job) => (job.slow ?? false) === isSlow));
  const started = await Promise.allSettled([
    startRunner("prompt", fast!, crontab, events),
    startRunner("patient", slow!, "", events),
  ]);
  const runners = started.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const failed = started.find((one) => one.status === "rejected");
  if (!failed) return runners;
  await Promise.allSettled(runners.map((runner) => runner.stop()));
  throw failed.reason;
}

function startRunner(name: string, jobs: AnyJob[], crontab: string, events: WorkerEvents): Promise<Runner> {
  return run({
    pgPool: openQueuePool(name),
    concurrency: CONCURRENCY,
    pollInterval: SECOND,
    noHandleSignals: true,
    crontab: crontab,
    events,
    logger: new Logger(() => (level, message) => {
      // `runTask` has logged "job failed".
      if (message.startsWith("Failed task ")) return;
      if (level === "error" || level === "warning") log.warn({ from: "queue" }, message);
    }),
    taskList: Object.fromEntries(jobs.map((job) => [job.name, runTask(job)])),
  });
}

/**
 * graphile-worker waits for a minute that it chose by the clock as it was. Where the clock was set back by more since, that would
 * be for as long: the runners end, and begin anew by the new time.
 */
function restartAfterSetBack(events: WorkerEvents, runners: Runner[]): void {
  events.on("cron:prematureTimer", ({ currentTimestamp, expectedTimestamp }) => {
    const waitMs = expectedTimestamp - currentTimestamp;
    if (waitMs <= MINUTE) return;
    log.warn({ seconds: waitMs / SECOND }, "this machine's clock was set back; the schedule begins anew");
    // The others end with the first; one that is stopping already refuses.
    runners[0]!.stop().catch(() => {});
  });
}

/**
 * Jobs of the schedule are due when they are queued, by the database's clock. graphile-worker sets the minute of this
 * process's clock: where that is a minute ahead, the next one would replace each before it was due.
 */
function runAtDatabaseTime(events: WorkerEvents): void {
  events.on("cron:schedule", ({ jobsAndIdentifiers }) => {
    for (const { job } of jobsAndIdentifiers) makeDueNow(job);
  });
  events.on("cron:backfill", ({ itemsToBackfill }) => {
    for (const { job } of itemsToBackfill) makeDueNow(job);
  });
}

/** graphile-worker takes the database's `now()` where there is no time. */
function makeDueNow(job: { runAt?: string }): void {
  delete job.runAt;
}
