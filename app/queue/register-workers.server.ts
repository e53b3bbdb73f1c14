import type { WorkerEvents } from "graphile-worker";
import type { Sql } from "postgres";
import { logDatabaseFailure } from "#app/db/database-away.server.ts";
import { LIMITS } from "#app/db/limits.server.ts";
import { openSession, type Session } from "#app/db/session.server.ts";
import { MINUTE, SECOND } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";
import { watchClock } from "#app/platform/watch-clock.server.ts";
import { awaitScheduledJobs, correctFutureRuns } from "#app/queue/scheduled-runs.server.ts";

const HEARTBEAT_INTERVAL = 3 * SECOND;
/** A worker that never registered is taken for dead once its lock is this old. */
const UNREGISTERED_AFTER = MINUTE;
/** A worker that missed ten heartbeats is frozen. When it resumes, the claims of its rows prevent repeated work. */
const FROZEN_AFTER = 10 * HEARTBEAT_INTERVAL;

const compareClock = watchClock("worker_clock_offset_seconds");

/**
 * Makes a crash cheap: graphile-worker releases a dead worker's jobs after four hours, we within seconds. Each worker is
 * registered with the connection of its process; Postgres closes that the moment the process dies, and the other workers
 * then release its jobs. A paused machine keeps its connection for as long as TCP waits, so a worker without a heartbeat has
 * its jobs released, too.
 */
export function registerWorkers(events: WorkerEvents) {
  const workerIds = new Set<string>();
  let session: Session | undefined;
  // Jobs are locked in the name of the pool, which fetches them for its workers.
  events.on("pool:create", ({ workerPool }) => void workerIds.add(workerPool.id));

  function connected(): Session {
    if (!session || session.isLost) session = openSession("checkintelli-worker", LIMITS);
    return session;
  }

  async function heartbeat() {
    const { run } = connected();
    // Written at every heartbeat: after a lost connection ours is another one.
    await run((client) => recordHeartbeat(client, [...workerIds]));
    const dead = await run(findDeadWorkers);
    if (dead.length > 0) {
      const ids = dead.map((d) => d.id);
      await run((client) => releaseJobs(client, ids));
      await run(deleteReplacedJobs);
      log.warn({ workers: ids }, "released the jobs of dead workers");
    }
    await run(deleteGoneWorkers);
    await checkClocks();
  }

  async function checkClocks() {
    const { run } = connected();
    await run((client) => compareClock(() => readDatabaseMs(client)));
    const corrected = await run(correctFutureRuns);
    if (corrected > 0) log.warn({ lines: corrected }, "the schedule was run by a clock that is ahead");
  }

  const close = async () => void (await session?.close());

  return {
    close,
    /** Before the schedule is read. */
    async prepare(scheduledJobs: string[]): Promise<void> {
      await checkClocks();
      await connected().run((client) => awaitScheduledJobs(client, scheduledJobs));
    },
    async start(): Promise<() => Promise<void>> {
      let running = Promise.resolve();
      const runHeartbeat = () => {
        running = heartbeat().catch((error) =>
          logDatabaseFailure(error, "worker registry could not be written"),
        );
        return running;
      };
      await runHeartbeat();
      const timer = setInterval(runHeartbeat, HEARTBEAT_INTERVAL);
      return async () => {
        clearInterval(timer);
        await running;
        await close();
      };
    },
  };
}

/** `databaseTime`, without Drizzle. */
async function readDatabaseMs(client: Sql): Promise<number> {
  const [row] = await client<
    { ms: number }[]
  >`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`;
  return row!.ms;
}

function recordHeartbeat(client: Sql, ids: string[]) {
  return client`
    insert into queue_workers (worker_id, backend_pid, backend_start, heartbeat_at)
    select id, a.pid, a.backend_start, now()
    from ${textRows(client, ids)} as id, pg_stat_activity a where a.pid = pg_backend_pid()
    on conflict (worker_id) do update set
      backend_pid = excluded.backend_pid, backend_start = excluded.backend_start, heartbeat_at = excluded.heartbeat_at`;
}

function findDeadWorkers(client: Sql) {
  return client<{ id: string }[]>`
    select distinct j.locked_by as id
    from graphile_worker._private_jobs j
    left join queue_workers w on w.worker_id = j.locked_by
    left join pg_stat_activity a on a.pid = w.backend_pid and abs(extract(epoch from a.backend_start - w.backend_start)) < 1
    where j.locked_by is not null and case
      when w.worker_id is null then j.locked_at < now() - make_interval(secs => ${UNREGISTERED_AFTER / SECOND})
      else a.pid is null or w.heartbeat_at < now() - make_interval(secs => ${FROZEN_AFTER / SECOND}) end`;
}

function releaseJobs(client: Sql, ids: string[]) {
  return client`select graphile_worker.force_unlock_workers(array(select id from ${textRows(client, ids)} as id))`;
}

/** A job that was queued again while it ran has no key and no attempts left: had its worker lived, it would be deleted. */
function deleteReplacedJobs(client: Sql) {
  return client`
    delete from graphile_worker._private_jobs
    where locked_at is null and key is null and attempts >= max_attempts and last_error is null`;
}

function deleteGoneWorkers(client: Sql) {
  return client`
    delete from queue_workers w where not exists (
      select from pg_stat_activity a
      where a.pid = w.backend_pid and abs(extract(epoch from a.backend_start - w.backend_start)) < 1
    ) and not exists (select from graphile_worker._private_jobs j where j.locked_by = w.worker_id)`;
}

/** Texts as rows, sent as JSON: connections have no array types. */
function textRows(client: Sql, values: string[]) {
  return client`jsonb_array_elements_text(${JSON.stringify(values)}::text::jsonb)`;
}
