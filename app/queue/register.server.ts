import type { WorkerEvents } from "graphile-worker";
import type { Sql } from "postgres";
import { LIMITS } from "#app/db/limits.server.ts";
import { openSession, type Session } from "#app/db/session.server.ts";
import { MINUTE, SECOND } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";

const RELEASE_EVERY = 3 * SECOND;
/** A worker that never registered is taken for dead once its lock is this old. */
const UNREGISTERED_AFTER = MINUTE;
/** A worker that said nothing for ten beats is frozen. When it wakes up, what it does twice is fenced where it is done. */
const SILENT_AFTER = 10 * RELEASE_EVERY;

/**
 * Makes a crash cheap: graphile-worker gives a dead worker's jobs back after four hours, we within seconds.
 * Each worker is registered with the connection of its process; Postgres closes that the moment the process dies,
 * and whoever is alive then gives the jobs of vanished connections back. A paused machine keeps its connection for as
 * long as TCP waits, so a worker that no longer says that it is there has its jobs given back, too.
 */
export function registerWorkers(events: WorkerEvents) {
  const mine = new Set<string>();
  let session: Session | undefined;
  // Jobs are locked in the name of the pool, which fetches them for its workers.
  events.on("pool:create", ({ workerPool }) => void mine.add(workerPool.id));

  function connected(): Session {
    if (!session || session.isLost) session = openSession("checkintelli-worker", LIMITS);
    return session;
  }

  async function beat() {
    const { ask } = connected();
    // Written at every beat: after a lost connection ours is another one.
    await ask((client) => sayAlive(client, [...mine]));
    const dead = await ask(findDead);
    if (dead.length > 0) {
      const ids = dead.map((d) => d.id);
      await ask((client) => giveBack(client, ids));
      await ask(dropReplaced);
      log.warn({ workers: ids }, "gave back the jobs of dead workers");
    }
    await ask(forgetGone);
  }

  return {
    async start(): Promise<() => Promise<void>> {
      let running = Promise.resolve();
      const tick = () => {
        running = beat().catch((error) => log.warn({ err: error }, "worker registry could not be written"));
        return running;
      };
      await tick();
      const timer = setInterval(tick, RELEASE_EVERY);
      return async () => {
        clearInterval(timer);
        await running;
        await session?.close();
      };
    },
  };
}

function sayAlive(client: Sql, ids: string[]) {
  return client`
    insert into queue_workers (worker_id, backend_pid, backend_start, beat_at)
    select id, a.pid, a.backend_start, now()
    from ${texts(client, ids)} as id, pg_stat_activity a where a.pid = pg_backend_pid()
    on conflict (worker_id) do update set
      backend_pid = excluded.backend_pid, backend_start = excluded.backend_start, beat_at = excluded.beat_at`;
}

function findDead(client: Sql) {
  return client<{ id: string }[]>`
    select distinct j.locked_by as id
    from graphile_worker._private_jobs j
    left join queue_workers w on w.worker_id = j.locked_by
    left join pg_stat_activity a on a.pid = w.backend_pid and abs(extract(epoch from a.backend_start - w.backend_start)) < 1
    where j.locked_by is not null and case
      when w.worker_id is null then j.locked_at < now() - make_interval(secs => ${UNREGISTERED_AFTER / SECOND})
      else a.pid is null or w.beat_at < now() - make_interval(secs => ${SILENT_AFTER / SECOND}) end`;
}

function giveBack(client: Sql, ids: string[]) {
  return client`select graphile_worker.force_unlock_workers(array(select id from ${texts(client, ids)} as id))`;
}

/** A job that was queued anew while it ran is left without key and tries: had its worker lived, it would be gone. */
function dropReplaced(client: Sql) {
  return client`
    delete from graphile_worker._private_jobs
    where locked_at is null and key is null and attempts >= max_attempts and last_error is null`;
}

function forgetGone(client: Sql) {
  return client`
    delete from queue_workers w where not exists (
      select from pg_stat_activity a
      where a.pid = w.backend_pid and abs(extract(epoch from a.backend_start - w.backend_start)) < 1
    ) and not exists (select from graphile_worker._private_jobs j where j.locked_by = w.worker_id)`;
}

/** Texts as rows, sent as JSON: connections know no array types. */
function texts(client: Sql, values: string[]) {
  return client`jsonb_array_elements_text(${JSON.stringify(values)}::text::jsonb)`;
}
