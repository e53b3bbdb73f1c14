import { EventEmitter } from "node:events";
import { Logger, type Runner, run, type WorkerEvents } from "graphile-worker";
import { SECOND } from "#app/kit/duration.ts";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";
import { isStopping, onShutdown } from "#app/platform/shutdown.server.ts";
import type { AnyJob, Ids } from "#app/queue/job.server.ts";
import { registerWorkers } from "#app/queue/register.server.ts";

/**
 * Works on jobs until the process is told to stop; where Postgres goes away it starts anew until it is back.
 * @param clock crontab lines (UTC), e.g. `* * * * * sweep-charges`: each fires once however many workers run
 */
export async function runWorker(jobs: AnyJob[], clock: string): Promise<void> {
  while (!isStopping()) {
    try {
      const { runner, release } = await startRunner(jobs, clock);
      log.info("worker ready");
      await runner.promise.finally(release);
    } catch (error) {
      if (isStopping()) return;
      log.error({ err: error }, "worker stopped; starting again");
      await new Promise((resolve) => setTimeout(resolve, SECOND));
    }
  }
}

async function startRunner(
  jobs: AnyJob[],
  clock: string,
): Promise<{ runner: Runner; release: () => Promise<void> }> {
  const events = new EventEmitter() as WorkerEvents;
  events.setMaxListeners(50);
  const registry = registerWorkers(events);
  const runner = await run({
    connectionString: env.DATABASE_URL,
    concurrency: 8,
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
          // Cron adds its own notes to the payload; the handler knows only its ids.
          const { _cron, ...ids } = payload as Ids & { _cron?: unknown };
          const number = helpers.job.attempts;
          try {
            await job.handle(ids as never, { number, last: number >= helpers.job.max_attempts });
          } catch (error) {
            log.error({ err: error, job: job.name, ids, attempt: number }, "job failed");
            throw error;
          }
        },
      ]),
    ),
  });
  const stopRegistry = await registry.start();
  const forget = onShutdown(() => runner.stop());
  return {
    runner,
    release: async () => {
      forget();
      await stopRegistry();
    },
  };
}
