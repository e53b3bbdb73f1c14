import { expect, test } from "vitest";
import { loadMailSettings, saveMailSettings } from "#app/domain/mail/sending/save-mail-settings.server.ts";
import { DEFAULT_TEMPLATE } from "#app/domain/mail/template/default-template.server.ts";
import { makeSeller } from "#tests/support/make.ts";

test("key and purchase mail are saved together, by whoever saw the newest of both", async () => {
  const seller = await makeSeller();
  const { shown, version } = await loadMailSettings(seller.id);
  expect(shown).toMatchObject({ resend_api_key: "", editor: "simple" });
  const key = { key: "re_uma-chave-1234", isConfirmed: true };
  const written = { ...DEFAULT_TEMPLATE, subject: "Oi", htmlContent: "<p>Oi</p>", simple: null };
  await saveMailSettings(seller.id, { key, template: written }, undefined, version);
  const saved = await loadMailSettings(seller.id);
  expect(saved.shown).toMatchObject({
    ...{ resend_api_key: "••••••••1234", subject: "Oi", editor: "html", html_content: "<p>Oi</p>" },
  });
  const late = saveMailSettings(seller.id, { key: null, template: DEFAULT_TEMPLATE }, undefined, version);
  await expect(late).rejects.toMatchObject({ kind: "conflict" });
  expect(await loadMailSettings(seller.id)).toEqual(saved);
});
