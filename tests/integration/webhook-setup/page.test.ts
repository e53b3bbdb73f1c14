import { beforeEach, expect, test } from "vitest";
import { saveGateways } from "#app/domain/gateway/save-gateways.server.ts";
import { startWebhookTest } from "#app/domain/gateway/webhook-setup/start-webhook-test.server.ts";
import { paths } from "#app/kit/paths.ts";
import { unseal } from "#app/platform/secrets.server.ts";
import { ageSignIn } from "#tests/integration/identity/signed-in-ago.ts";
import { openSetup, PROVIDER, rowOf } from "#tests/integration/webhook-setup/support.ts";
import { startApp } from "#tests/support/app.ts";
import { formsOf } from "#tests/support/clients/page-forms.ts";
import { sql } from "#tests/support/database.ts";
import { makeSeller, signedIn } from "#tests/support/make.ts";

const app = await startApp({ web: 2, worker: 0 });
const PAGE = paths.webhookSetup(PROVIDER);

beforeEach(() => app.sandbox.reset());

const read = async (cookie: HeadersInit, path = PAGE) => app.fetch(path, { headers: cookie });
const post = (cookie: HeadersInit, fields: Record<string, string>, web = 0) =>
  app.fetch(new URL(PAGE, app.web[web]!.url).href, {
    method: "POST",
    headers: cookie,
    body: new URLSearchParams(fields),
  });
const start = (cookie: HeadersInit, web = 0) => post(cookie, { intent: "start-test" }, web);
const testsOf = ({ id }: { id: string }) => sql`select ended_at from webhook_tests where seller_id = ${id}`;
const secretOf = async ({ id }: { id: string }) => {
  const [row] = await sql`select webhook_secret_sealed from gateway_accounts where seller_id = ${id}`;
  return unseal(row!.webhook_secret_sealed);
};

async function saveSecret(cookie: HeadersInit, secret: string, version?: string) {
  const html = await (await read(cookie)).text();
  const form = formsOf(PAGE, html).find(({ fields }) => fields.some(([name]) => name === "webhook_secret"))!;
  const fields = { ...Object.fromEntries(form.fields), intent: "webhook-secret", webhook_secret: secret };
  return post(cookie, version === undefined ? fields : { ...fields, version });
}

test("the page has the steps, the address and the test, and neither key nor secret", async () => {
  const { seller, secret, accessToken, webhookUrl } = await openSetup(app);
  const cookie = await signedIn(seller);
  const html = await (await read(cookie)).text();
  for (const text of ["Suas integrações", "Configurar notificações", "Order (Mercado Pago)", webhookUrl])
    expect(html).toContain(text);
  expect(html).not.toContain("Chargebacks");
  await saveGateways(seller.id, {
    mercadopago_public_key: "APP_USR-publica",
    mercadopago_card_enabled: true,
  });
  const withCards = await (await read(cookie)).text();
  expect(withCards).toContain("Chargebacks");
  await startWebhookTest(seller.id, PROVIDER);
  for (const page of [html, withCards, await (await read(cookie)).text()])
    for (const hidden of [secret, accessToken, "APP_USR-publica"]) expect(page).not.toContain(hidden);
  expect(await (await read(cookie, "/settings?tab=gateways")).text()).toContain(`href="${PAGE}"`);
});

test("only a provider with steps has the page", async () => {
  const cookie = await signedIn(await makeSeller());
  for (const other of ["pushinpay", "stripe", "constructor", "x"])
    expect((await read(cookie, paths.webhookSetup(other))).status, other).toBe(404);
  expect((await read({}, PAGE)).status).toBe(302);
});

test("without key or secret no test is started, and the page says which is missing", async () => {
  const seller = await makeSeller();
  const cookie = await signedIn(seller);
  expect(await (await start(cookie)).text()).toContain("Salve primeiro o Access Token");
  await saveGateways(seller.id, { mercadopago_access_token: "APP_USR-sandbox-a" });
  const answer = await start(cookie);
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain("Salve primeiro a assinatura secreta");
  expect(await testsOf(seller)).toEqual([]);
});

test("twice at once, through two processes, is one test; afterwards the next one may start, ten an hour", async () => {
  const { seller } = await openSetup(app);
  const cookie = await signedIn(seller);
  const answers = await Promise.all(Array.from({ length: 12 }, (_, at) => start(cookie, at % 2)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([302]));
  expect(await testsOf(seller)).toHaveLength(1);
  const end = () =>
    sql`update webhook_tests set ended_at = now(), scheduled_at = null where seller_id = ${seller.id} and ended_at is null`;
  for (let count = 1; count < 10; count++) {
    await end();
    expect((await start(cookie)).status).toBe(302);
  }
  await end();
  const refused = await start(cookie);
  expect(refused.status).toBe(429);
  expect(await refused.text()).toContain("no máximo 10 testes por hora");
  expect(await testsOf(seller)).toHaveLength(10);
  await sql`update webhook_tests set started_at = started_at - interval '1 hour' where seller_id = ${seller.id}`;
  expect((await start(cookie)).status).toBe(302);
});

test("another seller neither sees a test nor starts one, and their own webhooks do not count for it", async () => {
  const { seller } = await openSetup(app);
  await startWebhookTest(seller.id, PROVIDER);
  const other = await openSetup(app);
  const cookie = await signedIn(other.seller);
  expect(await (await read(cookie)).text()).not.toContain("Teste iniciado em");
  const { reference } = await rowOf(seller);
  const body = {
    type: "order",
    action: "order.created",
    data: { id: "ORD0123456789", external_reference: reference },
  };
  const answer = await fetch(`${other.webhookUrl}?data.id=ORD0123456789`, {
    method: "POST",
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(401);
  expect(await rowOf(seller)).toMatchObject({ arrival: null });
  expect((await start(cookie)).status).toBe(302);
  expect(await testsOf(seller)).toHaveLength(1);
  expect(await testsOf(other.seller)).toHaveLength(1);
});

test("the secret is saved with a recent sign-in, by the version that was read, and never emptied here", async () => {
  const { seller, secret } = await openSetup(app);
  const cookie = await signedIn(seller);
  expect((await saveSecret(cookie, "  nova-assinatura  ")).status).toBe(302);
  expect(await secretOf(seller)).toBe("nova-assinatura");
  const mails = await sql`select kind from mails where seller_id = ${seller.id} and kind = 'security-notice'`;
  expect(mails.length).toBeGreaterThan(1);
  for (const empty of ["", "  "]) {
    const answer = await saveSecret(cookie, empty);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain("Cole a assinatura secreta");
  }
  const stale = await saveSecret(cookie, secret, "de-antes");
  expect(stale.status).toBe(409);
  expect(await stale.text()).not.toContain(secret);
  await ageSignIn(seller, 11);
  const held = await saveSecret(cookie, "de-quem-nao-confirmou");
  expect(held.headers.get("location")).toBe("/confirm-identity");
  expect(await secretOf(seller)).toBe("nova-assinatura");
  // A test changes nothing, and asks for none.
  expect((await start(cookie)).headers.get("location")).toBe(paths.webhookTest(PROVIDER));
});

test("a button that does not exist is refused", async () => {
  const cookie = await signedIn(await makeSeller());
  expect((await post(cookie, { intent: "x" })).status).toBe(400);
  const other = await app.fetch(paths.webhookSetup("pushinpay"), {
    method: "POST",
    headers: cookie,
    body: new URLSearchParams({ intent: "start-test" }),
  });
  expect(await other.text()).toContain("Não encontrado");
});
