import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DrizzleQueryError } from "drizzle-orm";
import { Logger, runOnce } from "graphile-worker";
import { afterEach, expect, test } from "vitest";
import { crontab, schedule } from "#app/jobs/crontab.server.ts";
import { backlogReadings } from "#app/metrics/backlog-metrics.server.ts";
import { defineJob } from "#app/queue/job.server.ts";
import { runTask } from "#app/queue/run-task.server.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { longTest } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

/** A line of the schedule, as graphile-worker writes it. */
const queue = (job = "refresh-reports", key: string | null = job) =>
  sql`select graphile_worker.add_job(${job}, '{"_cron": {}}'::json, job_key => ${key}, job_key_mode => 'replace')`;

/** Runs what is due. */
const work = (handle: () => Promise<void>, job = "refresh-reports") =>
  runOnce({
    connectionString: process.env.DATABASE_URL!,
    logger: new Logger(() => () => {}),
    taskList: { [job]: runTask(defineJob(job, handle)) },
  });

async function read(reading: string, metric: string, job = "refresh-reports"): Promise<number | undefined> {
  const found = (await backlogReadings[reading]!()).find(({ name }) => name === metric);
  return found!.values.find(([labels]) => labels.job === job)?.[1];
}
const failedJobs = () => read("lockedJobs", "jobs_failed");
const successAge = () => read("scheduledJobs", "scheduled_job_success_age_seconds");
const rows = () => sql`select key, attempts, last_error from graphile_worker._private_jobs`;
const mark = "succeeded:refresh-reports";
/** graphile-worker does not wait until the row of a run that ended is deleted. */
const untilRows = (left: number) =>
  until(async () => (await rows()).length === left, { what: `${left} rows of jobs` });

afterEach(async () => {
  await sql`delete from graphile_worker._private_jobs`;
  await sql`delete from graphile_worker._private_known_crontabs`;
});

test("the intervals of the schedule's jobs are those of its lines", () => {
  const replacing = [...crontab.matchAll(/^(\S+ ){5}(\S+) .*jobKeyMode=replace/gm)].map(([, , job]) => job);
  expect(Object.keys(schedule)).toEqual(replacing);
  const seconds = Object.fromEntries(Object.entries(schedule).map(([job, ms]) => [job, ms / 1000]));
  expect(seconds).toMatchObject({
    "sweep-charges": 60,
    "try-refunds": 300,
    "empty-closed": 3600,
    "clean-up": 86_400,
  });
});

test("a run that fails after the next one was queued leaves no failed job", async () => {
  let isFirst = true;
  await queue();
  await work(async () => {
    if (!isFirst) return;
    isFirst = false;
    await queue();
    throw new Error("canceling statement due to lock timeout");
  });
  await untilRows(0);
  expect(await failedJobs()).toBe(0);
});

test("the row of a job has the message of a statement that failed, without its values", async () => {
  await queue();
  await work(async () => {
    throw new DrizzleQueryError("select 1", ["zoe@exemplo.com.br"], new Error("lock timeout"));
  });
  await until(async () => (await rows())[0]!.last_error !== null);
  expect(await rows()).toMatchObject([{ attempts: 1, last_error: "Failed query: select 1: lock timeout" }]);
});

test("a replaced run whose worker died after an error is no failed job; one that used up its attempts is", async () => {
  await queue();
  await sql`update graphile_worker._private_jobs set key = null, attempts = max_attempts, last_error = 'x'`;
  expect(await failedJobs()).toBe(0);
  await sql`update graphile_worker._private_jobs set key = 'refresh-reports'`;
  expect(await failedJobs()).toBe(1);
});

test("while a run takes long, those that are queued meanwhile end at once, and the next one after it runs", async () => {
  const { promise: isEnded, resolve: end } = Promise.withResolvers<void>();
  let runs = 0;
  const handle = async () => {
    runs += 1;
    await isEnded;
  };
  await queue();
  const first = work(handle);
  await until(() => runs === 1);
  for (let minute = 0; minute < 3; minute++) {
    await queue();
    await work(handle);
  }
  await untilRows(1);
  expect(runs).toBe(1);
  expect(await successAge()).toBeUndefined();
  end();
  await first;
  await untilRows(0);
  await queue();
  await work(handle);
  await untilRows(0);
  expect(runs).toBe(2);
});

test("lines without a key, as the week's and the month's digest, do not end each other", async () => {
  let runs = 0;
  const { promise: areBoth, resolve } = Promise.withResolvers<void>();
  const handle = async () => {
    runs += 1;
    if (runs === 2) resolve();
    await areBoth;
  };
  await queue("mail-digests", null);
  await queue("mail-digests", null);
  await Promise.all([work(handle, "mail-digests"), work(handle, "mail-digests")]);
  expect(runs).toBe(2);
});

test("a job that fails at every run shows for how long it has not succeeded, however often it is queued anew", async () => {
  await sql`insert into graphile_worker._private_known_crontabs (identifier, known_since) values (${mark}, now() - interval '3 days')`;
  for (let run = 0; run < 3; run++) {
    await queue();
    await work(async () => {
      throw new Error("statement timeout");
    });
  }
  expect([await failedJobs(), Math.round((await successAge())! / 3600)]).toEqual([0, 72]);
  // One that something else queued says nothing of the schedule.
  await sql`delete from graphile_worker._private_jobs`;
  await sql`select graphile_worker.add_job('refresh-reports', '{}'::json)`;
  await work(async () => {});
  expect(Math.round((await successAge())! / 3600)).toBe(72);
  await queue();
  await work(async () => {});
  expect(Math.round((await successAge())! / 3600)).toBe(0);
});

longTest(
  "a worker whose runners cannot start holds no more connections with each attempt, and starts once they can",
  async () => {
    const app = await startApp({ web: 0, worker: 1 });
    const worker = app.worker[0]!;
    await worker.kill();
    // As of a newer version, which this one refuses to run on.
    await sql`insert into graphile_worker.migrations (id, breaking) values (999999, true)`;
    const starting = worker.start();
    const refusals = () => worker.log().filter(({ msg }) => msg === "worker stopped; starting again");
    await until(() => refusals().length > 3, { what: "further attempts" });
    const [open] = await sql`select count(*)::int as count from pg_stat_activity
    where application_name = 'checkintelli-worker' and datname = current_database()`;
    await sql`delete from graphile_worker.migrations where id = 999999`;
    await starting;
    // The last one may still be closing.
    expect(open!.count).toBeLessThanOrEqual(2);
  },
);

test("a worker whose clock is ahead runs the schedule, and what it stored of it in the future is corrected", async () => {
  const started = await sql`select now() as at`;
  await startApp({
    web: 0,
    worker: 1,
    env: { NODE_OPTIONS: "--import ./tests/integration/jobs/clock-ahead.mjs" },
  });
  const known =
    await sql`select identifier from graphile_worker._private_known_crontabs where identifier like 'succeeded:%'`;
  expect(known.map(({ identifier }) => identifier).sort()).toEqual(
    Object.keys(schedule)
      .map((job) => `succeeded:${job}`)
      .sort(),
  );
  // Its lines are stored just after the worker says that it is ready.
  const setAhead = () => sql`
    update graphile_worker._private_known_crontabs set last_execution = now() + interval '1 day'
    where identifier = 'close-orders'`;
  await until(async () => (await setAhead()).count === 1, { what: "the schedule's lines" });
  const lastOf = async (identifier: string) =>
    (
      await sql`select last_execution <= now() + interval '1 minute' as "isPast", last_execution >= ${started[0]!.at} as "isNew"
      from graphile_worker._private_known_crontabs where identifier = ${identifier}`
    )[0];
  await until(async () => (await lastOf("close-orders"))?.isPast === true, { what: "the correction" });
  // Its own minutes are more than one ahead, and its jobs are run all the same.
  await until(async () => (await lastOf("succeeded:sweep-charges"))?.isNew === true, {
    what: "a run of the schedule",
    seconds: 100,
  });
});

longTest("a worker whose clock is set back by half an hour goes on with the schedule at once", async () => {
  const setBackAt = join(mkdtempSync(join(tmpdir(), "clock-")), "set-back");
  const app = await startApp({
    web: 0,
    worker: 1,
    env: { NODE_OPTIONS: "--import ./tests/integration/jobs/clock-set-back.mjs", SET_BACK_AT: setBackAt },
  });
  writeFileSync(setBackAt, "");
  const worker = app.worker[0]!;
  const isBegunAnew = () => worker.log().filter(({ msg }) => msg === "worker ready").length === 2;
  await until(isBegunAnew, { what: "a new beginning", seconds: 100 });
  const [begun] = await sql`select now() as at`;
  const succeeded = async () =>
    (
      await sql`select 1 from graphile_worker._private_known_crontabs
        where identifier = 'succeeded:sweep-charges' and last_execution > ${begun!.at}`
    ).length > 0;
  await until(succeeded, { what: "a run of the schedule", seconds: 100 });
});
