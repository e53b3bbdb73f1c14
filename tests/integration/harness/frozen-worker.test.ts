import { EventEmitter } from "node:events";
import type { WorkerEvents } from "graphile-worker";
import { expect, test } from "vitest";
import { registerWorkers } from "#app/queue/register-workers.server.ts";
import { sql } from "#tests/support/database.ts";

/** A worker with an open connection and a job in progress. @param silentFor since its last heartbeat, in seconds */
async function makeWorker(id: string, silentFor: number): Promise<void> {
  await sql`insert into queue_workers (worker_id, backend_pid, backend_start, heartbeat_at)
    select ${id}, a.pid, a.backend_start, now() - make_interval(secs => ${silentFor})
    from pg_stat_activity a where a.pid = pg_backend_pid()`;
  await sql`select graphile_worker.add_job('send-mail', '{}'::json, job_key => ${id})`;
  await sql`update graphile_worker._private_jobs set locked_by = ${id}, locked_at = now(), attempts = 1 where key = ${id}`;
}

test("the jobs of a frozen worker with an open connection are released; those of a running one stay", async () => {
  await makeWorker("frozen", 31);
  await makeWorker("at-work", 20);
  const stop = await registerWorkers(new EventEmitter() as WorkerEvents).start();
  const locks = await sql`select key, locked_by from graphile_worker._private_jobs order by key`;
  expect(locks.map(({ key, locked_by }) => [key, locked_by])).toEqual([
    ["at-work", "at-work"],
    ["frozen", null],
  ]);
  await stop();
});

test("a job that was queued anew while its worker had it, and then died, leaves no dead row", async () => {
  await sql`delete from graphile_worker._private_jobs`;
  await makeWorker("gone", 31);
  await sql`select graphile_worker.add_job('send-mail', '{}'::json, job_key => 'gone')`;
  // A job that failed for good shows a fault, and stays.
  await sql`select graphile_worker.add_job('send-mail', '{}'::json, job_key => 'broken')`;
  await sql`update graphile_worker._private_jobs set attempts = max_attempts, key = null, last_error = 'x' where key = 'broken'`;
  const stop = await registerWorkers(new EventEmitter() as WorkerEvents).start();
  expect(
    await sql`select key, attempts, last_error from graphile_worker._private_jobs order by id`,
  ).toMatchObject([
    { key: "gone", attempts: 0, last_error: null },
    { key: null, last_error: "x" },
  ]);
  await stop();
});
