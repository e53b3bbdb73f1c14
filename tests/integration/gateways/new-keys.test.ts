import { expect, test } from "vitest";
import { findRefusedAccounts } from "#app/domain/gateway/find-refused-accounts.server.ts";
import { gatewaysForm } from "#app/domain/gateway/gateways-form.server.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import { readReceiving } from "#app/domain/gateway/read-receiving.server.ts";
import { saveGateways } from "#app/domain/gateway/save-gateways.server.ts";
import { showGateways } from "#app/domain/gateway/show-gateways.server.ts";
import { findUntestedKeys } from "#app/domain/gateway/untested-keys.server.ts";
import { placeSale } from "#app/domain/order/place-sale.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { testSpares } from "#app/domain/pix/test-spares.server.ts";
import * as api from "#app/routes/api/settings/gateways.ts";
import { loadGateways } from "#app/routes/seller/settings/gateways/loader.server.ts";
import { loadIntegrations } from "#app/routes/seller/settings/integrations/loader.server.ts";
import * as settings from "#app/routes/seller/settings/settings.tsx";
import { nextStep } from "#app/ui/seller/first-steps/next-step.server.ts";
import { openShop, order } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeGateway, makeSeller, signedIn } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";

const app = await startApp({ worker: 0 });

const save = (sellerId: string, form: object) => saveGateways(sellerId, gatewaysForm().parse(form));

/** A key saved while its provider was away. */
async function saveUntested(sellerId: string): Promise<void> {
  await app.sandbox.fault({ service: "pushinpay", route: "transaction", mode: "reset" });
  await save(sellerId, { pushinpay_enabled: true, pushinpay_api_key: "5|sandbox-nova" });
}

async function shown(sellerId: string) {
  const [payments] = await loadIntegrations(sellerId);
  const { charges } = (await loadGateways(sellerId)).cards.find(({ name }) => name === "pushinpay")!;
  return {
    badge: payments!.connections.find(({ id }) => id === "pushinpay")!.badge.label,
    isAlerted: charges!.keyUntested !== null,
    receiving: await readReceiving(sellerId),
  };
}

const UNTESTED = { badge: "Chave ainda não testada", isAlerted: true, receiving: "untested" };
const WORKING = { badge: "Recebendo pagamentos", isAlerted: false, receiving: "on" };

test.each([
  ["pushinpay", "pushinpay_api_key", "chave-errada"],
  ["woovi", "woovi_app_id", "chave-errada"],
  ["mercadopago", "mercadopago_access_token", "chave-errada"],
  ["pushinpay", "pushinpay_api_key", "chave–com–travessão"],
])("a key that %s refuses is not saved, and its field is named", async (_, field, typed) => {
  const seller = await makeSeller();
  await expect(save(seller.id, { [field]: typed, utmfy_source_id: "outra" })).rejects.toMatchObject({
    ...{ kind: "invalid", field },
    message: expect.stringMatching(/não aceitou esta chave, e nada foi salvo/),
  });
  expect(await showGateways(seller.id)).toMatchObject({ [field]: "", utmfy_source_id: "checkintelli" });
  expect(await readReceiving(seller.id)).toBe("missing");
});

test("a key that its provider accepts counts as receiving at once", async () => {
  const seller = await makeSeller();
  expect(await save(seller.id, { pushinpay_enabled: true, pushinpay_api_key: "5|sandbox-nova" })).toEqual([]);
  expect(await shown(seller.id)).toEqual(WORKING);
});

test.each(["reset", "http-500", "http-429"] as const)(
  "while the provider answers a new key with %s it is saved, said to be untested, and not shown as receiving",
  async (mode) => {
    const { seller } = await openUntried();
    await app.sandbox.fault({ service: "pushinpay", route: "transaction", mode });
    const answer = await call(api, "/api/settings/gateways", {
      method: "POST",
      headers: await signedIn(seller),
      body: { pushinpay_enabled: true, pushinpay_api_key: "5|sandbox-nova" },
    });
    expect(await answer.json()).toEqual({
      success: true,
      message:
        "Configurações salvas com sucesso! A PushInPay não respondeu e a chave ainda não foi testada: use Testar Webhook.",
      version: expect.any(String),
    });
    expect(await shown(seller.id)).toEqual(UNTESTED);
    expect((await nextStep({ ...seller, name: "Vera" }, ""))!.step).toMatchObject({
      ...{ id: "gateway", title: "Testar a API Key", done: false },
    });
  },
);

/** A seller whose e-mail is confirmed, so that the next step is the payments. */
async function openUntried() {
  return { seller: await makeSeller({ emailVerifiedAt: new Date() }) };
}

test("an untested key works once a PIX was made with it", async () => {
  const { seller, product } = await openShop();
  await saveUntested(seller.id);
  expect(await shown(seller.id)).toEqual(UNTESTED);
  const buyer = { name: "Bia", email: `${crypto.randomUUID()}@exemplo.com.br`, phone: null, document: null };
  await startPix((await placeSale(order(product.id, { customer: buyer }))).saleId);
  expect(await shown(seller.id)).toEqual(WORKING);
});

test("an untested key works once its webhook was tested, and is refused once the test says so", async () => {
  const seller = await makeSeller();
  await saveUntested(seller.id);
  const test = async () =>
    (
      await app.fetch("/api/test/webhook/pushinpay", {
        method: "POST",
        headers: { ...(await signedIn(seller)), "Content-Type": "application/json" },
        body: "{}",
      })
    ).status;
  await app.sandbox.fault({ service: "pushinpay", route: "transaction", mode: "status-401", body: {} });
  expect(await test()).toBe(400);
  expect(await shown(seller.id)).toEqual({
    badge: "API Key recusada",
    isAlerted: false,
    receiving: "refused",
  });
  expect(await test()).toBe(200);
  expect(await shown(seller.id)).toEqual(WORKING);
});

test("an untested spare works once its daily test passed", async () => {
  const seller = await makeSeller();
  await makeGateway(seller);
  await app.sandbox.fault({ service: "woovi", mode: "reset" });
  await save(seller.id, { woovi_enabled: true, woovi_app_id: `sandbox-${crypto.randomUUID()}` });
  expect(await findUntestedKeys(seller.id)).toEqual(["woovi"]);
  expect(await readReceiving(seller.id)).toBe("on");
  await sql`update gateway_accounts set next_spare_test_at = null where seller_id <> ${seller.id}`;
  await testSpares.handle({}, { number: 1, last: true });
  expect(await findUntestedKeys(seller.id)).toEqual([]);
});

test("the saved key is not asked about again, and one that is put back stays as it was", async () => {
  const seller = await makeSeller();
  await makeGateway(seller);
  const calls = async () => (await app.sandbox.calls()).pushinpay.transaction;
  const before = await calls();
  for (const pushinpay_api_key of ["1|sandbox-demo", "••••••••demo"])
    expect(await save(seller.id, { pushinpay_api_key })).toEqual([]);
  expect(await calls()).toBe(before);
  await sql`update gateway_accounts set key_refused_at = now() where seller_id = ${seller.id}`;
  await save(seller.id, { pushinpay_api_key: "1|sandbox-demo" });
  expect(await findRefusedAccounts(seller.id)).toEqual(["pushinpay"]);
});

test("a key from before answers were stored is untested until a charge of it was accepted", async () => {
  const { seller, product } = await openShop();
  await sql`update gateway_keys set accepted_at = null where seller_id = ${seller.id}`;
  expect(await shown(seller.id)).toEqual(UNTESTED);
  const buyer = { name: "Bia", email: `${crypto.randomUUID()}@exemplo.com.br`, phone: null, document: null };
  const { saleId } = await placeSale(order(product.id, { customer: buyer }));
  await app.sandbox.fault({ service: "pushinpay", route: "cashIn", mode: "status-500", body: {} });
  await expect(startPix(saleId)).rejects.toMatchObject({ kind: "unavailable" });
  expect(await shown(seller.id)).toEqual(UNTESTED);
  await startPix(saleId);
  expect(await shown(seller.id)).toEqual(WORKING);
});

test("the page keeps a refused key masked in its field, with the error there, and sends it again", async () => {
  const seller = await makeSeller();
  const answer = await call(settings, "/settings?tab=gateways", {
    method: "POST",
    headers: await signedIn(seller),
    body: new URLSearchParams({
      ...{ intent: "gateways", pushinpay_enabled: "on", pushinpay_api_key: "chave-errada-1234" },
      mercadopago_enabled: "on",
    }),
  });
  expect(answer.status).toBe(400);
  const { gateways } = (await answer.json()) as { gateways: { result: Record<string, unknown> } };
  const message = expect.stringContaining("A PushInPay não aceitou esta chave");
  expect(gateways.result).toMatchObject({
    error: { pushinpay_api_key: [message], "": [expect.stringContaining("não aceitou esta chave")] },
    initialValue: { pushinpay_api_key: "••••••••1234", mercadopago_enabled: "on" },
    typedSecretsSealed: expect.any(String),
  });
  expect(JSON.stringify(gateways)).not.toContain("chave-errada");
});

test("the switch of an account without a key says that it counts once the key is saved", async () => {
  const seller = await makeSeller();
  const countHints = async () => {
    const page = await app.fetch("/settings?tab=gateways", { headers: await signedIn(seller) });
    return (await page.text()).split("Só vale depois que a API Key for salva.").length - 1;
  };
  expect(await countHints()).toBe(Object.keys(providers).length);
  await makeGateway(seller);
  expect(await countHints()).toBe(Object.keys(providers).length - 1);
});
