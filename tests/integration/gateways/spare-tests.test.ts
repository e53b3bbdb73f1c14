import { expect, test } from "vitest";
import { findGatewayTrouble } from "#app/domain/gateway/find-gateway-trouble.server.ts";
import { findRefusedAccounts } from "#app/domain/gateway/find-refused-accounts.server.ts";
import { saveGateways } from "#app/domain/gateway/save-gateways.server.ts";
import { testWebhook } from "#app/domain/gateway/test-webhook.server.ts";
import { testSpares } from "#app/domain/pix/test-spares.server.ts";
import { findActionItems } from "#app/domain/reports/find-action-items.server.ts";
import { loadGateways } from "#app/routes/seller/settings/gateways/loader.server.ts";
import { loadIntegrations } from "#app/routes/seller/settings/integrations/loader.server.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";

const app = await startApp({ worker: 0 });

const runTests = () => testSpares.handle({}, { number: 1, last: true });

/** A seller with PushinPay first, then Woovi, then Mercado Pago, saved as through the settings. */
async function shop() {
  const seller = await makeSeller();
  const own = crypto.randomUUID();
  await saveGateways(seller.id, {
    ...{ pushinpay_enabled: true, pushinpay_api_key: "1|sandbox-demo" },
    ...{ woovi_enabled: true, woovi_app_id: `sandbox-${own}` },
    ...{ mercadopago_enabled: true, mercadopago_access_token: `APP_USR-sandbox-${own}` },
  });
  return seller;
}

const accountsOf = async ({ id }: { id: string }) => {
  const rows = await sql<{ provider: string; isDue: boolean | null; failure: string | null }[]>`
    select provider, next_spare_test_at <= now() as "isDue", spare_failure as failure
    from gateway_accounts where seller_id = ${id} and enabled_at is not null`;
  const refused = await findRefusedAccounts(id);
  return Object.fromEntries(
    rows.map(({ provider, ...row }) => [provider, { ...row, isRefused: refused.includes(provider) }]),
  );
};

/** As a day later. */
const makeDue = ({ id }: { id: string }) =>
  sql`update gateway_accounts set next_spare_test_at = now() - interval '1 minute' where seller_id = ${id} and next_spare_test_at is not null`;

/** The calls that created charges, and the states of all that were created. */
async function created() {
  const { woovi, mercadopago, pushinpay } = await app.sandbox.calls();
  const statuses = (await app.sandbox.transactions()).map(({ provider, status, value }) => ({
    provider,
    status,
    value,
  }));
  return { calls: [pushinpay.cashIn, woovi.create, mercadopago.create], statuses };
}

test("each spare creates and cancels a small PIX, once a day, and the first account none", async () => {
  const seller = await shop();
  expect(await accountsOf(seller)).toMatchObject({
    pushinpay: { isDue: null },
    woovi: { isDue: true },
    mercadopago: { isDue: true },
  });
  await runTests();
  expect(await created()).toEqual({
    calls: [0, 1, 1],
    statuses: expect.arrayContaining([
      { provider: "woovi", status: "canceled", value: 100 },
      { provider: "mercadopago", status: "canceled", value: 100 },
    ]),
  });
  await runTests();
  expect((await created()).calls).toEqual([0, 1, 1]);
  await makeDue(seller);
  await Promise.all(Array.from({ length: 5 }, runTests));
  expect((await created()).calls).toEqual([0, 2, 2]);
  expect(await findActionItems(seller.id)).toEqual([]);
  expect(await sql`select from charges where seller_id = ${seller.id}`).toEqual([]);
});

test("the seller reads why a spare creates no codes, until it does", async () => {
  const seller = await shop();
  const body = { errors: [{ code: "13253", message: "No key" }] };
  await app.sandbox.fault({ service: "mercadopago", mode: "status-400", route: "create", times: 1, body });
  await runTests();
  expect(await findActionItems(seller.id)).toEqual([{ kind: "spare-failed", provider: "O Mercado Pago" }]);
  const failures = async ({ id }: { id: string }) => (await findGatewayTrouble(id)).spareFailures;
  expect([...(await failures(seller)).keys()]).toEqual(["mercadopago"]);
  expect((await failures(await makeSeller())).size).toBe(0);
  const { Cookie } = await signedIn(seller);
  const read = async (path: string) => (await app.fetch(path, { headers: { Cookie } })).text();
  expect(await read("/settings?tab=gateways")).toContain(
    "Cadastre uma chave Pix na sua conta do Mercado Pago.",
  );
  expect(await read("/dashboard")).toContain("O Mercado Pago não serve de reserva agora");
  await makeDue(seller);
  await runTests();
  expect(await findActionItems(seller.id)).toEqual([]);
  expect(await read("/settings?tab=gateways")).not.toContain("Cadastre uma chave Pix");
});

test("a spare that failed its test is called no spare, and is tested again when its seller tests it", async () => {
  const seller = await shop();
  const body = { errors: [{ code: "13253", message: "No key" }] };
  await app.sandbox.fault({ service: "mercadopago", mode: "status-400", route: "create", times: 1, body });
  await runTests();
  const seen = async () => {
    const { charges } = (await loadGateways(seller.id)).cards.find(({ name }) => name === "mercadopago")!;
    const [payments] = await loadIntegrations(seller.id);
    const listed = payments!.connections.find(({ id }) => id === "mercadopago")!;
    return [charges!.badge.label, listed.badge.label];
  };
  expect(await seen()).toEqual(["Reserva com falha", "Reserva com falha"]);
  const { Cookie } = await signedIn(seller);
  const page = await (await app.fetch("/settings?tab=gateways", { headers: { Cookie } })).text();
  // Woovi's.
  expect(page.split("Reserva: esta conta gera o PIX quando").length - 1).toBe(1);
  await testWebhook(seller.id, "woovi", "");
  await runTests();
  expect(await seen()).toEqual(["Reserva com falha", "Reserva com falha"]);
  await testWebhook(seller.id, "mercadopago", "");
  await runTests();
  expect(await seen()).toEqual(["Reserva", "Reserva"]);
});

test("a spare's key that is refused again after a payment hid its first refusal is shown as refused", async () => {
  const seller = await shop();
  const charge = await makeCharge(await makeSale(await makeProduct(seller)), { provider: "woovi" });
  await sql`update charges set created_at = now() - interval '1 minute',
    gateway_key_id = (select key_id from gateway_accounts where seller_id = ${seller.id} and provider = 'woovi')
    where id = ${charge.id}`;
  await sql`update gateway_accounts set key_refused_at = now() - interval '1 hour'
    where seller_id = ${seller.id} and provider = 'woovi'`;
  expect(await findRefusedAccounts(seller.id)).toEqual([]);
  await app.sandbox.fault({ service: "woovi", mode: "status-401", times: 5 });
  await runTests();
  await app.sandbox.endFaults("woovi");
  expect(await findRefusedAccounts(seller.id)).toEqual(["woovi"]);
});

test("a spare whose key a PIX was refused with is accepted again once its daily test passes", async () => {
  const seller = await shop();
  const sale = await makeSale(await makeProduct(seller));
  await sql`insert into charges (seller_id, sale_id, provider, gateway_key_id, reference, status, failure_kind, amount_cents)
    select ${seller.id}, ${sale.id}, provider, key_id, ${crypto.randomUUID()}, 'failed', 'credentials', 9700
    from gateway_accounts where seller_id = ${seller.id} and provider = 'woovi'`;
  expect(await findRefusedAccounts(seller.id)).toEqual(["woovi"]);
  await runTests();
  expect(await findRefusedAccounts(seller.id)).toEqual([]);
});

test("a refused key is reported as one, and what passes by itself is not reported", async () => {
  const seller = await shop();
  for (const [mode, isRefused] of [
    ["status-503", false],
    ["reset", false],
    ["status-401", true],
    ["status-503", true],
  ] as const) {
    await makeDue(seller);
    await app.sandbox.fault({ service: "woovi", mode, times: 5 });
    await runTests();
    await app.sandbox.endFaults("woovi");
    expect(await accountsOf(seller), mode).toMatchObject({ woovi: { isRefused, failure: null } });
  }
  expect(await findActionItems(seller.id)).toMatchObject([{ kind: "key-refused", provider: "A Woovi" }]);
  await makeDue(seller);
  await runTests();
  expect(await findActionItems(seller.id)).toEqual([]);
});

test("an account that is put first is no spare any more; a provider that cannot cancel has its key checked", async () => {
  const seller = await shop();
  await saveGateways(seller.id, { first_provider: "woovi" });
  expect(await accountsOf(seller)).toMatchObject({ pushinpay: { isDue: true }, woovi: { isDue: null } });
  await saveGateways(seller.id, { mercadopago_enabled: false });
  const before = (await created()).calls;
  await app.sandbox.fault({ service: "pushinpay", mode: "status-401", times: 1 });
  await runTests();
  expect(await accountsOf(seller)).toMatchObject({ pushinpay: { isRefused: true, failure: null } });
  await makeDue(seller);
  await runTests();
  expect(await accountsOf(seller)).toMatchObject({ pushinpay: { isRefused: false } });
  expect((await created()).calls).toEqual(before);
});

test("spares of closed accounts are not tested, and one that cannot be does not hold up the others", async () => {
  const [closed, broken, seller] = [await shop(), await shop(), await shop()];
  await sql`update sellers set closed_at = now() where id = ${closed.id}`;
  await sql`update gateway_keys set api_key_sealed = 'v1.broken' where seller_id = ${broken.id}`;
  await sql`update gateway_accounts set next_spare_test_at = next_spare_test_at - interval '1 hour' where seller_id = ${broken.id}`;
  const before = (await created()).calls;
  await runTests();
  expect((await created()).calls).toEqual(before.map((count, at) => count + (at === 0 ? 0 : 1)));
  for (const one of [closed, broken, seller])
    expect(Object.values(await accountsOf(one)).filter(({ isDue }) => isDue)).toEqual([]);
});

test("an account without a key is no spare, and the next one is none of it", async () => {
  const seller = await makeSeller();
  await saveGateways(seller.id, {
    ...{ pushinpay_enabled: true, mercadopago_enabled: true },
    ...{ woovi_enabled: true, woovi_app_id: `sandbox-${crypto.randomUUID()}` },
  });
  expect(await accountsOf(seller)).toMatchObject({
    pushinpay: { isDue: null },
    woovi: { isDue: null },
    mercadopago: { isDue: null },
  });
});
