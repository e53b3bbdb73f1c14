import { expect, test } from "vitest";
import type { Family } from "#app/domain/delivery/kind.ts";
import { showDestination } from "#app/domain/delivery/list-destinations.server.ts";
import { findConnection } from "#app/domain/delivery/utmify/connection.server.ts";
import { saveConnection } from "#app/domain/delivery/utmify/save-tracking.server.ts";
import { testConnection } from "#app/domain/delivery/utmify/test-connection.server.ts";
import { saveGateways } from "#app/domain/gateway/save-gateways.server.ts";
import { maskSecret, unseal } from "#app/platform/secrets.server.ts";
import * as page from "#app/routes/seller/settings/destinations/destination.tsx";
import * as newPage from "#app/routes/seller/settings/destinations/new.tsx";
import * as settings from "#app/routes/seller/settings/settings.tsx";
import * as utmfy from "#app/routes/seller/settings/utmfy/utmfy.tsx";
import * as setup from "#app/routes/seller/settings/webhook-setup/webhook-setup.tsx";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeSeller, signedIn } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";
import { makeMemberArea, makePixel } from "#tests/support/rows/make-destination.ts";
import { makeTracking } from "#tests/support/rows/make-tracking.ts";
import { makeWebhook, receiverAt } from "#tests/support/rows/make-webhook.ts";

await startApp({ worker: 0 });

type Seller = { id: string };
type Result = {
  error?: Record<string, string[]>;
  initialValue?: Record<string, string | string[]>;
  typedSecretsSealed?: string;
  conflict?: { version: string; differences: { label: string; mine: string }[] };
};
type Page = {
  module: object;
  path: string;
  params?: Record<string, string>;
  resultOf?: (answer: unknown) => Result;
};

const savedReply = (answer: unknown) => (answer as { result: Result }).result;

async function post(
  { module, path, params = {}, resultOf = savedReply }: Page,
  seller: Seller,
  fields: object,
) {
  const body = new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)])),
  );
  const headers = await signedIn(seller);
  const answer = await call(module, path, { method: "POST", params, headers, body });
  const text = await answer.text();
  return { status: answer.status, text, result: answer.status < 400 ? {} : resultOf(JSON.parse(text)) };
}

/** What a page without scripts holds after that reply: the fields as they were returned, and the hidden ones. */
function returned({ initialValue, typedSecretsSealed, conflict }: Result): Record<string, string | string[]> {
  const shown = { ...initialValue };
  if (typedSecretsSealed) shown.typed_secrets = typedSecretsSealed;
  if (conflict) shown.over = conflict.version;
  return shown;
}

const TOKEN = "token-novo-WXYZ";

const FAMILY_OF: Record<string, Family> = { pixels: "pixel", "member-areas": "members", webhooks: "webhook" };

const storedToken = async (id: string) => {
  const [row] = await sql`select token_sealed from destinations where id = ${id}`;
  return row!.token_sealed && unseal(row!.token_sealed);
};

/** Each kind's page, what its form holds beside name and token, and its destination. */
const KINDS: [string, string, object, (seller: Seller) => Promise<string>][] = [
  [
    "a pixel",
    "pixels",
    { kind: "meta", pixel_id: "1234567890123456", events: ["sale.paid"] },
    (seller) => makePixel(seller, "meta"),
  ],
  [
    "a member area",
    "member-areas",
    { kind: "cademi", area: "minha-escola" },
    (seller) => makeMemberArea(seller, "cademi"),
  ],
  [
    "a webhook",
    "webhooks",
    { url: receiverAt("typed-tokens"), form: "hotmart", scope: "all", events: ["sale.paid"] },
    (seller) => makeWebhook(seller, { name: "typed-tokens" }),
  ],
];

test.each(KINDS)("a new token of %s survives a form that was refused", async (_, path, fields, make) => {
  const seller = await makeSeller();
  const id = await make(seller);
  const at = { module: page, path: `/settings/${path}/${id}`, params: { id } };
  const typed = { intent: "save", ...fields, version: "old", token: TOKEN };
  const invalid = await post(at, seller, { ...typed, name: "" });
  expect(invalid.status).toBe(400);
  expect(invalid.text).not.toContain(TOKEN);
  expect(invalid.result.initialValue!.token).toBe(maskSecret(TOKEN));
  const stale = await post(at, seller, { ...returned(invalid.result), name: "Outro nome" });
  expect(stale.status).toBe(409);
  expect(stale.text).not.toContain(TOKEN);
  expect(stale.result.conflict!.differences.map(({ mine }) => mine)).toContain("o que você digitou");
  expect((await post(at, seller, returned(stale.result))).status).toBe(302);
  expect(await storedToken(id)).toBe(TOKEN);
});

test.each(KINDS)("the token of %s that is created survives, too", async (_, path, fields) => {
  const seller = await makeSeller();
  const at = {
    module: newPage,
    path: `/settings/${path}/new`,
    resultOf: (answer: unknown) => answer as Result,
  };
  const invalid = await post(at, seller, { ...fields, token: TOKEN, name: "" });
  expect(invalid.status).toBe(400);
  expect(invalid.text).not.toContain(TOKEN);
  expect((await post(at, seller, { ...returned(invalid.result), name: "Nova" })).status).toBe(302);
  const [row] = await sql`select id from destinations where seller_id = ${seller.id}`;
  expect(await storedToken(row!.id)).toBe(TOKEN);
});

test.each(KINDS)(
  "a token of %s with a character that no token has is refused at its field",
  async (_, path, fields, make) => {
    const seller = await makeSeller();
    const id = await make(seller);
    const before = await storedToken(id);
    const at = { module: page, path: `/settings/${path}/${id}`, params: { id } };
    const { version } = await showDestination(FAMILY_OF[path]!, seller.id, id);
    // As a page shows one that is too long.
    const typed = { intent: "save", ...fields, name: "Nova", version, token: "abcd…wxyz" };
    const refused = await post(at, seller, typed);
    expect([refused.status, refused.result.error!.token]).toEqual([
      400,
      [expect.stringContaining("tem outro caractere")],
    ]);
    expect(await storedToken(id)).toBe(before);
  },
);

test("UTMify's token with a character that no token has is neither saved nor tested", async () => {
  const seller = await makeSeller();
  await makeTracking(seller);
  const typed = { api_token: "abcd…wxyz", api_url: "", source_id: "loja", is_enabled: true };
  const refusal = { kind: "invalid", field: "api_token" };
  await expect(saveConnection(seller.id, typed)).rejects.toMatchObject(refusal);
  await expect(testConnection(seller.id, typed)).rejects.toMatchObject(refusal);
  expect(await findConnection(seller.id)).toMatchObject({ token: "sandbox-utmify" });
});

test("a mask that was left is no difference, though somebody saved another token meanwhile", async () => {
  const seller = await makeSeller();
  await makeTracking(seller, { token: "tok-depois-ABCD" });
  const at = { module: utmfy, path: "/settings/utmfy" };
  const fields = {
    intent: "save",
    is_enabled: "on",
    version: "old",
    api_token: maskSecret("tok-antes-1234"),
  };
  const stale = await post(at, seller, fields);
  expect(stale.status).toBe(409);
  expect(stale.result.conflict!.differences.map(({ mine }) => mine)).not.toContain("o que você digitou");
  expect((await post(at, seller, returned(stale.result))).status).toBe(302);
  expect(await findConnection(seller.id)).toMatchObject({ token: "tok-depois-ABCD" });
});

test("UTMify's new token survives a refused form, a test and a stale one, and its removal does, too", async () => {
  const seller = await makeSeller();
  await makeTracking(seller, { token: "tok-antes-ABCD" });
  const at = { module: utmfy, path: "/settings/utmfy" };
  const typed = { intent: "save", is_enabled: "on", purchase: "on", version: "old" };
  const inside = "https://169.254.169.254/";
  const invalid = await post(at, seller, { ...typed, api_token: TOKEN, api_url: inside });
  expect(invalid.status).toBe(400);
  const tested = await post(at, seller, { ...returned(invalid.result), intent: "test" });
  expect(tested.text).not.toContain(TOKEN);
  const shown = { ...returned(invalid.result), ...returned(tested.result) };
  const stale = await post(at, seller, { ...shown, intent: "save", api_url: "" });
  expect(stale.status).toBe(409);
  expect((await post(at, seller, returned(stale.result))).status).toBe(302);
  expect(await findConnection(seller.id)).toMatchObject({ token: TOKEN });
  const emptied = await post(at, seller, { ...typed, api_token: "" });
  expect(emptied.status).toBe(409);
  expect((await post(at, seller, { api_token: "", ...returned(emptied.result) })).status).toBe(302);
  expect(await findConnection(seller.id)).toMatchObject({ token: null });
});

test("Resend's key in the settings and a signing secret survive a stale form", async () => {
  const seller = await makeSeller();
  const saved = {
    ...{ resend_api_key: "re_antes_AAAA", mercadopago_access_token: "APP_USR-sandbox-a" },
    mercadopago_webhook_secret: "assinatura-antes-AAAA",
  };
  await saveGateways(seller.id, saved);
  const gateways = {
    module: settings,
    path: "/settings?tab=gateways",
    resultOf: (answer: unknown) => (answer as { gateways: { result: Result } }).gateways.result,
  };
  const key = "re_sandbox_nova_WXYZ";
  const stale = await post(gateways, seller, { intent: "resend-key", version: "old", resend_api_key: key });
  expect(stale.status).toBe(409);
  expect(stale.text).not.toContain(key);
  const again = { ...returned(stale.result), intent: "resend-key" };
  expect((await post(gateways, seller, again)).status).toBe(302);
  const webhook = {
    module: setup,
    path: "/settings/webhooks-setup/mercadopago",
    params: { provider: "mercadopago" },
    resultOf: (answer: unknown) => (answer as { saved: Result }).saved,
  };
  const secret = "assinatura-nova-WXYZ";
  const late = await post(webhook, seller, {
    intent: "webhook-secret",
    version: "old",
    webhook_secret: secret,
  });
  expect(late.status).toBe(409);
  expect(late.text).not.toContain(secret);
  const over = { ...returned(late.result), intent: "webhook-secret" };
  expect((await post(webhook, seller, over)).status).toBe(302);
  const [row] = await sql`select resend_key_sealed, webhook_secret_sealed from mail_settings
    inner join gateway_accounts using (seller_id) where seller_id = ${seller.id}`;
  expect([row!.resend_key_sealed, row!.webhook_secret_sealed].map(unseal)).toEqual([key, secret]);
});
