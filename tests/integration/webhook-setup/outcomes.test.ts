import { beforeEach, expect, test } from "vitest";
import { findRefusedAccounts } from "#app/domain/gateway/find-refused-accounts.server.ts";
import { mercadopago } from "#app/domain/gateway/providers/mercadopago/provider.server.ts";
import { saveGateways } from "#app/domain/gateway/save-gateways.server.ts";
import { showWebhookSetup } from "#app/domain/gateway/webhook-setup/show-webhook-setup.server.ts";
import { startWebhookTest } from "#app/domain/gateway/webhook-setup/start-webhook-test.server.ts";
import { paths } from "#app/kit/paths.ts";
import {
  later,
  openSetup,
  ordersOf,
  PROVIDER,
  rowOf,
  runDue,
  seen,
} from "#tests/integration/webhook-setup/support.ts";
import { startApp } from "#tests/support/app.ts";
import type { Fault } from "#tests/support/clients/sandbox.ts";
import { sql } from "#tests/support/database.ts";
import { signedIn } from "#tests/support/make.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ worker: 0 });

beforeEach(() => app.sandbox.reset());

const arrived = (seller: { id: string }, arrival: string) =>
  until(async () => (await rowOf(seller)).arrival === arrival, { what: `${arrival} to arrive` });
const fault = (route: string, fields: Partial<Fault>) =>
  app.sandbox.fault({ service: "mercadopago", mode: "http-500", route, ...fields });

test("the order is created, its notification arrives, its signature is right, and it is cancelled: no sale", async () => {
  const { seller } = await openSetup(app);
  await app.sandbox.webhooks({ created: true });
  await startWebhookTest(seller.id, PROVIDER);
  expect(await seen(seller)).toMatchObject({
    result: "running",
    states: ["running", "waiting", "waiting", "waiting"],
  });
  await runDue();
  await arrived(seller, "verified");
  expect(await seen(seller)).toMatchObject({
    result: "running",
    states: ["done", "done", "done", "waiting"],
  });
  await runDue();
  expect(await seen(seller)).toEqual({
    result: "passed",
    states: ["done", "done", "done", "done"],
    text: "",
  });
  expect(await ordersOf(app, seller)).toEqual(["canceled"]);
  const [made] = await app.sandbox.transactions();
  expect(made).toMatchObject({ value: 100, provider: PROVIDER });
  const row = await rowOf(seller);
  expect(row.reference).toMatch(/^teste-/);
  expect(row.scheduled_at).toBeNull();
  for (const table of ["sales", "charges", "payment_webhooks", "report_marks", "funnel_marks"])
    expect(await sql`select from ${sql(table)} where seller_id = ${seller.id}`, table).toHaveLength(0);
});

test("a test of a key that was replaced or removed since is not said of the account as it is", async () => {
  const { seller, accessToken } = await openSetup(app);
  await app.sandbox.webhooks({ created: true });
  await startWebhookTest(seller.id, PROVIDER);
  await runDue();
  await arrived(seller, "verified");
  await runDue();
  const save = (mercadopago_access_token: string) => saveGateways(seller.id, { mercadopago_access_token });
  await save(`APP_USR-sandbox-${crypto.randomUUID()}`);
  expect(await seen(seller)).toMatchObject({ result: "outdated", states: ["done", "done", "done", "done"] });
  const { Cookie } = await signedIn(seller);
  const page = async () => (await app.fetch(paths.webhookSetup(PROVIDER), { headers: { Cookie } })).text();
  const outdated = "A API Key usada neste teste foi trocada ou removida";
  expect(await page()).toContain(outdated);
  expect(await page()).not.toContain("Tudo certo: as notificações chegam");
  await save("");
  expect(await page()).toContain(outdated);
  await save(accessToken);
  expect(await seen(seller)).toMatchObject({ result: "passed" });
  expect(await page()).toContain("Tudo certo: as notificações chegam");
});

test("a test that passed with another secret is not said of the one that was saved since", async () => {
  const { seller } = await openSetup(app);
  await app.sandbox.webhooks({ created: true });
  await startWebhookTest(seller.id, PROVIDER);
  await runDue();
  await arrived(seller, "verified");
  await runDue();
  const { secret } = await showWebhookSetup(seller.id, PROVIDER);
  await saveGateways(seller.id, { mercadopago_webhook_secret: secret });
  expect(await seen(seller)).toMatchObject({ result: "passed" });
  await saveGateways(seller.id, { mercadopago_webhook_secret: crypto.randomUUID() });
  expect((await showWebhookSetup(seller.id, PROVIDER)).test).toBeNull();
});

test("an account that is not notified of new orders passes by the notification of the cancellation", async () => {
  const { seller } = await openSetup(app);
  await startWebhookTest(seller.id, PROVIDER);
  await runDue();
  await later(seller, 19);
  await runDue();
  expect(await ordersOf(app, seller)).toEqual(["created"]);
  await later(seller, 2);
  await runDue();
  expect(await ordersOf(app, seller)).toEqual(["canceled"]);
  await arrived(seller, "verified");
  await runDue();
  expect(await seen(seller)).toMatchObject({ result: "passed" });
});

test.each([
  ["no address in the panel", { webhookUrl: null }, null, "Nenhuma notificação chegou em 3 minutos"],
  ["no event", { topics: [] }, null, "se o evento Order (Mercado Pago) está marcado"],
  ["another event", { topics: ["payment"] }, "other-topic", "a aplicação avisa de outro evento"],
] as const)("with %s the step that failed is the notification", async (_, panel, arrival, text) => {
  const { seller } = await openSetup(app, panel);
  await startWebhookTest(seller.id, PROVIDER);
  await runDue();
  await later(seller, 21);
  await runDue();
  if (arrival) await arrived(seller, arrival);
  expect(await ordersOf(app, seller)).toEqual(["canceled"]);
  expect(await seen(seller)).toMatchObject({
    result: "running",
    states: ["done", "running", "waiting", "done"],
  });
  await later(seller, 160);
  await runDue();
  expect(await seen(seller)).toEqual({
    result: "failed",
    states: ["done", "failed", "skipped", "done"],
    text: expect.stringContaining(text),
  });
  expect(await rowOf(seller)).toMatchObject({ arrival, scheduled_at: null });
});

test("with another application's secret the step that failed is the signature, at once", async () => {
  const { seller } = await openSetup(app, { secret: "de-outra-aplicacao" });
  await app.sandbox.webhooks({ created: true });
  await startWebhookTest(seller.id, PROVIDER);
  await runDue();
  await arrived(seller, "wrong-signature");
  await runDue();
  expect(await seen(seller)).toEqual({
    result: "failed",
    states: ["done", "done", "failed", "done"],
    text: expect.stringContaining("Copie de novo a Assinatura secreta"),
  });
  expect(await ordersOf(app, seller)).toEqual(["canceled"]);
});

test("a notification of an earlier test is none of this one's, and one of another order proves nothing", async () => {
  const { seller, webhookUrl, secret } = await openSetup(app, { webhookUrl: null });
  await startWebhookTest(seller.id, PROVIDER);
  await runDue();
  await later(seller, 200);
  await runDue();
  const { provider_id: earlier } = await rowOf(seller);
  await startWebhookTest(seller.id, PROVIDER);
  await runDue();
  const send = async (id: string) => {
    const { headers, query, body } = mercadopago.exampleWebhook(id, secret);
    const url = `${webhookUrl}?${new URLSearchParams(query)}`;
    expect((await fetch(url, { method: "POST", headers, body })).status).toBe(200);
  };
  await send(earlier);
  expect(await rowOf(seller)).toMatchObject({ ended_at: null, arrival: null });
  await send("ORD01OUTRO");
  expect(await rowOf(seller)).toMatchObject({ ended_at: null, arrival: "other-payment" });
  await later(seller, 190);
  await runDue();
  expect(await seen(seller)).toMatchObject({
    states: ["done", "failed", "skipped", "done"],
    text: expect.stringMatching(/não a deste teste.*Modo de produção/),
  });
});

test.each([
  ["a refused key", { mode: "status-401" }, /recusou a API Key.*chave certa/],
  [
    "a refused order",
    { mode: "status-400", body: { errors: [{ code: "13253" }] } },
    /Cadastre uma chave Pix/,
  ],
  ["too many requests", { mode: "http-429" }, /pedidos demais/],
] as const)("with %s the step that failed is the order, in the provider's words", async (_, how, text) => {
  const { seller } = await openSetup(app);
  await fault("create", how as Partial<Fault>);
  await startWebhookTest(seller.id, PROVIDER);
  await runDue();
  expect(await seen(seller)).toEqual({
    result: "failed",
    states: ["failed", "skipped", "skipped", "skipped"],
    text: expect.stringMatching(text),
  });
  expect(await rowOf(seller)).toMatchObject({ scheduled_at: null });
  expect(await app.sandbox.transactions()).toEqual([]);
});

test("what the provider says of the key in a test counts as said of it, until it says otherwise", async () => {
  const { seller } = await openSetup(app);
  const refusedAfter = async (mode?: Fault["mode"]) => {
    if (mode) await fault("create", { mode });
    await startWebhookTest(seller.id, PROVIDER);
    await runDue();
    await sql`update webhook_tests set ended_at = now(), scheduled_at = null where seller_id = ${seller.id}`;
    return findRefusedAccounts(seller.id);
  };
  expect(await refusedAfter("status-401")).toEqual([PROVIDER]);
  expect(await refusedAfter("http-429")).toEqual([PROVIDER]);
  expect(await refusedAfter()).toEqual([]);
});

test("an order whose answer was lost is searched for after the end, and cancelled", async () => {
  const { seller } = await openSetup(app);
  await app.sandbox.post("/mercadopago", { isIndexed: false });
  await fault("create", { mode: "reset", after: true });
  await startWebhookTest(seller.id, PROVIDER);
  await runDue();
  expect(await seen(seller)).toMatchObject({
    result: "failed",
    states: ["failed", "skipped", "skipped", "skipped"],
    text: expect.stringMatching(/não respondeu.*cancelamos assim que ele aparecer/),
  });
  await later(seller, 30);
  await runDue();
  await app.sandbox.post("/mercadopago", { isIndexed: true });
  for (let run = 0; run < 2; run++) {
    await later(seller, 30);
    await runDue();
  }
  expect((await app.sandbox.transactions()).map(({ status }) => status)).toEqual(["canceled"]);
  expect((await app.sandbox.calls()).mercadopago.create).toBe(1);
  expect(await seen(seller)).toMatchObject({
    result: "failed",
    states: ["failed", "skipped", "skipped", "done"],
  });
  expect(await rowOf(seller)).toMatchObject({ scheduled_at: null });
});

test("the search for an order that was never created ends when its code would have expired", async () => {
  const { seller } = await openSetup(app);
  await fault("create", { mode: "reset" });
  await startWebhookTest(seller.id, PROVIDER);
  await runDue();
  expect((await rowOf(seller)).scheduled_at).not.toBeNull();
  await later(seller, 36 * 60);
  await runDue();
  expect(await rowOf(seller)).toMatchObject({ scheduled_at: null, provider_id: null });
});

test("a failed cancellation is shown, and repeated until it is done", async () => {
  const { seller } = await openSetup(app);
  await app.sandbox.webhooks({ created: true });
  await startWebhookTest(seller.id, PROVIDER);
  await runDue();
  await arrived(seller, "verified");
  await fault("cancel", { mode: "http-500", times: 2 });
  await runDue();
  expect(await seen(seller)).toEqual({
    result: "failed",
    states: ["done", "done", "done", "failed"],
    text: expect.stringMatching(/O cancelamento falhou: “500.*vence sozinho em \d\d\/\d\d às.*ninguém o viu/),
  });
  await later(seller, 30);
  await runDue();
  expect(await ordersOf(app, seller)).toEqual(["created"]);
  await later(seller, 30);
  await runDue();
  expect(await ordersOf(app, seller)).toEqual(["canceled"]);
  expect(await seen(seller)).toMatchObject({ result: "passed" });
});

test("an order that ended by itself counts as cancelled, and one that cannot be cancelled is left when it has expired", async () => {
  const [ended, stuck] = [await openSetup(app), await openSetup(app)];
  for (const { seller } of [ended, stuck]) await startWebhookTest(seller.id, PROVIDER);
  await runDue();
  await app.sandbox.cancel((await rowOf(ended.seller)).provider_id);
  await later(ended.seller, 21);
  await runDue();
  expect(await seen(ended.seller)).toMatchObject({
    states: ["done", expect.anything(), expect.anything(), "done"],
  });
  await fault("cancel", { mode: "http-500", times: 9 });
  await later(stuck.seller, 200);
  await runDue();
  await later(stuck.seller, 36 * 60);
  await runDue();
  expect(await rowOf(stuck.seller)).toMatchObject({ scheduled_at: null });
  expect(await seen(stuck.seller)).toMatchObject({ text: expect.stringContaining("e o código venceu") });
});

test("a test PIX that somebody paid is no sale, and its seller is told where the money is", async () => {
  const { seller } = await openSetup(app);
  await startWebhookTest(seller.id, PROVIDER);
  await runDue();
  await app.sandbox.pay((await rowOf(seller)).provider_id, { wait: true });
  await runDue();
  expect(await seen(seller)).toMatchObject({
    result: "paid",
    states: ["done", "done", "done", "failed"],
    text: expect.stringContaining("O dinheiro está na sua conta do Mercado Pago"),
  });
  expect(await rowOf(seller)).toMatchObject({ scheduled_at: null });
  for (const table of ["sales", "charges", "payment_webhooks"])
    expect(await sql`select from ${sql(table)} where seller_id = ${seller.id}`, table).toHaveLength(0);
});
