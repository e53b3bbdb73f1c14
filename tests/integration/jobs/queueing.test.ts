import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { enqueue } from "#app/queue/job.server.ts";
import { sql } from "#tests/support/database.ts";

const PAST = "2020-01-01T00:00:00Z";
const FUTURE = "2100-01-01T00:00:00Z";

type How = (task: string, runAt: string | null, key: string) => Promise<unknown>;

const upstream: How = (task, runAt, key) =>
  sql`select graphile_worker.add_job(${task}, '{"a": 1}'::json, run_at => ${runAt}::timestamptz, max_attempts => 7, priority => 5, job_key => ${key})`;
const ours: How = (task, runAt, key) =>
  sql`select queue_job(${task}, '{"a": 1}'::json, ${runAt}::timestamptz, 7, 5, ${key})`;

/** What may already be queued under the key. */
const BEFORE: Record<string, (key: string) => Promise<unknown>> = {
  nothing: async () => {},
  "one that waits": (key) =>
    sql`select graphile_worker.add_job('before', '{"b": 2}'::json, job_key => ${key})`,
  "one that failed and is tried again": async (key) => {
    await sql`select graphile_worker.add_job('before', '{"b": 2}'::json, job_key => ${key})`;
    await sql`update graphile_worker._private_jobs set attempts = 3, last_error = 'x', run_at = ${FUTURE} where key = ${key}`;
  },
  "one a worker is at": async (key) => {
    await sql`select graphile_worker.add_job('before', '{"b": 2}'::json, job_key => ${key})`;
    await sql`update graphile_worker._private_jobs set attempts = 1, locked_at = now(), locked_by = 'w' where key = ${key}`;
  },
};

/** The rows under a key and the previous ones, without what differs from run to run. */
const rows = () => sql`
  select t.identifier, j.payload, j.run_at > now() as later, j.run_at < now() - interval '1 year' as past, j.attempts,
    j.max_attempts, j.priority, j.last_error, j.key is not null as has_key, j.locked_by, j.is_available, j.revision, j.flags, j.job_queue_id
  from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id order by j.id`;

for (const [name, before] of Object.entries(BEFORE))
  for (const runAt of [null, PAST, FUTURE])
    test(`queue_job leaves what graphile-worker's add_job leaves: ${name} under its key, due ${runAt ?? "now"}`, async () => {
      const left: unknown[] = [];
      for (const how of [upstream, ours]) {
        await sql`delete from graphile_worker._private_jobs`;
        await before("k");
        await how("after", runAt, "k");
        left.push([...(await rows())]);
      }
      expect(left[1]).toEqual(left[0]);
    });

test("a job that failed for good is requeued under its key, with new attempts", async () => {
  await sql`delete from graphile_worker._private_jobs`;
  await sql`select graphile_worker.add_job('before', '{}'::json, job_key => 'k')`;
  await sql`update graphile_worker._private_jobs set attempts = max_attempts, last_error = 'x' where key = 'k'`;
  await ours("after", null, "k");
  expect([...(await rows())]).toMatchObject([
    { identifier: "after", attempts: 0, last_error: null, is_available: true },
  ]);
});

test("jobs of one key queued at once are one job, whichever is first", async () => {
  await sql`delete from graphile_worker._private_jobs`;
  const job = { name: "at-once", maxAttempts: 3 };
  await Promise.all(Array.from({ length: 20 }, (_, at) => enqueue(db, job, { at }, { key: "same" })));
  expect(await sql`select key, revision from graphile_worker.jobs`).toMatchObject([
    { key: "at-once:same", revision: 19 },
  ]);
});

test("workers are notified of a job that can run now and of no other", async () => {
  const notified: string[] = [];
  const { unlisten } = await sql.listen("jobs:insert", (payload) => void notified.push(payload));
  await ours("later", FUTURE, "later");
  await ours("now", null, "now");
  await sql`select 1`;
  await expect.poll(() => notified).toEqual(['{"count":1}']);
  await unlisten();
});
