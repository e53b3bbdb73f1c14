import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { DELIVERY_EVENTS } from "#app/db/schema/lists.ts";
import { RECEIVER_SAMPLE } from "#app/domain/delivery/webhook/receiver-sample.ts";
import { standardHeaders } from "#app/domain/delivery/webhook/standard-webhook.server.ts";
import { recordDecision, recordDispute } from "#app/domain/refund/record-dispute.server.ts";
import { describeWebhooks, webhookExample } from "#app/server/openapi/describe-webhooks.server.ts";
import { freePort } from "#scripts/ports.ts";
import { buyer, giveBack, mailbox } from "#tests/integration/deliveries/open-school.ts";
import { sendQueued } from "#tests/integration/deliveries/support.ts";
import { buy, openShop } from "#tests/integration/payments/support.ts";
import { pay } from "#tests/integration/tracking/support.ts";
import { startApp } from "#tests/support/app.ts";
import { makeWebhook, SECRET } from "#tests/support/rows/make-webhook.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ web: 0, worker: 0 });

const { webhooks, schemas } = describeWebhooks();
const described = webhooks as Record<
  string,
  { post: { requestBody: { content: { "application/json": { schema: object } } } } }
>;
const ajv = new Ajv2020({ strict: false, validateFormats: false });

/** The errors of a body against the schema of its event. */
function wrongWith(event: string, body: unknown) {
  const isFine = ajv.compile({
    ...described[event]!.post.requestBody.content["application/json"].schema,
    components: { schemas },
  });
  return isFine(body) ? null : isFine.errors;
}

test.each(DELIVERY_EVENTS)("%s is described as its example is", (event) => {
  expect(wrongWith(event, webhookExample(event))).toBeNull();
  expect(wrongWith(event, { ...webhookExample(event), more: 1 })).not.toBeNull();
});

test("a real sale's bodies match the schema", async () => {
  const { seller, product, bump } = await openShop();
  const webhook = await makeWebhook(seller, { name: "described", withDocument: true });
  const bought = await buy(product.id, { bumpIds: [bump.id], campaign: { utm_source: "x", src: "y" } });
  await pay(app, bought);
  await sendQueued(webhook, bought.saleId);
  const bodies = (await app.sandbox.arrivals("described")).map(({ body }) => JSON.parse(body));
  expect(bodies).toHaveLength(4);
  for (const body of bodies) expect(wrongWith(body.type, body), JSON.stringify(body)).toBeNull();
});

/** What a body says of its sale's state: its status, whether money went back, and which fields are empty. */
// biome-ignore lint/suspicious/noExplicitAny: the body is what tests look into.
function stateIn({ type, data }: any) {
  const { sale, pix, refund, refund_request, access_url } = data;
  const fields = Object.entries({ ...sale, pix, refund, refund_request, access_url });
  const empty = fields.flatMap(([name, value]) => (value === null ? [name] : []));
  return { type, status: sale.status, isReturned: sale.refunded_cents > 0, empty };
}

test("an event's example is in the state of a real sale, with the same fields empty", async () => {
  await app.sandbox.gate({ enabled: false });
  const { seller, product } = await openShop();
  const webhook = await makeWebhook(seller, { name: "as-real" });
  const sell = async () => {
    const bought = await buy(product.id, buyer(mailbox()));
    await pay(app, bought);
    return bought.saleId;
  };
  const [lost, returned] = [await sell(), await sell()];
  await recordDispute(seller.id, lost);
  await recordDecision(seller.id, lost, "lost");
  await giveBack(returned);
  for (const saleId of [lost, returned]) await sendQueued(webhook, saleId);
  const bodies = (await app.sandbox.arrivals("as-real")).map(({ body }) => JSON.parse(body));
  // Access may end in several ways: the example is that of a refund.
  const compared = bodies.filter(({ type, data }) => type !== "access.revoked" || data.sale.id === returned);
  expect([...new Set(compared.map(({ type }) => type))].sort()).toEqual([
    ...["access.granted", "access.revoked", "checkout.started", "pix.generated"],
    ...["sale.chargedback", "sale.disputed", "sale.paid", "sale.refunded"],
  ]);
  for (const body of compared) expect(stateIn(body)).toEqual(stateIn(webhookExample(body.type)));
});

test("the sample receiver shown to sellers accepts a signed message once, and refuses another's", async () => {
  mkdirSync(".cache", { recursive: true });
  writeFileSync(".cache/receiver-sample.mjs", RECEIVER_SAMPLE);
  const port = await freePort();
  const receiver = spawn(process.execPath, [".cache/receiver-sample.mjs"], {
    env: { ...process.env, PORT: String(port), WEBHOOK_SECRET: SECRET },
  });
  try {
    let text = "";
    receiver.stdout.on("data", (chunk) => (text += chunk));
    const body = JSON.stringify(webhookExample("sale.paid"));
    const post = (headers: Record<string, string>) =>
      fetch(`http://localhost:${port}/`, { method: "POST", headers, body }).then(({ status }) => status);
    const signed = standardHeaders([SECRET], { id: "msg_1", at: new Date(), body });
    await until(() => post(signed).catch(() => null), { what: "the receiver" });
    expect(await post(signed)).toBe(204);
    expect(await post({ ...signed, "webhook-id": "msg_2" })).toBe(401);
    await until(() => text.includes("sale.paid"));
    expect(text.match(/sale\.paid/g)).toHaveLength(1);
  } finally {
    receiver.kill();
  }
});
