import { expect, test } from "vitest";
import { findSession } from "#app/domain/identity/access/find-session.server.ts";
import { openSession } from "#app/domain/identity/access/open-session.server.ts";
import { countStatements, holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { makeSeller } from "#tests/support/make.ts";

test("a session opened for a seller is found by its token in one statement", async () => {
  const seller = await makeSeller();
  const token = await openSession(seller.id, { ip: null, userAgent: null });
  const { result, count } = await countStatements(() => findSession(token));
  expect(result?.id).toBe(seller.id);
  expect(count).toBe(1);
});

test("a held lock blocks others until it is released", async () => {
  const seller = await makeSeller();
  const lock = await holdLock((tx) => tx`select from sellers where id = ${seller.id} for update`);
  const update = sql`update sellers set name = 'Outra' where id = ${seller.id}`.execute();
  await untilLockedOut();
  await lock.release();
  expect((await update).count).toBe(1);
});
