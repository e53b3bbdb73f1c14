import { sql } from "drizzle-orm";
import type pg from "pg";
import { expect, test, vi } from "vitest";
import { batchDb, db, pool, type Tx } from "#app/db/client.server.ts";
import { logDatabaseRecovered } from "#app/db/database-away.server.ts";
import { isUnavailable } from "#app/db/errors.server.ts";
import { keyedMutex } from "#app/db/keyed-mutex.server.ts";
import { LIMITS, LONG_LIMITS } from "#app/db/limits.server.ts";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";
import { openQueuePool } from "#app/queue/pool.server.ts";
import { openLine } from "#tests/integration/harness/line.ts";
import { sql as admin, holdLock } from "#tests/support/database.ts";
import { makeSeller } from "#tests/support/make.ts";
import { until } from "#tests/support/until.ts";

const ONE = sql`select 1`;
const SETTINGS = `select name, setting::int as ms from pg_settings
  where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout') order by name`;
const limitsOf = (rows: Iterable<unknown>) => {
  const [idleInTransaction, lock, statement] = Array.from(rows, (row) => (row as { ms: number }).ms);
  return { statement, lock, idleInTransaction };
};

test.each([
  ["db", () => db.execute(ONE)],
  ["a transaction of db", () => db.transaction((tx) => tx.execute(ONE))],
  ["batchDb", () => batchDb.execute(ONE)],
  ["the pool", async () => await pool.unsafe("select 1")],
])("inside an open transaction a second connection is refused: %s", async (_, send) => {
  const refused = (error: Error) => /second connection/.test(`${error.message} ${error.cause}`);
  await expect(db.transaction(send)).rejects.toSatisfy(refused);
  await expect(batchDb.transaction(send)).rejects.toSatisfy(refused);
  await send();
});

test("work started by a transaction may use a connection once the transaction ended", async () => {
  const over = Promise.withResolvers<void>();
  let later: Promise<unknown> = Promise.resolve();
  await db.transaction(async () => {
    later = over.promise.then(() => db.execute(ONE));
  });
  over.resolve();
  await later;
});

test("arrays are read as arrays, whatever they contain", async () => {
  const id = crypto.randomUUID();
  const [row] = await db.execute(
    sql`select '{"a,\\"b",NULL,"{}"}'::text[] as texts, '{1,NULL}'::int[] as numbers, array[${id}::uuid] as ids, '{}'::text[] as none`,
  );
  expect(row).toEqual({ texts: ['a,"b', null, "{}"], numbers: [1, null], ids: [id], none: [] });
});

test("a request without a free connection fails in time, and later ones are served once connections are free", async () => {
  const locks = Promise.withResolvers<void>();
  let open = 0;
  const holders = Array.from({ length: 10 }, () =>
    db.transaction(async (tx) => {
      await tx.execute(sql`set local idle_in_transaction_session_timeout = 0`);
      open += 1;
      await locks.promise;
    }),
  );
  await until(() => open === 10);
  await expect(db.execute(ONE)).rejects.toSatisfy(isUnavailable);
  const waiting = Array.from({ length: 50 }, () => db.execute(ONE));
  locks.resolve();
  await Promise.all([...holders, ...waiting]);
});

test("every connection has its limits, those of reports and of the queue longer ones", async () => {
  expect(limitsOf(await db.execute(sql.raw(SETTINGS)))).toEqual(LIMITS);
  expect(limitsOf(await batchDb.execute(sql.raw(SETTINGS)))).toEqual(LONG_LIMITS);
  const queue = openQueuePool("test");
  expect(limitsOf((await queue.query(SETTINGS)).rows)).toEqual(LONG_LIMITS);
  await queue.end();
});

test("the job queue retries when its connection was lost, and nowhere else", async () => {
  const queue = openQueuePool("test");
  const client = await queue.connect();
  await expect(client.query("select 1 / 0")).rejects.toMatchObject({ code: "22012" });
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  const waiting = client.query("select pg_sleep(20)");
  waiting.catch(() => {});
  await admin`select pg_terminate_backend(${rows[0]!.pid})`;
  await expect(waiting).rejects.toMatchObject({ code: "57P03" });
  await expect(client.query("select 1")).rejects.toMatchObject({ code: "57P03" });
  client.release();
  await queue.end();
});

test("the job queue logs lost connections in one line, without what they hold", async () => {
  logDatabaseRecovered();
  const lines = vi.spyOn(log, "warn");
  const queue = openQueuePool("test");
  const clients = await Promise.all([queue.connect(), queue.connect()]);
  for (const client of clients) client.release();
  await admin`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'checkintelli-queue'`;
  await until(() => queue.totalCount === 0);
  expect(lines.mock.calls.map(([said]) => said)).toEqual([
    { code: "57P03", action: "the queue lost a connection", suppressed: 0 },
  ]);
  lines.mockRestore();
  logDatabaseRecovered();
  await queue.end();
});

test("the job queue retries on another connection where the server may only read", async () => {
  const queue = openQueuePool("test");
  const client = await queue.connect();
  await client.query("set session characteristics as transaction read only");
  await expect(client.query("create table written ()")).rejects.toMatchObject({ code: "57P03" });
  client.release();
  await queue.query("create table written ()");
  await queue.query("drop table written");
  await queue.end();
});

test.each([
  ["a statement of a worker", async (queue: pg.Pool) => (await queue.connect()).query("select 1")],
  ["a statement of the schedule", (queue: pg.Pool) => queue.query("select 1")],
])("the job queue gives up a connection that became silent: %s", async (_, send) => {
  const line = await openLine(Number(new URL(env.DATABASE_URL).port));
  const queue = openQueuePool("test", env.DATABASE_URL.replace(/:\d+\//, `:${line.port}/`));
  await queue.query("select 1");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  line.isSilent = true;
  const unanswered = send(queue);
  unanswered.catch(() => {});
  // The pool hands out its connection in the next turn.
  await new Promise(setImmediate);
  vi.advanceTimersByTime(LONG_LIMITS.statement);
  vi.runOnlyPendingTimers();
  vi.useRealTimers();
  await expect(unanswered).rejects.toThrow("Connection terminated");
  line.isSilent = false;
  await queue.query("select 1");
  line.close();
});

test.each([
  [
    "a lock",
    "lock_timeout",
    (tx: Tx, id: string) => tx.execute(sql`select from sellers where id = ${id} for update`),
  ],
  ["a statement", "statement_timeout", (tx: Tx) => tx.execute(sql`select pg_sleep(20)`)],
  ["silence in a transaction", "idle_in_transaction_session_timeout", silent],
])("%s that takes too long is unavailability, not a bug", async (_, limit, wait) => {
  const seller = await makeSeller();
  const lock = await holdLock((tx) => tx`select from sellers where id = ${seller.id} for update`);
  const work = db.transaction(async (tx) => {
    await tx.execute(sql.raw(`set local ${limit} = 100`));
    await wait(tx, seller.id);
  });
  await expect(work).rejects.toSatisfy(isUnavailable);
  await lock.release();
});

async function silent(tx: Tx) {
  const [row] = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
  await until(async () => (await admin`select from pg_stat_activity where pid = ${row!.pid}`).length === 0);
  await tx.execute(ONE);
}

test("work with one key is serialized, other work runs at once, and a failure blocks nothing", async () => {
  const notified: string[] = [];
  const first = Promise.withResolvers<void>();
  const one = keyedMutex("a", async () => {
    await first.promise;
    notified.push("a1");
    throw new Error("no");
  });
  const two = keyedMutex("a", async () => void notified.push("a2"));
  await keyedMutex("b", async () => void notified.push("b"));
  first.resolve();
  await expect(one).rejects.toThrow("no");
  await two;
  expect(notified).toEqual(["b", "a1", "a2"]);
});

test("a waiter that times out is refused, and those after it are still served", async () => {
  const first = Promise.withResolvers<void>();
  const one = keyedMutex("a", () => first.promise);
  await expect(keyedMutex("a", async () => {})).rejects.toSatisfy(isUnavailable);
  const three = keyedMutex("a", async () => "served");
  first.resolve();
  await one;
  expect(await three).toBe("served");
});
