import { existsSync, readFileSync } from "node:fs";
import { beforeAll, expect } from "vitest";
import { type App, startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { plain, slow } from "#tests/support/files/photos.ts";
import { donePicture, fetchPicture, preparedPicture, sendPicture } from "#tests/support/files/send-file.ts";
import { makeSeller, signedIn } from "#tests/support/make.ts";
import { longTest } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

let app: App;
let heavy: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  app = await startApp({ sandbox: false });
  heavy = await slow(3000);
});
async function client() {
  const seller = await makeSeller();
  return { app, seller, headers: await signedIn(seller) };
}

/** The process that the worker has a picture worked on in. */
function pressing(): Promise<number> {
  const worker = app.worker[0]!.pid;
  const children = () =>
    readFileSync(`/proc/${worker}/task/${worker}/children`, "utf8")
      .trim()
      .split(" ")
      .filter(Boolean)
      .map(Number);
  return until(() => children()[0]);
}
const isGone = (pid: number) => until(() => !existsSync(`/proc/${pid}`));
async function again(id: string) {
  await sql`update pictures set scheduled_at = date_trunc('milliseconds', now()) where id = ${id}`;
  await sql`select pg_notify('due', 'pictures')`;
}
const filesOf = (who: { seller: { id: string } }) =>
  sql<{ id: string }[]>`select id from files where seller_id = ${who.seller.id}`;

longTest(
  "a worker that is killed in the middle of a picture leaves it to be done again, and nothing half is shown",
  async () => {
    const who = await client();
    const id = await sendPicture(who, "product", heavy);
    const child = await pressing();
    await app.worker[0]!.kill();
    expect(await fetchPicture(who, id)).toMatchObject({ state: "preparing", url: null });
    expect(await filesOf(who)).toEqual([{ id }]);
    // The worker's child process ends too, at the latest when its parent is gone.
    await isGone(child);
    await again(id);
    await app.worker[0]!.start();
    const picture = await donePicture(who, id);
    expect(picture).toMatchObject({ state: "ready", width: 600 });
    expect((await app.fetch(new URL(picture.url!).pathname)).status).toBe(200);
    await until(async () => (await filesOf(who)).length === 1);
  },
);

longTest(
  "what kills its process is tried again, and refused when it did so three times; the worker goes on",
  async () => {
    const who = await client();
    const id = await sendPicture(who, "product", heavy);
    for (let attempts = 1; attempts <= 3; attempts++) {
      if (attempts > 1) await again(id);
      const child = await pressing();
      process.kill(child, "SIGKILL");
      await isGone(child);
      if (attempts < 3) expect(await fetchPicture(who, id)).toMatchObject({ state: "preparing" });
    }
    expect(await donePicture(who, id)).toMatchObject({
      state: "failed",
      message: expect.stringContaining("Não conseguimos preparar esta imagem"),
    });
    await until(async () => (await filesOf(who)).length === 0);
    expect((await preparedPicture(who, "product", await plain(90, 90))).state).toBe("ready");
  },
);

longTest("a worker whose picture somebody else took over meanwhile changes nothing", async () => {
  const who = await client();
  const id = await sendPicture(who, "product", heavy);
  const child = await pressing();
  await sql`update pictures set attempts = attempts + 1, scheduled_at = date_trunc('milliseconds', now()) + interval '1 hour' where id = ${id}`;
  await isGone(child);
  // The next one is only begun once the worker let this one go.
  await preparedPicture(who, "product", await plain(91, 91));
  expect(await fetchPicture(who, id)).toMatchObject({ state: "preparing", url: null });
  expect((await filesOf(who)).map((file) => file.id)).toContain(id);
  await until(async () => (await filesOf(who)).length === 2);
  await again(id);
  expect(await donePicture(who, id)).toMatchObject({ state: "ready" });
});
