import { beforeEach, expect, test } from "vitest";
import { longTest } from "#tests/support/run/ways.ts";
import { openSandbox } from "./open-sandbox.ts";
import { openReceiver, until } from "./webhook-receiver.ts";

const { charge, control, view, post, query } = await openSandbox();
const receiver = await openReceiver();
const { received } = receiver;
beforeEach(() => receiver.restart());

const payable = () => charge({ webhook_url: receiver.url });
const statuses = () => received.map(({ form }) => form.status);

test("a payment is sent as a form, with the id in UPPERCASE and no secret header", async () => {
  const { id } = await payable();
  await control(`/transactions/${id}/pay?wait=1`);
  expect(received).toHaveLength(1);
  expect(received[0]!.type).toBe("application/x-www-form-urlencoded");
  expect(received[0]!.form).toEqual({
    id: id!.toUpperCase(),
    value: "1990",
    status: "paid",
    end_to_end_id: expect.stringMatching(/^E\w{31}$/),
    payer_name: "Maria da Silva",
    payer_national_registration: expect.any(String),
  });
  expect(received[0]!.headers).not.toHaveProperty("x-pushinpay-token");
});

test("JSON, lowercase ids and a header are sent if configured", async () => {
  await control("/webhooks", {
    encoding: "json",
    idCase: "lower",
    header: { name: "x-pushinpay-token", value: "segredo" },
  });
  const { id } = await payable();
  await control(`/transactions/${id}/pay?wait=1`);
  expect(received[0]!.type).toBe("application/json");
  expect(received[0]!.headers["x-pushinpay-token"]).toBe("segredo");
  expect(JSON.parse(received[0]!.raw)).toMatchObject({ id, value: 1990, status: "paid" });
});

test("settings last until they are changed, and a change leaves the others", async () => {
  await control("/webhooks", { encoding: "json" });
  expect(await control("/webhooks", { copies: 2 })).toMatchObject({ encoding: "json", copies: 2 });
  await control("/reset");
  expect(await view("/webhooks")).toMatchObject({ encoding: "form", copies: 1, drop: false, deliveries: [] });
});

longTest("a failed delivery is retried three times", async () => {
  receiver.restart([500, 503, 404, 500]);
  const { id } = await payable();
  await control(`/transactions/${id}/pay?wait=1`);
  expect(received).toHaveLength(4);
  const waits = received.slice(1).map(({ at }, index) => Math.round((at - received[index]!.at) / 1000));
  expect(waits).toEqual([1, 2, 4]);
  const [delivery] = (await view("/webhooks")).deliveries;
  expect(delivery.attempts.map(({ status }: { status: number }) => status)).toEqual([500, 503, 404, 500]);
});

test("two seconds of silence are a failure", async () => {
  receiver.restart(["silent"]);
  const { id } = await payable();
  await control(`/transactions/${id}/pay?wait=1`);
  expect(received).toHaveLength(2);
  expect(received[1]!.at - received[0]!.at).toBeGreaterThan(2900);
  const { answers, deliveries } = await view("/webhooks");
  expect(answers).toMatchObject({ attempts: 2, late: 1 });
  expect(answers.slowestMs).toBeGreaterThanOrEqual(1990);
  expect(deliveries[0].attempts).toMatchObject([{ status: null, late: true }, { status: 200 }]);
});

test("paying does not wait for the delivery", async () => {
  receiver.restart(["silent"]);
  const { id } = await payable();
  const started = Date.now();
  await control(`/transactions/${id}/pay`);
  // The receiver is silent for two seconds.
  expect(Date.now() - started).toBeLessThan(2000);
});

test("copies arrive at once and alike", async () => {
  await control("/webhooks", { copies: 5 });
  const { id } = await payable();
  await control(`/transactions/${id}/pay?wait=1`);
  expect(received).toHaveLength(5);
  expect(new Set(received.map(({ raw }) => raw)).size).toBe(1);
});

test("a dropped webhook never comes, though the charge is paid", async () => {
  await control("/webhooks", { drop: true });
  const { id } = await payable();
  await control(`/transactions/${id}/pay?wait=1`);
  expect(received).toHaveLength(0);
  expect((await (await query(id!)).json()).status).toBe("paid");
});

test("a delayed webhook comes later", async () => {
  await control("/webhooks", { delayMs: 300 });
  const { id } = await payable();
  await control(`/transactions/${id}/pay`);
  expect(received).toHaveLength(0);
  await until(() => received.length === 1);
});

test("in reversed order, created follows paid", async () => {
  await control("/webhooks", { order: "reversed" });
  const { id } = await payable();
  await control(`/transactions/${id}/pay?wait=1`);
  expect(statuses()).toEqual(["paid", "created"]);
  expect(received[1]!.form).not.toHaveProperty("payer_name");
});

test("a created charge is sent if configured", async () => {
  await control("/webhooks", { created: true });
  await payable();
  await until(() => received.length === 1);
  expect(statuses()).toEqual(["created"]);
});

test("a paid webhook can arrive while the query still reports created", async () => {
  const { id } = await payable();
  await control(`/transactions/${id}/pay?wait=1`, { webhookOnly: true });
  expect(statuses()).toEqual(["paid"]);
  expect((await (await query(id!)).json()).status).toBe("created");
});

test("cancelling, expiring, refunding and resending each send the status", async () => {
  const { id } = await payable();
  for (const action of ["expire", "cancel", "pay", "refund", "webhook"])
    await control(`/transactions/${id}/${action}?wait=1`);
  expect(statuses()).toEqual(["expired", "canceled", "paid", "refunded", "refunded"]);
});

test("a dispute is reported only by the chargeback", async () => {
  const { id } = await payable();
  for (const action of ["pay", "contest", "reject", "contest", "accept"])
    await control(`/transactions/${id}/${action}?wait=1`);
  expect(statuses()).toEqual(["paid", "refunded"]);
});

test("a forged webhook goes to the charge's address and returns the answer", async () => {
  receiver.restart([202]);
  const { id } = await payable();
  const body = { id, status: "paid", value: 1 };
  expect(await control("/webhooks", { body, id: id!.toUpperCase() })).toEqual({ status: 202, body: "ok" });
  expect(received[0]!.form).toEqual({ id, status: "paid", value: "1" });
  expect(await view("/webhooks")).toMatchObject({ encoding: "form", copies: 1 });
});

test("a forgery can be any text, to any address", async () => {
  expect(await control("/webhooks", { body: "{broken", url: receiver.url })).toEqual({
    status: 200,
    body: "ok",
  });
  expect(received[0]!.raw).toBe("{broken");
  expect(await control("/webhooks", { body: {}, url: "http://127.0.0.1:9/" })).toMatchObject({
    status: null,
  });
});

test("a forgery with nowhere to go is refused", async () => {
  expect((await post("/control/webhooks", { body: { id: "x" } })).status).toBe(400);
});

test("a charge without webhook_url is paid in silence", async () => {
  const { id } = await charge();
  expect((await control(`/transactions/${id}/pay?wait=1`)).status).toBe("paid");
});
