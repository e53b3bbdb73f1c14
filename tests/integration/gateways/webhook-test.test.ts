import { expect, test } from "vitest";
import { seal } from "#app/platform/secrets.server.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeGateway, makeSeller, signedIn } from "#tests/support/make.ts";
import { refused } from "#tests/support/routes/call.ts";

const app = await startApp({ worker: 0 });

async function testWebhook(seller: { id: string }, body: object = {}) {
  const answer = await app.fetch("/api/test/webhook/pushinpay", {
    method: "POST",
    headers: { ...(await signedIn(seller)), "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as { message?: string; error?: string } };
}

test("it goes to the provider and back to the public address, with the secret, and leaves no data", async () => {
  const seller = await makeSeller();
  await makeGateway(seller, { webhookSecretSealed: seal("segredo") });
  const before = (await app.sandbox.calls()).pushinpay.transaction;
  expect(await testWebhook(seller, { api_key: "••••••••demo" })).toEqual({
    status: 200,
    body: { success: true, message: expect.stringMatching(/^Webhook testado com sucesso! .*HTTP 200/) },
  });
  expect((await app.sandbox.calls()).pushinpay.transaction).toBe(before + 1);
  expect(await sql`select 1 from payment_webhooks`).toHaveLength(0);
});

test("without a saved key it states so", async () => {
  expect(await testWebhook(await makeSeller(), { api_key: "1|sandbox-demo" })).toEqual({
    status: 400,
    body: refused("Salve primeiro a API Key do PushInPay"),
  });
});

test("a typed key is tested instead of the saved one", async () => {
  const seller = await makeSeller();
  await makeGateway(seller);
  expect(await testWebhook(seller, { api_key: "outra" })).toMatchObject({
    status: 400,
    body: refused(expect.stringMatching(/não aceitou a API Key/)),
  });
});

test.each(["http-500", "reset", "http-429"] as const)(
  "a provider that answers %s is reported as such",
  async (mode) => {
    const seller = await makeSeller();
    await makeGateway(seller);
    await app.sandbox.fault({ service: "pushinpay", mode });
    expect(await testWebhook(seller)).toMatchObject({
      status: 503,
      body: refused(expect.stringMatching(/PushInPay (não )?respondeu/)),
    });
  },
);
