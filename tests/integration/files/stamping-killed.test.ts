import { existsSync, readFileSync } from "node:fs";
import { beforeAll, beforeEach, expect } from "vitest";
import { signedAddress } from "#tests/integration/files/delivery.ts";
import { copiesOfSale, scheduleStamping, soldStamped } from "#tests/integration/files/stamped.ts";
import { type App, startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { pdf, slowPdf, stampsOf } from "#tests/support/files/pdfs.ts";
import { longTest } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

let app: App;
beforeAll(async () => {
  app = await startApp({ sandbox: false });
});

function children(): number[] {
  const worker = app.worker[0]!.pid;
  return readFileSync(`/proc/${worker}/task/${worker}/children`, "utf8")
    .split(" ")
    .map(Number)
    .filter(Boolean);
}
/** The process that the worker has a PDF stamped in. */
const stampingIn = () => until(() => children()[0]);
/** The process that stamped the last PDF may still be exiting. */
beforeEach(() => until(() => children().length === 0));
const isGone = (pid: number) => until(() => !existsSync(`/proc/${pid}`));
const submit = async (permanent: string) => app.fetch(await signedAddress(app, permanent));
const filesOf = (seller: { id: string }) =>
  sql`select id from files where seller_id = ${seller.id} and ready_at is not null`;
async function stamped(permanent: string) {
  const answer = await until(async () => {
    const submitted = await submit(permanent);
    return submitted.status === 200 ? submitted : null;
  });
  return stampsOf(new Uint8Array(await answer.arrayBuffer()));
}

longTest(
  "a worker that is killed in the middle of stamping leaves it to be done again, and nothing half is given",
  async () => {
    const { permanent, sale, seller } = await soldStamped(app, slowPdf());
    const submitted = submit(permanent);
    const child = await stampingIn();
    await app.worker[0]!.kill();
    expect((await submitted).status).toBe(202);
    expect(await filesOf(seller)).toHaveLength(1);
    await isGone(child);
    await scheduleStamping();
    await app.worker[0]!.start();
    expect(await stamped(permanent)).toHaveLength(1);
    const [stamp] = await copiesOfSale(sale.id);
    expect(stamp).toMatchObject({ failure: null });
    // A busy machine may need one more.
    expect(stamp!.attempts).toBeGreaterThan(1);
    expect(await filesOf(seller)).toHaveLength(2);
  },
);

longTest(
  "what kills its process is tried again, and given as it is when it did so three times; the worker goes on",
  async () => {
    const { permanent, sale } = await soldStamped(app, slowPdf());
    void submit(permanent);
    for (let tries = 1; tries <= 3; tries++) {
      if (tries > 1) await scheduleStamping();
      const child = await stampingIn();
      process.kill(child, "SIGKILL");
      await isGone(child);
    }
    await until(async () => (await copiesOfSale(sale.id))[0]!.failure === "heavy");
    expect((await submit(permanent)).status).toBe(200);
    expect(await stamped((await soldStamped(app, await pdf(2))).permanent)).toHaveLength(2);
  },
);

longTest(
  "a worker whose stamp somebody else took over meanwhile changes nothing, and its copy goes",
  async () => {
    const { permanent, sale, seller } = await soldStamped(app, slowPdf());
    void submit(permanent);
    const child = await stampingIn();
    await sql`update stamped_copies set attempts = attempts + 1, scheduled_at = date_trunc('milliseconds', now()) + interval '1 hour' where sale_id = ${sale.id}`;
    await isGone(child);
    // The next one is only begun once the worker let this one go.
    await stamped((await soldStamped(app, await pdf(1))).permanent);
    expect(await copiesOfSale(sale.id)).toMatchObject([{ copy_id: null, failure: null }]);
    expect(await sql`select id from files where seller_id = ${seller.id} and is_copy`).toEqual([]);
    await scheduleStamping();
    expect(await stamped(permanent)).toHaveLength(1);
  },
);

longTest("what ended its worker three times is not begun once more, and is given as it is", async () => {
  const { permanent, sale, seller } = await soldStamped(app, await pdf(1));
  await app.worker[0]!.kill();
  expect((await submit(permanent)).status).toBe(202);
  await sql`update stamped_copies set attempts = 3 where sale_id = ${sale.id}`;
  await app.worker[0]!.start();
  await until(async () => (await copiesOfSale(sale.id))[0]!.failure === "heavy");
  expect(await sql`select id from files where seller_id = ${seller.id} and is_copy`).toEqual([]);
  expect((await submit(permanent)).status).toBe(200);
});

longTest("money that goes back while a copy is made leaves no copy", async () => {
  const { permanent, sale } = await soldStamped(app, await pdf(1));
  await app.worker[0]!.kill();
  expect((await submit(permanent)).status).toBe(202);
  await sql`update sales set status = 'refunded', refunded_at = now() where id = ${sale.id}`;
  await scheduleStamping();
  await app.worker[0]!.start();
  await until(async () => (await copiesOfSale(sale.id)).length === 0);
  expect((await app.fetch(permanent)).status).toBe(403);
});
