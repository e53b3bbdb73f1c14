import { EventEmitter } from "node:events";
import { Logger, type Runner, run, type WorkerEvents } from "graphile-worker";
import { logDatabaseFailure } from "#app/db/database-away.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";
import { gauge } from "#app/platform/metrics.server.ts";
import { forRequest, newRequestId, readRequestId } from "#app/platform/request-id.server.ts";
import { isStopping, onShutdown } from "#app/platform/shutdown.server.ts";
import { type AnyJob, type Ids, REQUEST } from "#app/queue/job.server.ts";
import { openQueuePool } from "#app/queue/pool.server.ts";
import { type AnyPump, runPumps } from "#app/queue/pump.server.ts";
import { registerWorkers } from "#app/queue/register.server.ts";

const END_WITHIN = 30 * SECOND;
/** Jobs of one kind of runner at once. */
const AT_ONCE = 6;

let isRunning = false;

/** Whether this process takes jobs: its runners have started, and nobody asked it to stop. */
export function isWorking(): boolean {
  return isRunning && !isStopping();
}

gauge("worker_running", "1 while this process takes jobs, 0 while it cannot or stops.", [], (running) =>
  running.set(isWorking() ? 1 : 0),
);

/**
 * Works on jobs and due rows until the process is told to stop; where Postgres goes away it starts anew until it is back.
 * @param clock crontab lines (UTC), e.g. `* * * * * sweep-charges`: each fires once however many workers run
 */
export async function runWorker(jobs: AnyJob[], pumps: AnyPump[], clock: string): Promise<void> {
  runPumps(pumps);
  while (!isStopping()) {
    try {
      const { runners, release } = await startRunners(jobs, clock);
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

/** Patient jobs have places of their own: mails at a provider that is slow or away hold up no payment and no PIX's mail. */
async function startRunners(
  jobs: AnyJob[],
  clock: string,
): Promise<{ runners: Runner[]; release: () => Promise<void> }> {
  const events = new EventEmitter() as WorkerEvents;
  events.setMaxListeners(50);
  const registry = registerWorkers(events);
  const [patient, prompt] = [true, false].map((is) => jobs.filter((job) => (job.patient ?? false) === is));
  const started = await Promise.allSettled([
    startRunner("prompt", prompt!, clock, events),
    startRunner("patient", patient!, "", events),
  ]);
  const runners = started.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const failed = started.find((one) => one.status === "rejected");
  if (failed) {
    await Promise.allSettled(runners.map((runner) => runner.stop()));
    throw failed.reason;
  }
  const stopRegistry = await registry.start();
  const stop = () => Promise.all(runners.map((runner) => runner.stop())).then(() => {});
  const forget = onShutdown(stop);
  return {
    runners,
    release: async () => {
      forget();
      // Where one ended by itself the others end with it, and all begin anew.
      const ended = Promise.allSettled(runners.flatMap((runner) => [runner.stop(), runner.promise]));
      // Jobs under way are given so long; one that cannot end keeps no other waiting.
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, END_WITHIN))]);
      await stopRegistry();
    },
  };
}

function startRunner(name: string, jobs: AnyJob[], clock: string, events: WorkerEvents): Promise<Runner> {
  return run({
    pgPool: openQueuePool(name),
    concurrency: AT_ONCE,
    pollInterval: SECOND,
    noHandleSignals: true,
    crontab: clock,
    events,
    logger: new Logger(() => (level, message) => {
      if (level === "error" || level === "warning") log.warn({ from: "queue" }, message);
    }),
    taskList: Object.fromEntries(
      jobs.map((job) => [
        job.name,
        async (payload, helpers) => {
          // Cron and whoever queued it add notes of their own to the payload; the handler knows only its ids.
          const { _cron, [REQUEST]: request, ...ids } = payload as Ids & { _cron?: unknown };
          const number = helpers.job.attempts;
          await forRequest(readRequestId(request) ?? newRequestId(), async () => {
            try {
              await job.handle(ids as never, { number, last: number >= helpers.job.max_attempts });
            } catch (error) {
              log.error({ err: error, job: job.name, ids, attempt: number }, "job failed");
              throw error;
            }
          });
        },
      ]),
    ),
  });
}
