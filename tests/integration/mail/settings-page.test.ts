import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { ensureHook } from "#app/domain/mail/resend/ensure-hook.server.ts";
import { loadMailSettings, saveMailSettings } from "#app/domain/mail/sending/save-mail-settings.server.ts";
import { DEFAULT_TEMPLATE } from "#app/domain/mail/template/default-template.server.ts";
import { maskSecret } from "#app/platform/secrets.server.ts";
import { svixSignature } from "#sandbox/svix.ts";
import { startApp } from "#tests/support/app.ts";
import { makeSeller, signedIn } from "#tests/support/make.ts";

const app = await startApp({ worker: 0 });

/** A seller with a key of Resend, and the page after one of its forms was posted. */
async function withKey() {
  const seller = await makeSeller();
  const key = { key: "re_uma-chave-1234", isConfirmed: true };
  await saveMailSettings(seller.id, { key, update: () => DEFAULT_TEMPLATE });
  const headers = { ...(await signedIn(seller)), Origin: app.url };
  const post = async (path: string, fields: Record<string, string>) => {
    const body = new URLSearchParams(fields);
    const answer = await app.fetch(path, { method: "POST", redirect: "manual", headers, body });
    return { status: answer.status, html: await answer.text() };
  };
  const read = async (path: string) => (await app.fetch(path, { headers })).text();
  return { seller, post, read };
}

test("whoever discards a domain that was saved elsewhere meanwhile stays on its tab", async () => {
  const { post } = await withKey();
  const stale = { intent: "create-domain", domain_name: "loja.com.br", version: "old" };
  const { status, html } = await post("/settings/email?tab=domain", stale);
  expect(status).toBe(409);
  const link = /<a[^>]*href="([^"]*)"[^>]*>Descartar o meu/.exec(html);
  expect(link?.[1]).toBe("/settings/email?tab=domain");
});

test("a new key survives a stale form, also without JavaScript", async () => {
  const { seller, post } = await withKey();
  const { shown } = await loadMailSettings(seller.id);
  const key = "re_sandbox_nova_WXYZ";
  const stale = await post("/settings/email", {
    ...shown,
    intent: "save",
    resend_api_key: key,
    version: "old",
  });
  expect(stale.status).toBe(409);
  expect(stale.html).not.toContain(key);
  // What its page sends with "salvar o meu por cima".
  const hiddenValue = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(stale.html)![1]!;
  const again = {
    resend_api_key: maskSecret(key),
    typed_secrets: hiddenValue("typed_secrets"),
    over: hiddenValue("over"),
  };
  expect((await post("/settings/email", { ...shown, intent: "save", ...again })).status).toBe(302);
  expect((await loadMailSettings(seller.id)).shown.resend_api_key).toBe(maskSecret(key));
});

test("removing the key keeps a template that was typed and not saved, and it can be saved then", async () => {
  const { seller, post } = await withKey();
  const { shown, version } = await loadMailSettings(seller.id);
  const typed = { ...shown, subject: "Chegou o seu acesso", version };
  const { status, html } = await post("/settings/email", { ...typed, intent: "remove-key" });
  expect(status).toBe(200);
  expect(html).toContain("Chave removida: os e-mails saem pela plataforma.");
  expect(html).toContain('value="Chegou o seu acesso"');
  const saved = await loadMailSettings(seller.id);
  expect(saved.shown).toMatchObject({ resend_api_key: "", subject: shown.subject });
  expect(html).toContain(`name="version" value="${saved.version}"`);
  const next = { ...typed, intent: "save", resend_api_key: "", version: saved.version };
  expect((await post("/settings/email", next)).status).toBe(302);
  expect((await loadMailSettings(seller.id)).shown.subject).toBe("Chegou o seu acesso");
});

test("removing the key with nothing typed leads back to the page, also without JavaScript", async () => {
  const { seller, post } = await withKey();
  const { shown, version } = await loadMailSettings(seller.id);
  // A browser sends lines so, whatever the page's text has.
  const sent = Object.entries(shown).map(([name, value]) => [name, value.replaceAll("\n", "\r\n")]);
  const unchanged = { ...Object.fromEntries(sent), version, intent: "remove-key" };
  expect((await post("/settings/email", unchanged)).status).toBe(302);
  expect((await loadMailSettings(seller.id)).shown.resend_api_key).toBe("");
});

test("a sender's name that is filled in for each mail is shown as an example, and another one as it is", async () => {
  const seller = await makeSeller();
  const headers = await signedIn(seller);
  const read = async () =>
    (await (await app.fetch("/settings/email", { headers })).text()).replaceAll("<!-- -->", "");
  expect(await read()).toMatch(/saem pela plataforma, por exemplo, como <strong>Curso de Violão/);
  await saveMailSettings(seller.id, {
    key: null,
    update: () => ({ ...DEFAULT_TEMPLATE, senderName: "Escola Ré" }),
  });
  expect(await read()).toMatch(/saem pela plataforma, como <strong>Escola Ré/);
});

test("a webhook's secret that was entered by hand is called saved until a webhook arrives, and can be replaced", async () => {
  const { seller, post, read } = await withKey();
  const badge = async () => {
    const html = await read("/settings/email?tab=domain");
    expect(html).toContain('name="hook_secret"');
    expect(html.includes("Trocar o segredo")).toBe(!html.includes(">Conectando<"));
    return />(Conectando|Segredo salvo|Conectado)</.exec(html)?.[1];
  };
  const enter = async (hook_secret: string) =>
    (await post("/settings/email?tab=domain", { intent: "hook-secret", hook_secret })).status;
  const arrive = async (ofSeller: string, secret: string) => {
    const { token } = await ensureHook(ofSeller);
    const [id, at] = [`msg_${randomUUID()}`, Math.floor(Date.now() / 1000)];
    const body = JSON.stringify({ type: "email.opened", data: {} });
    const signature = svixSignature(secret, id, at, body);
    const headers = { "svix-id": id, "svix-timestamp": String(at), "svix-signature": signature };
    return (await app.fetch(`/api/webhooks/resend/${token}`, { method: "POST", body, headers })).status;
  };
  expect(await badge()).toBe("Conectando");
  for (const secret of ["whsec_b3V0cm8gc2VncmVkbyBxdWFscXVlciBhcXVp", "whsec_MDEyMzQ1Njc4OWFiY2RlZg=="]) {
    expect(await enter(secret)).toBe(302);
    expect(await badge()).toBe("Segredo salvo");
    expect(await arrive(seller.id, "whsec_b3V0cm8gc2VncmVkbyBlcnJhZG8gZGVtYWlz")).toBe(401);
    expect(await badge()).toBe("Segredo salvo");
    expect(await arrive(seller.id, secret)).toBe(200);
    expect(await badge()).toBe("Conectado");
  }
  // It was the former account's.
  const key = { key: "re_outra-chave-5678", isConfirmed: true };
  await saveMailSettings(seller.id, { key, update: () => DEFAULT_TEMPLATE });
  expect(await badge()).toBe("Conectando");
});
