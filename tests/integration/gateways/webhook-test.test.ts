import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { findRefusedAccounts } from "#app/domain/gateway/find-refused-accounts.server.ts";
import { testWebhook as testSaved } from "#app/domain/gateway/test-webhook.server.ts";
import { env } from "#app/platform/env.server.ts";
import { seal } from "#app/platform/secrets.server.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeGateway, makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { refused } from "#tests/support/routes/call.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ worker: 0 });

async function testWebhook(seller: { id: string }, body: object = {}) {
  const answer = await app.fetch("/api/test/webhook/pushinpay", {
    method: "POST",
    headers: { ...(await signedIn(seller)), "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as { message?: string; error?: string } };
}

test("it goes to the provider and back to the public address, with the secret, and leaves what was there before", async () => {
  const seller = await makeSeller();
  await makeGateway(seller, { webhookSecretSealed: seal("segredo") });
  await sql`insert into payment_webhooks (provider, seller_id, dedupe_key, provider_id, state, provider_status)
    values ('pushinpay', ${seller.id}, 'a', 'of-a-payment', 'paid', 'paid')`;
  const before = (await app.sandbox.calls()).pushinpay.transaction;
  expect(await testWebhook(seller, { api_key: "••••••••demo" })).toEqual({
    status: 200,
    body: {
      success: true,
      message: expect.stringMatching(/^Webhook testado com sucesso! .* em \d{1,5} ms \(HTTP 200\)/),
    },
  });
  expect((await app.sandbox.calls()).pushinpay.transaction).toBe(before + 1);
  expect(await sql`delete from payment_webhooks returning provider_id`).toEqual([
    { provider_id: "of-a-payment" },
  ]);
});

test("without a saved key it states so, whatever is saved of another account", async () => {
  const seller = await makeSeller();
  await makeGateway(seller, { provider: "woovi", apiKey: "sandbox-outra" });
  expect(await testWebhook(seller, { api_key: "1|sandbox-demo" })).toEqual({
    status: 400,
    body: refused("Salve primeiro a API Key da PushInPay."),
  });
});

test("without JavaScript the page keeps what was typed in its other fields, except keys", async () => {
  const seller = await makeSeller();
  await makeGateway(seller);
  const answer = await app.fetch("/settings?tab=gateways", {
    method: "POST",
    headers: { ...(await signedIn(seller)), Origin: app.url },
    body: new URLSearchParams({
      ...{ intent: "test-webhook:pushinpay", saves: "gateways", pushinpay_api_key: "1|sandbox-digitada" },
      ...{ mercadopago_enabled: "on" },
    }),
  });
  const html = await answer.text();
  expect(html).toContain("Webhook testado com sucesso!");
  expect(html).toMatch(/name="mercadopago_enabled"[^>]* checked=""/);
  expect(html).not.toContain("sandbox-digitada");
});

test("a typed key is tested instead of the saved one", async () => {
  const seller = await makeSeller();
  await makeGateway(seller);
  expect(await testWebhook(seller, { api_key: "outra" })).toMatchObject({
    status: 400,
    body: refused(expect.stringMatching(/não aceitou a API Key/)),
  });
});

test("a typed key that is accepted is said not to be saved yet", async () => {
  const seller = await makeSeller();
  await makeGateway(seller);
  expect(await testWebhook(seller, { api_key: "2|sandbox-outra" })).toMatchObject({
    status: 200,
    body: { message: expect.stringMatching(/aceitou a API Key digitada, que ainda não está salva/) },
  });
});

test("a saved key that the test finds refused is shown as refused until a test passes; a typed one says nothing of it", async () => {
  const seller = await makeSeller();
  const other = await makeSeller();
  for (const { id } of [seller, other]) await makeGateway({ id });
  expect((await testWebhook(seller, { api_key: "outra" })).status).toBe(400);
  expect(await findRefusedAccounts(seller.id)).toEqual([]);
  await app.sandbox.fault({ service: "pushinpay", route: "transaction", mode: "status-401", body: {} });
  expect((await testWebhook(seller)).status).toBe(400);
  expect(await findRefusedAccounts(seller.id)).toEqual(["pushinpay"]);
  expect(await findRefusedAccounts(other.id)).toEqual([]);
  await app.sandbox.fault({ service: "pushinpay", route: "transaction", mode: "http-500" });
  await testWebhook(seller);
  expect(await findRefusedAccounts(seller.id)).toEqual(["pushinpay"]);
  expect((await testWebhook(seller)).status).toBe(200);
  expect(await findRefusedAccounts(seller.id)).toEqual([]);
});

test("a saved key that is refused again after a payment hid its first refusal is shown as refused", async () => {
  const seller = await makeSeller();
  await makeGateway(seller, { keyRefusedAt: new Date(Date.now() - 120_000) });
  const charge = await makeCharge(await makeSale(await makeProduct(seller)));
  await sql`update charges set created_at = now() - interval '1 minute',
    gateway_key_id = (select key_id from gateway_accounts where seller_id = ${seller.id}) where id = ${charge.id}`;
  expect(await findRefusedAccounts(seller.id)).toEqual([]);
  await app.sandbox.fault({ service: "pushinpay", route: "transaction", mode: "status-401", body: {} });
  expect((await testWebhook(seller)).status).toBe(400);
  expect(await findRefusedAccounts(seller.id)).toEqual(["pushinpay"]);
});

test.each([
  ["http-500", "respondeu com um erro (500)", "500: "],
  ["http-429", "respondeu com um erro (429)", "429: "],
  ["reset", "não respondeu", "outgoing call: "],
] as const)("a provider that answers %s is reported as such, and logged", async (mode, message, logged) => {
  const seller = await makeSeller();
  await makeGateway(seller);
  await app.sandbox.fault({ service: "pushinpay", mode });
  expect(await testWebhook(seller)).toMatchObject({
    status: 503,
    body: refused(`A PushInPay ${message}. Tente novamente em alguns instantes.`),
  });
  const isLogged = ({ msg, error }: Record<string, unknown>) =>
    msg === "key not checked" && String(error).startsWith(logged);
  await until(() => app.log().some(isLogged), { what: "the log's line about the key" });
});

/** Another server at the public address, as this process calls it, until the test ends. */
async function replaceAddress(answer: RequestListener): Promise<void> {
  const { APP_URL } = env;
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  env.APP_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(() => {
    env.APP_URL = APP_URL;
    server.close();
    server.closeAllConnections();
  });
}

type OtherServer = [does: string, provider: string, apiKey: string, answer: RequestListener, message: string];
const ELSEWHERE = "outro servidor atende por ele";
const OTHER_SERVERS: OtherServer[] = [
  ["takes anything", "pushinpay", "1|sandbox-demo", (_, answer) => answer.end("ok"), ELSEWHERE],
  ["takes anything", "woovi", "sandbox-a", (_, answer) => answer.end("ok"), ELSEWHERE],
  ["knows no page", "pushinpay", "1|sandbox-demo", (_, answer) => answer.writeHead(404).end(), "HTTP 404"],
  ["hangs up", "pushinpay", "1|sandbox-demo", ({ socket }) => socket.destroy(), "sem conexão"],
];

test.each(OTHER_SERVERS)(
  "a server at the public address that %s is not taken for this one (%s)",
  async (_, provider, apiKey, answer, message) => {
    const seller = await makeSeller();
    await makeGateway(seller, { provider, apiKey });
    await replaceAddress(answer);
    await expect(testSaved(seller.id, provider, "")).rejects.toMatchObject({
      kind: "unavailable",
      message: expect.stringMatching(new RegExp(`aceitou a API Key\\. Mas .*${message}`)),
    });
  },
);
