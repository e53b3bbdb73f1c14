import { expect, test } from "vitest";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { longTest } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

longTest("the app answers health and readiness, dies by SIGKILL and comes back", async () => {
  const app = await startApp();
  expect((await app.fetch("/healthz")).status).toBe(200);
  expect((await app.fetch("/readyz")).status).toBe(200);
  await app.web[0]!.kill();
  await expect(app.fetch("/healthz")).rejects.toThrow();
  await app.web[0]!.start();
  expect(await (await app.fetch("/readyz")).json()).toEqual({ status: "ready" });
});

test("the app is not ready while the database lacks a migration of its version, and is once it was run", async () => {
  const app = await startApp({ worker: 0, sandbox: false });
  const readiness = async () => {
    const answer = await app.fetch("/readyz");
    return [answer.status, await answer.json()];
  };
  expect(await readiness()).toEqual([200, { status: "ready" }]);
  const [newest] = await sql`delete from drizzle.__drizzle_migrations
    where created_at = (select max(created_at) from drizzle.__drizzle_migrations) returning hash, created_at`;
  expect(await readiness()).toEqual([503, { status: "migrations pending" }]);
  await sql`insert into drizzle.__drizzle_migrations ${sql(newest!)}`;
  expect(await readiness()).toEqual([200, { status: "ready" }]);
});

longTest("two web and two worker processes share one database", async () => {
  const app = await startApp({ web: 2, worker: 2, sandbox: false });
  for (const web of app.web) expect((await fetch(`${web.url}/readyz`)).status).toBe(200);
  await app.worker[0]!.kill();
  await app.worker[0]!.start();
  await until(() => app.worker.every((worker) => worker.running));
});
