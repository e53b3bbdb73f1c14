import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { db, type Tx } from "#app/db/client.server.ts";
import { isUnavailable } from "#app/db/errors.server.ts";
import { isMigrated } from "#app/db/ready.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { sql as admin } from "#tests/support/database.ts";
import { makeSeller } from "#tests/support/make.ts";
import { until } from "#tests/support/until.ts";

const noop = () => {};
const rename = (tx: Tx, id: string, name: string) => tx.update(sellers).set({ name }).where(sql`id = ${id}`);
const nameOf = async (id: string) => (await admin`select name from sellers where id = ${id}`)[0]!.name;

/** A transaction that stays open until `rest` tells it to go on. */
function held(rest: (tx: Tx) => Promise<unknown>) {
  const begun = Promise.withResolvers<number>();
  const told = Promise.withResolvers<void>();
  const done = db.transaction(async (tx) => {
    const [row] = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    begun.resolve(row!.pid);
    await told.promise;
    await rest(tx);
  });
  done.catch(begun.reject);
  return { begun: begun.promise, goOn: told.resolve, done };
}

async function end(pid: number) {
  await admin`select pg_terminate_backend(${pid})`;
  await until(async () => (await admin`select from pg_stat_activity where pid = ${pid}`).length === 0);
}

test("statements after a transaction's connection was lost are refused, and reach no other transaction", async () => {
  const seller = await makeSeller();
  const lost = held(async (tx) => {
    await rename(tx, seller.id, "Niemand").catch(noop);
    await rename(tx, seller.id, "Ninguém");
  });
  await end(await lost.begun);
  // Every slot of the pool is now used by others, including the lost one's.
  const others = Array.from({ length: 10 }, () => held(async () => {}));
  await Promise.all(others.map((other) => other.begun));
  lost.goOn();
  await expect(lost.done).rejects.toSatisfy(isUnavailable);
  for (const other of others) other.goOn();
  await Promise.all(others.map((other) => other.done));
  expect(await nameOf(seller.id)).toBe(seller.name);
});

test("after dozens of terminated backends every slot of the pool still answers", async () => {
  for (let round = 0; round < 4; round++) {
    const open = Array.from({ length: 10 }, () =>
      held((tx) => Promise.all([tx.execute(sql`select 1`), tx.execute(sql`select ${round}::int`)])),
    );
    const pids = await Promise.all(open.map((one) => one.begun));
    await admin`select pg_terminate_backend(pid) from unnest(${pids}::int[]) as pid`;
    for (const { goOn } of open) goOn();
    for (const { done } of open) await expect(done).rejects.toSatisfy(isUnavailable);
  }
  const answers = Array.from({ length: 10 }, () => held((tx) => tx.execute(sql`select 1`)));
  await Promise.all(answers.map((answer) => answer.begun));
  for (const { goOn } of answers) goOn();
  await Promise.all(answers.map((answer) => answer.done));
});

test("a transaction of which a statement failed is undone, even where the error was caught", async () => {
  const seller = await makeSeller();
  const work = db.transaction(async (tx) => {
    await rename(tx, seller.id, "Meio");
    await tx.execute(sql`select 1 / 0`).catch(noop);
  });
  await expect(work).rejects.toThrow();
  expect(await nameOf(seller.id)).toBe(seller.name);
});

test("a transaction whose last statement failed unnoticed does not count as committed", async () => {
  const seller = await makeSeller();
  const work = db.transaction(async (tx) => {
    await rename(tx, seller.id, "Meio");
    tx.execute(sql`select 1 / 0`).catch(noop);
  });
  await expect(work).rejects.toThrow();
  expect(await nameOf(seller.id)).toBe(seller.name);
});

test("a statement that was not awaited runs in the transaction or nowhere", async () => {
  const seller = await makeSeller();
  let late: Promise<unknown> = Promise.resolve();
  await db.transaction(async (tx) => {
    await tx.execute(sql`select 1`);
    late = Promise.resolve().then(async () => {
      for (let i = 0; i < 20; i++) await Promise.resolve();
      await rename(tx, seller.id, "Tarde");
    });
    late.catch(noop);
  });
  await expect(late).rejects.toThrow();
  expect(await nameOf(seller.id)).toBe(seller.name);
});

test("a statement of a transaction that is over is refused", async () => {
  const seller = await makeSeller();
  let leaked: Tx | undefined;
  await db.transaction(async (tx) => {
    leaked = tx;
  });
  await expect(rename(leaked!, seller.id, "Depois")).rejects.toThrow();
  expect(await nameOf(seller.id)).toBe(seller.name);
});

/** Makes all connections of `db` what a fail-over leaves: connections to a server that may only read. */
async function demote() {
  const open = Array.from({ length: 10 }, () =>
    held((tx) => tx.execute(sql`set session characteristics as transaction read only`)),
  );
  await Promise.all(open.map(({ begun }) => begun));
  for (const { goOn } of open) goOn();
  await Promise.all(open.map(({ done }) => done));
}

test.each([
  ["a statement", (id: string) => db.update(sellers).set({ name: "Depois" }).where(sql`id = ${id}`)],
  ["a transaction", (id: string) => db.transaction((tx) => rename(tx, id, "Depois"))],
  ["a check whether the program is ready", isMigrated],
])("a connection to a server that may only read is replaced at the first refusal: %s", async (_, send) => {
  const seller = await makeSeller();
  await demote();
  for (let i = 0; i < 10; i++) await expect(send(seller.id)).rejects.toSatisfy(isUnavailable);
  await send(seller.id);
});

test("a database that has the newest migration, and no later one, is ready", async () => {
  expect(await isMigrated()).toBe(true);
});
