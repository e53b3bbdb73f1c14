import { expect, test } from "vitest";
import { saveMailSettings } from "#app/domain/mail/sending/save-mail-settings.server.ts";
import { DEFAULT_TEMPLATE } from "#app/domain/mail/template/default-template.server.ts";
import { startApp } from "#tests/support/app.ts";
import { makeSeller, signedIn } from "#tests/support/make.ts";

const app = await startApp({ worker: 0 });

/** A seller with a key of Resend, and the page after one of its forms was posted. */
async function withKey() {
  const seller = await makeSeller();
  const key = { key: "re_uma-chave-1234", isConfirmed: true };
  await saveMailSettings(seller.id, { key, template: DEFAULT_TEMPLATE });
  const headers = { ...(await signedIn(seller)), Origin: app.url };
  const post = async (path: string, fields: Record<string, string>) => {
    const body = new URLSearchParams(fields);
    const answer = await app.fetch(path, { method: "POST", redirect: "manual", headers, body });
    return { status: answer.status, html: await answer.text() };
  };
  return { post };
}

test("whoever discards a domain that was saved elsewhere meanwhile stays on its tab", async () => {
  const { post } = await withKey();
  const stale = { intent: "create-domain", domain_name: "loja.com.br", version: "old" };
  const { status, html } = await post("/settings/email?tab=domain", stale);
  expect(status).toBe(409);
  const link = /<a[^>]*href="([^"]*)"[^>]*>Descartar o meu/.exec(html);
  expect(link?.[1]).toBe("/settings/email?tab=domain");
});
