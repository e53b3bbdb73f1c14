import { expect, test } from "vitest";
import { deliveriesOf } from "#tests/integration/deliveries/support.ts";
import { buy, openShop } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { makeWebhook } from "#tests/support/rows/make-webhook.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ worker: 2 });

/** A silence is waited out for fifteen seconds, a dead worker's claim for ten. */
const PATIENT = { timeout: 120_000 };

const deliveredTo = async (name: string) =>
  (await app.sandbox.arrivals(name)).map(({ body }) => JSON.parse(body).type as string);

test(
  "from the provider's webhook to ours by the workers: in order, each once, though it fails in between",
  PATIENT,
  async () => {
    const { seller, product } = await openShop();
    const webhook = await makeWebhook(seller, { name: "worked" });
    await app.sandbox.fault({ service: "receiver", route: "worked", mode: "http-500" });
    const { providerId } = await buy(product.id);
    await app.sandbox.webhooks({ copies: 3 });
    await app.sandbox.pay(providerId);
    await until(
      async () => (await deliveriesOf(webhook)).filter(({ status }) => status === "sent").length === 4,
      {
        seconds: 60,
        what: "all four to be told",
      },
    );
    // The first was sent twice: the receiver had answered 500.
    expect(await deliveredTo("worked")).toEqual([
      "checkout.started",
      "checkout.started",
      "pix.generated",
      "sale.paid",
      "access.granted",
    ]);
  },
);

test(
  "a receiver that does not answer delays no other, and uses few of the workers' slots",
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
    await until(async () => (await deliveredTo("quick")).length === buyers.length, { seconds: 20 });
    const attempted = (await deliveriesOf(slow)).filter(({ attempts }) => attempts > 0);
    expect(attempted.length).toBeLessThanOrEqual(3);
    await until(async () => (await deliveriesOf(slow)).every(({ status }) => status === "sent"), {
      seconds: 90,
    });
    expect(
      new Set((await app.sandbox.arrivals("slow")).map(({ headers }) => headers["webhook-id"])).size,
    ).toBe(8);
  },
);

test("a worker killed during a delivery loses nothing, and what came after it waits", PATIENT, async () => {
  const { seller, product } = await openShop();
  const webhook = await makeWebhook(seller, { name: "killed" });
  await app.sandbox.fault({ service: "receiver", route: "killed", mode: "timeout" });
  await buy(product.id);
  // Not when it is claimed: killed before it is sent, the next attempt would meet the fault.
  await until(async () => (await deliveredTo("killed")).length === 1);
  for (const worker of app.worker) await worker.kill();
  for (const worker of app.worker) await worker.start();
  await until(async () => (await deliveriesOf(webhook)).every(({ status }) => status === "sent"), {
    seconds: 90,
  });
  expect(await deliveredTo("killed")).toEqual(["checkout.started", "checkout.started", "pix.generated"]);
});
