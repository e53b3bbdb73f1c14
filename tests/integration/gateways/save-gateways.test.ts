import { expect, test } from "vitest";
import { versionOf } from "#app/db/version.server.ts";
import { findConnection } from "#app/domain/delivery/utmify/connection.server.ts";
import { findGateway } from "#app/domain/gateway/find-gateway.server.ts";
import { gatewaysForm, gatewaysPageForm } from "#app/domain/gateway/gateways-form.server.ts";
import { gatewaysVersion, saveGateways } from "#app/domain/gateway/save-gateways.server.ts";
import { showGateways } from "#app/domain/gateway/show-gateways.server.ts";
import * as settings from "#app/routes/seller/settings/settings.tsx";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeSeller, signedIn } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";
import { until } from "#tests/support/until.ts";

// The keys are asked about.
await startApp({ web: 0, worker: 0 });

const canReceivePayments = async (sellerId: string) => (await findGateway(sellerId)) !== null;

const save = (sellerId: string, form: object) => saveGateways(sellerId, gatewaysForm().parse(form));

const ALL = {
  pushinpay_enabled: true,
  pushinpay_api_key: ' "12|sandbox-pushin-AAAA" ',
  pushinpay_webhook_secret: "segredo-do-webhook-BBBB",
  stripe_enabled: true,
  stripe_public_key: "pk_live_CCCC",
  stripe_secret_key: "sk_live_DDDD",
  mercadopago_enabled: true,
  mercadopago_public_key: "APP_USR-EEEE",
  mercadopago_access_token: "APP_USR-sandbox-FFFF",
  utmfy_enabled: true,
  utmfy_api_token: "utm-token-GGGG",
  utmfy_source_id: "minha-loja",
  resend_api_key: "re_chave_HHHH",
};

test("a new seller has the defaults and a webhook address of their own, the same one after saving", async () => {
  const [a, b] = [await makeSeller(), await makeSeller()];
  const view = await showGateways(a.id);
  expect(view).toMatchObject({
    pushinpay_enabled: false,
    pushinpay_api_key: "",
    utmfy_source_id: "checkintelli",
  });
  expect(view.pushinpay_webhook_url).toMatch(/\/api\/webhooks\/pushinpay\/[\w-]{43}$/);
  expect((await showGateways(b.id)).pushinpay_webhook_url).not.toBe(view.pushinpay_webhook_url);
  await save(a.id, ALL);
  expect((await showGateways(a.id)).pushinpay_webhook_url).toBe(view.pushinpay_webhook_url);
});

test("keys are stored encrypted, returned masked, and the mask keeps them", async () => {
  const seller = await makeSeller();
  await save(seller.id, ALL);
  const view = await showGateways(seller.id);
  expect(view).toMatchObject({
    pushinpay_enabled: true,
    pushinpay_api_key: "••••••••AAAA",
    pushinpay_webhook_secret: "••••••••BBBB",
    stripe_public_key: "••••••••CCCC",
    stripe_secret_key: "••••••••DDDD",
    mercadopago_public_key: "••••••••EEEE",
    mercadopago_access_token: "••••••••FFFF",
    utmfy_api_token: "••••••••GGGG",
    utmfy_source_id: "minha-loja",
    resend_api_key: "••••••••HHHH",
  });
  const rows =
    await sql`select row_to_json(g)::text as row from gateway_accounts g where seller_id = ${seller.id}
    union all select row_to_json(t)::text from destinations t where seller_id = ${seller.id}`;
  expect(JSON.stringify(rows)).not.toMatch(/sandbox-pushin|segredo-do|pk_live|sk_live|APP_USR|utm-token/);
  await save(seller.id, view);
  expect((await findGateway(seller.id))!.credentials.apiKey).toBe("12|sandbox-pushin-AAAA");
  expect((await findConnection(seller.id)).token).toBe("utm-token-GGGG");
  expect(await showGateways(seller.id)).toEqual(view);
});

test("a part changes that part alone", async () => {
  const seller = await makeSeller();
  await save(seller.id, ALL);
  const before = await showGateways(seller.id);
  await save(seller.id, { resend_api_key: "re_outra_ZZZZ" });
  expect(await showGateways(seller.id)).toEqual({ ...before, resend_api_key: "••••••••ZZZZ" });
  await save(seller.id, { pushinpay_enabled: false });
  expect(await showGateways(seller.id)).toMatchObject({
    pushinpay_enabled: false,
    pushinpay_api_key: "••••••••AAAA",
  });
});

test("an emptied source of UTMify is the default again, and null leaves the saved one", async () => {
  const seller = await makeSeller();
  const sourceOf = async () => (await showGateways(seller.id)).utmfy_source_id;
  await save(seller.id, { utmfy_source_id: "minha-loja" });
  await save(seller.id, { utmfy_source_id: null });
  expect(await sourceOf()).toBe("minha-loja");
  await save(seller.id, { utmfy_source_id: " " });
  expect(await sourceOf()).toBe("checkintelli");
});

test("a cleared key is removed, but not the mail key", async () => {
  const seller = await makeSeller();
  await save(seller.id, ALL);
  await save(seller.id, { ...ALL, pushinpay_api_key: "", stripe_secret_key: "", resend_api_key: " " });
  expect(await showGateways(seller.id)).toMatchObject({
    pushinpay_api_key: "",
    stripe_secret_key: "",
    resend_api_key: "••••••••HHHH",
  });
});

test("a mail key whose field was emptied is not said to be saved", async () => {
  const seller = await makeSeller();
  await saveGateways(seller.id, { resend_api_key: "re_chave_HHHH" });
  const headers = await signedIn(seller);
  const body = new URLSearchParams({
    ...{ intent: "resend-key", resend_api_key: "" },
    version: versionOf((await showGateways(seller.id)).resend_api_key),
  });
  const answer = await call(settings, "/settings?tab=gateways", { method: "POST", headers, body });
  expect([answer.status, await answer.text()]).toEqual([
    400,
    expect.stringContaining("Para removê-la, use “Remover chave”"),
  ]);
  expect((await showGateways(seller.id)).resend_api_key).toMatch(/HHHH$/);
});

test("a seller can be paid once PushinPay is on and has a key", async () => {
  const seller = await makeSeller();
  expect(await canReceivePayments(seller.id)).toBe(false);
  await save(seller.id, { pushinpay_enabled: true });
  expect(await canReceivePayments(seller.id)).toBe(false);
  await save(seller.id, { pushinpay_api_key: "1|sandbox-x" });
  expect(await canReceivePayments(seller.id)).toBe(true);
  await save(seller.id, { pushinpay_enabled: false });
  expect(await canReceivePayments(seller.id)).toBe(false);
  await save(seller.id, { stripe_enabled: true, stripe_secret_key: "sk_live_1" });
  expect(await canReceivePayments(seller.id)).toBe(false);
});

test("a refused mail key leaves everything as it was", async () => {
  const seller = await makeSeller();
  await expect(save(seller.id, { ...ALL, resend_api_key: "nada" })).rejects.toThrow("re_");
  expect(await showGateways(seller.id)).toMatchObject({ pushinpay_enabled: false, pushinpay_api_key: "" });
});

test("a refused token of UTMify is named by the field of this form, and leaves everything as it was", async () => {
  const seller = await makeSeller();
  const refused = save(seller.id, { ...ALL, utmfy_api_token: "abcd…wxyz" });
  await expect(refused).rejects.toMatchObject({ kind: "invalid", field: "utmfy_api_token" });
  expect(await showGateways(seller.id)).toMatchObject({ pushinpay_enabled: false, utmfy_api_token: "" });
});

test("forms that fill different fields at once wait for each other, never in a circle", async () => {
  const seller = await makeSeller();
  const forms: object[] = [
    {
      pushinpay_api_key: "1|sandbox-um",
      pushinpay_enabled: true,
      stripe_enabled: true,
      mercadopago_enabled: false,
    },
    { stripe_secret_key: "dois", pushinpay_enabled: false, stripe_enabled: false },
    {
      mercadopago_access_token: "APP_USR-sandbox-tres",
      mercadopago_enabled: true,
      pushinpay_webhook_secret: "quatro",
    },
  ];
  // Three at once, each with a connection of its own: of many on a busy machine the last ones find none in time.
  for (let round = 0; round < 8; round++) {
    const results = await Promise.allSettled(forms.map((form) => save(seller.id, form)));
    const failures = results.flatMap((result) =>
      result.status === "rejected" ? [String(result.reason)] : [],
    );
    expect(failures).toEqual([]);
  }
});

test("the chosen provider comes first, and the others keep their order", async () => {
  const seller = await makeSeller();
  expect((await showGateways(seller.id)).first_provider).toBe("");
  await save(seller.id, await showGateways(seller.id));
  await save(seller.id, { ...ALL, woovi_enabled: true, woovi_app_id: "sandbox-app-IIII" });
  expect((await showGateways(seller.id)).first_provider).toBe("pushinpay");
  for (const first_provider of ["mercadopago", "woovi", "mercadopago", "woovi"]) {
    await save(seller.id, { first_provider });
    expect((await findGateway(seller.id))!.provider.name).toBe(first_provider);
  }
  await save(seller.id, { woovi_enabled: false });
  expect((await showGateways(seller.id)).first_provider).toBe("mercadopago");
  // What was shown may be sent back, although its account is switched off with it.
  await save(seller.id, { ...(await showGateways(seller.id)), mercadopago_enabled: false });
  expect((await showGateways(seller.id)).first_provider).toBe("pushinpay");
});

test("an account that is connected later comes behind the one that creates the codes, unless it is chosen", async () => {
  const seller = await makeSeller();
  const first = async () => (await showGateways(seller.id)).first_provider;
  await save(seller.id, { woovi_enabled: true, woovi_app_id: "sandbox-app-IIII" });
  await save(seller.id, { mercadopago_enabled: true, mercadopago_access_token: "APP_USR-sandbox-1" });
  expect(await first()).toBe("woovi");
  // As the page sends it: with everything that it shows.
  await save(seller.id, {
    ...(await showGateways(seller.id)),
    ...{ pushinpay_enabled: true, pushinpay_api_key: "1|sandbox-chave" },
  });
  expect(await first()).toBe("woovi");
  await save(seller.id, { pushinpay_enabled: false });
  await save(seller.id, { pushinpay_enabled: true, first_provider: "pushinpay" });
  expect(await first()).toBe("pushinpay");
});

test("a provider that can create no code is not put first, and nothing of the form is saved", async () => {
  const seller = await makeSeller();
  await save(seller.id, ALL);
  const before = await showGateways(seller.id);
  // Woovi without a key, Mercado Pago switched off.
  const form = { woovi_enabled: true, mercadopago_enabled: false, utmfy_source_id: "outra" };
  for (const first_provider of ["woovi", "mercadopago"])
    await expect(save(seller.id, { ...form, first_provider })).rejects.toMatchObject({
      kind: "invalid",
      field: "first_provider",
    });
  for (const unknown of ["stripe", "__proto__", "PUSHINPAY", 7])
    expect(gatewaysForm().safeParse({ first_provider: unknown }).success).toBe(false);
  expect(await showGateways(seller.id)).toEqual(before);
});

test("a key has at most 500 characters, the source of UTMify 60", () => {
  const accepts = (form: ReturnType<typeof gatewaysForm>, field: string, length: number) =>
    form.safeParse({ [field]: "x".repeat(length) }).success;
  for (const form of [gatewaysForm(), gatewaysPageForm()]) {
    expect(accepts(form, "pushinpay_api_key", 500)).toBe(true);
    expect(accepts(form, "pushinpay_api_key", 501)).toBe(false);
  }
  expect(accepts(gatewaysForm(), "utmfy_source_id", 60)).toBe(true);
  expect(accepts(gatewaysForm(), "utmfy_source_id", 61)).toBe(false);
});

test("on the page what is missing is switched off or removed", () => {
  const off = { pushinpay_enabled: false, pushinpay_api_key: "", mercadopago_card_enabled: false };
  expect(gatewaysPageForm().parse({})).toMatchObject({ ...off, utmfy_enabled: false });
});

test("the seller is mailed where a key, a switch or the order changed, and not where a form changes nothing", async () => {
  const seller = await makeSeller();
  const cards = {
    ...{ mercadopago_enabled: true, mercadopago_card_enabled: true },
    ...{ mercadopago_access_token: "APP_USR-sandbox-1", mercadopago_public_key: "APP_USR-2" },
  };
  const forms: [form: object, mails: number][] = [
    [{}, 0],
    [{ pushinpay_enabled: false }, 0],
    [{ pushinpay_enabled: true }, 1],
    [{ pushinpay_enabled: true }, 0],
    [{ pushinpay_api_key: "1|sandbox-chave" }, 1],
    [{ pushinpay_api_key: "1|sandbox-chave" }, 0],
    [{ pushinpay_webhook_secret: "segredo" }, 1],
    [{ pushinpay_webhook_secret: "segredo" }, 0],
    [{ pushinpay_webhook_secret: "" }, 1],
    [{ pushinpay_webhook_secret: "" }, 0],
    [cards, 1],
    [cards, 0],
    [{ mercadopago_card_enabled: false }, 1],
    [{ mercadopago_public_key: "APP_USR-3" }, 1],
    [{ stripe_enabled: true }, 1],
    [{ first_provider: "mercadopago" }, 1],
    [{ first_provider: "mercadopago" }, 0],
  ];
  const countMails = async () =>
    (await sql`select from mails where seller_id = ${seller.id} and kind = 'security-notice'`).length;
  for (const [form, mails] of forms) {
    const before = await countMails();
    await save(seller.id, form);
    expect((await countMails()) - before, JSON.stringify(form)).toBe(mails);
  }
});

test("checkouts are notified of a saved account or another order of them, and of no other form", async () => {
  const [seller, other] = [await makeSeller(), await makeSeller()];
  await save(seller.id, { ...ALL, woovi_enabled: true, woovi_app_id: "sandbox-app-IIII" });
  const notified: string[] = [];
  const { unlisten } = await sql.listen("storefront", (payload) => void notified.push(payload));
  await save(other.id, {});
  await save(seller.id, { first_provider: "woovi" });
  await save(other.id, { pushinpay_enabled: true });
  await until(() => notified.length >= 2);
  expect(notified).toEqual([`seller:${seller.id}`, `seller:${other.id}`]);
  await unlisten();
});

test("a form that comes back shows masks of its keys, and saves those that were typed", async () => {
  const seller = await makeSeller();
  await save(seller.id, { ...ALL, woovi_app_id: "sandbox-antiga" });
  const { pushinpay_webhook_secret } = await showGateways(seller.id);
  const body = new URLSearchParams({
    ...{
      intent: "gateways",
      pushinpay_enabled: "on",
      pushinpay_api_key: "",
      pushinpay_webhook_secret: String(pushinpay_webhook_secret),
    },
    ...{ mercadopago_access_token: "APP_USR-sandbox-nova-IIII", stripe_public_key: "pk_live_nova" },
    woovi_app_id: "",
    version: gatewaysVersion(await showGateways(seller.id)),
  });
  const headers = await signedIn(seller);
  const answer = await call(settings, "/settings?tab=gateways", { method: "POST", headers, body });
  const { gateways } = await answer.json();
  expect([answer.status, gateways.removes.name]).toEqual([409, "pushinpay"]);
  expect(JSON.stringify(gateways)).not.toContain("nova-IIII");
  const { initialValue, typedSecretsSealed } = gateways.result;
  expect(initialValue.mercadopago_access_token).toBe("••••••••IIII");
  const shown = new URLSearchParams([...body.keys()].map((field) => [field, initialValue[field] ?? ""]));
  shown.set("typed_secrets", typedSecretsSealed);
  const post = (form: URLSearchParams, as = headers) =>
    call(settings, "/settings?tab=gateways", { method: "POST", headers: as, body: form });
  // Each cleared key is asked about.
  shown.set("remove_key", "pushinpay");
  const next = (await (await post(shown)).json()).gateways;
  expect(next.removes.name).toBe("woovi");
  shown.set("typed_secrets", next.result.typedSecretsSealed);
  shown.append("remove_key", "woovi");
  // Another seller's seal adds nothing.
  const stranger = await makeSeller();
  const foreign = new URLSearchParams(shown);
  foreign.set("version", gatewaysVersion(await showGateways(stranger.id)));
  await post(foreign, await signedIn(stranger));
  expect((await showGateways(stranger.id)).mercadopago_access_token).toBe("");
  expect((await post(shown)).status).toBe(302);
  expect(await showGateways(seller.id)).toMatchObject({
    ...{ pushinpay_api_key: "", woovi_app_id: "", pushinpay_webhook_secret },
    ...{ mercadopago_access_token: "••••••••IIII", stripe_public_key: "••••••••nova" },
  });
});
