import { expect, test } from "vitest";
import { createApiKey } from "#app/domain/identity/access/api-keys.server.ts";
import { SCOPES } from "#app/domain/identity/access/scopes.ts";
import { loadMailSettings, saveMailSettings } from "#app/domain/mail/sending/save-mail-settings.server.ts";
import { DEFAULT_TEMPLATE } from "#app/domain/mail/template/default-template.server.ts";
import { findTemplate } from "#app/domain/mail/template/find-template.server.ts";
import { renderSimpleTemplate } from "#app/domain/mail/template/simple-template.server.ts";
import * as templateRoute from "#app/routes/api/email/template.ts";
import { countStatements, holdLock, untilLockedOut } from "#tests/support/database.ts";
import { makeSeller, signedIn } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";

test("key and purchase mail are saved together, by whoever saw the newest of both", async () => {
  const seller = await makeSeller();
  const { shown, version } = await loadMailSettings(seller.id);
  expect(shown).toMatchObject({ resend_api_key: "", editor: "simple" });
  const key = { key: "re_uma-chave-1234", isConfirmed: true };
  const written = { ...DEFAULT_TEMPLATE, subject: "Oi", htmlContent: "<p>Oi</p>", simple: null };
  await saveMailSettings(seller.id, { key, update: () => written }, undefined, version);
  const saved = await loadMailSettings(seller.id);
  expect(saved.shown).toMatchObject({
    ...{ resend_api_key: "••••••••1234", subject: "Oi", editor: "html", html_content: "<p>Oi</p>" },
  });
  const late = saveMailSettings(seller.id, { key: null, update: () => DEFAULT_TEMPLATE }, undefined, version);
  await expect(late).rejects.toMatchObject({ kind: "conflict" });
  expect(await loadMailSettings(seller.id)).toEqual(saved);
});

async function templateApi() {
  const seller = await makeSeller();
  const headers = await signedIn(seller);
  const get = async () => (await call(templateRoute, "/api/email/template", { headers })).json();
  const post = async (body: object) => {
    const answer = await call(templateRoute, "/api/email/template", { method: "POST", headers, body });
    expect(answer.status).toBe(200);
    return answer.json();
  };
  return { seller, get, post };
}

test("a program changes what it sends of the template, and nothing else", async () => {
  const { post } = await templateApi();
  const whole = { sender_name: "Escola", sender_email: "contato@escola.com.br", subject: "Oi" };
  const saved = await post({ ...whole, html_content: "<p>Oi</p>" });
  expect(await post({ sender_name: "Loja", subject: "Olá", html_content: "<p>Olá</p>" })).toMatchObject({
    sender_email: "contato@escola.com.br",
  });
  expect(await post({ ...whole, html_content: "<p>Oi</p>" })).toEqual({
    ...saved,
    version: expect.any(String),
  });
  expect(await post({ sender_email: "" })).toMatchObject({ ...whole, sender_email: "" });
});

test("a program reads the template and its version at once: a save in between would be overwritten unseen", async () => {
  const { get } = await templateApi();
  const { statements } = await countStatements(get);
  expect(statements.filter((text) => text.includes('from "email_templates"'))).toHaveLength(1);
});

test("a key that sends a template back does not undo a sender's address changed while it waited", async () => {
  const { seller, get, post } = await templateApi();
  await post({ sender_email: "antigo@escola.com.br" });
  const { version: _, ...read } = await get();
  const key = await createApiKey(seller.id, { name: "Integração", scopes: [...SCOPES] });
  const headers = { Authorization: `Bearer ${key}` };
  const answers: Promise<Response>[] = [];
  const saving = await holdLock(async (tx) => {
    await tx`select from sellers where id = ${seller.id} for no key update`;
    await tx`update email_templates set sender_email = 'novo@escola.com.br' where seller_id = ${seller.id}`;
    answers.push(call(templateRoute, "/api/email/template", { method: "POST", headers, body: read }));
    await untilLockedOut();
  });
  await saving.release();
  const [answer] = await Promise.all(answers);
  expect([answer!.status, (await answer!.json()).code]).toEqual([403, "session_required"]);
  expect((await findTemplate(seller.id)).senderEmail).toBe("novo@escola.com.br");
});

test("a template sent back as it was read stays our default, or the text it was made from", async () => {
  const { seller, get, post } = await templateApi();
  await post(await get());
  expect((await findTemplate(seller.id)).id).toBeNull();
  const simple = { title: "Oi!", text: "Texto meu", button: "Abrir" };
  const made = { ...DEFAULT_TEMPLATE, htmlContent: renderSimpleTemplate(simple), simple };
  await saveMailSettings(seller.id, { key: null, update: () => made });
  await post({ ...(await get()), subject: "Outro assunto" });
  expect(await findTemplate(seller.id)).toMatchObject({ subject: "Outro assunto", simple });
  await post({ html_content: "<p>Escrito à mão</p>" });
  expect((await findTemplate(seller.id)).simple).toBeNull();
});

test("a saved key leaves the default template ours", async () => {
  const seller = await makeSeller();
  const key = { key: "re_uma-chave-1234", isConfirmed: true };
  await saveMailSettings(seller.id, { key, update: () => ({ ...DEFAULT_TEMPLATE }) });
  expect((await findTemplate(seller.id)).id).toBeNull();
});
