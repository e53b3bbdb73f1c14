import { beforeEach, expect, test } from "vitest";
import { paths } from "#app/kit/paths.ts";
import { openSetup, ordersOf, PROVIDER, rowOf, seen } from "#tests/integration/webhook-setup/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { type Seller, signedIn } from "#tests/support/make.ts";
import { longTest } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ web: 2, worker: 1 });

beforeEach(() => app.sandbox.reset());

/** Presses the button in the second web process; the provider's notifications go to the first. */
async function start(seller: Seller) {
  const answer = await app.fetch(new URL(paths.webhookSetup(PROVIDER), app.web[1]!.url).href, {
    method: "POST",
    headers: await signedIn(seller),
    body: new URLSearchParams({ intent: "start-test" }),
  });
  expect(answer.status).toBe(302);
}

const pageOf = async (seller: Seller, web: number) => {
  const url = new URL(paths.webhookSetup(PROVIDER), app.web[web]!.url).href;
  return (await app.fetch(url, { headers: await signedIn(seller) })).text();
};
const hasEnded = (seller: Seller) =>
  until(async () => (await rowOf(seller)).scheduled_at === null, { what: "the test to end" });
/** As when its lease is over. */
const endLease = ({ id }: Seller) =>
  sql`update webhook_tests set scheduled_at = now() where seller_id = ${id} and scheduled_at is not null`;
const created = async () => (await app.sandbox.calls()).mercadopago.create;

test("a test that one process starts is shown by every one, on any device", async () => {
  const { seller } = await openSetup(app);
  await app.sandbox.webhooks({ created: true });
  await start(seller);
  await hasEnded(seller);
  for (const web of [0, 1])
    expect(await pageOf(seller, web)).toContain("as notificações chegam e são confirmadas");
  expect(await ordersOf(app, seller)).toEqual(["canceled"]);
});

test("a worker that is killed between creating and cancelling leaves no order that can be paid", async () => {
  const { seller } = await openSetup(app);
  await app.sandbox.webhooks({ created: true });
  await app.sandbox.fault({ service: "mercadopago", mode: "timeout", route: "cancel" });
  await start(seller);
  await until(async () => (await rowOf(seller)).arrival === "verified");
  await until(async () => (await app.sandbox.get<unknown[]>("/faults")).length === 0, {
    what: "the cancellation to be under way",
  });
  await app.worker[0]!.kill();
  expect(await ordersOf(app, seller)).toEqual(["created"]);
  expect(await seen(seller)).toMatchObject({
    result: "running",
    states: ["done", "done", "done", "waiting"],
  });
  await endLease(seller);
  await app.worker[0]!.start();
  await hasEnded(seller);
  expect(await ordersOf(app, seller)).toEqual(["canceled"]);
  expect(await seen(seller)).toMatchObject({ result: "passed" });
  expect(await created()).toBe(1);
});

longTest(
  "a worker that is killed while the order is created: the next one finds it and goes on",
  async () => {
    const { seller } = await openSetup(app);
    await app.sandbox.fault({ service: "mercadopago", mode: "timeout", route: "create", after: true });
    await start(seller);
    await until(async () => (await app.sandbox.transactions()).length === 1);
    await app.worker[0]!.kill();
    expect(await rowOf(seller)).toMatchObject({ provider_id: null, failure_kind: null });
    await endLease(seller);
    await app.worker[0]!.start();
    await until(async () => (await rowOf(seller)).provider_id !== null);
    // The notification of a new order was not sent: that of its cancellation counts.
    await sql`update webhook_tests set ordered_at = ordered_at - interval '20 seconds', scheduled_at = now() where seller_id = ${seller.id}`;
    await hasEnded(seller);
    expect(await seen(seller)).toMatchObject({ result: "passed", states: ["done", "done", "done", "done"] });
    expect(await ordersOf(app, seller)).toEqual(["canceled"]);
    expect(await created()).toBe(1);
  },
);
