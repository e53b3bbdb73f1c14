import { expect, test } from "vitest";
import { newsOf } from "#tests/integration/outbox/support.ts";
import { buy, openShop } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { makeWebhook } from "#tests/support/rows/make-webhook.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ worker: 2 });

/** A silence is waited out for fifteen seconds, a dead worker's claim for ten. */
const PATIENT = { timeout: 120_000 };

const told = async (name: string) =>
  (await app.sandbox.arrivals(name)).map(({ body }) => JSON.parse(body).type as string);

test(
  "from the provider's news to the webhook by the workers: in order, each once, though it fails in between",
  PATIENT,
  async () => {
    const { seller, product } = await openShop();
    const webhook = await makeWebhook(seller, { name: "worked" });
    await app.sandbox.fault({ service: "receiver", route: "worked", mode: "http-500" });
    const { providerId } = await buy(product.id);
    await app.sandbox.webhooks({ copies: 3 });
    await app.sandbox.pay(providerId);
    await until(async () => (await newsOf(webhook)).filter(({ status }) => status === "sent").length === 4, {
      seconds: 60,
      what: "all four to be told",
    });
    // The first was told twice: the receiver had answered 500.
    expect(await told("worked")).toEqual([
      "checkout.started",
      "checkout.started",
      "pix.generated",
      "sale.paid",
      "access.granted",
    ]);
  },
);

test(
  "a receiver that keeps silent holds up no other, and takes few of the workers' places",
  PATIENT,
  async () => {
    const { seller, product } = await openShop();
    const events = ["checkout.started" as const];
    const slow = await makeWebhook(seller, { name: "slow", events });
    await makeWebhook(seller, { name: "quick", events });
    await app.sandbox.fault({ service: "receiver", route: "slow", mode: "timeout", times: 3 });
    const buyers = Array.from({ length: 8 }, (_, n) => `buyer-${n}@exemplo.com.br`);
    for (const email of buyers)
      await buy(product.id, { customer: { name: "Bia", email, phone: null, document: null } });
    await until(async () => (await told("quick")).length === buyers.length, { seconds: 20 });
    const tried = (await newsOf(slow)).filter(({ attempts }) => attempts > 0);
    expect(tried.length).toBeLessThanOrEqual(3);
    await until(async () => (await newsOf(slow)).every(({ status }) => status === "sent"), { seconds: 90 });
    expect(
      new Set((await app.sandbox.arrivals("slow")).map(({ headers }) => headers["webhook-id"])).size,
    ).toBe(8);
  },
);

test("a worker killed while telling loses nothing, and what came after it waits", PATIENT, async () => {
  const { seller, product } = await openShop();
  const webhook = await makeWebhook(seller, { name: "killed" });
  await app.sandbox.fault({ service: "receiver", route: "killed", mode: "timeout" });
  await buy(product.id);
  await until(async () => (await newsOf(webhook))[0]?.attempts === 1);
  for (const worker of app.worker) await worker.kill();
  for (const worker of app.worker) await worker.start();
  await until(async () => (await newsOf(webhook)).every(({ status }) => status === "sent"), { seconds: 90 });
  expect(await told("killed")).toEqual(["checkout.started", "checkout.started", "pix.generated"]);
});
