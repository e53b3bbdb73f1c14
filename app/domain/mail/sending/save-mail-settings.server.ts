import { isDeepStrictEqual } from "node:util";
import { type Db, db } from "#app/db/client.server.ts";
import { rejectStale, versionOf, withSellerLock } from "#app/db/version.server.ts";
import type { NewResendKey } from "#app/domain/mail/resend/check-resend-key.server.ts";
import { maskedResendKey } from "#app/domain/mail/resend/masked-resend-key.server.ts";
import { storeResendKey } from "#app/domain/mail/resend/save-resend-key.server.ts";
import type { Template } from "#app/domain/mail/template/default-template.server.ts";
import { findTemplate } from "#app/domain/mail/template/find-template.server.ts";
import { storeTemplate } from "#app/domain/mail/template/save-template.server.ts";
import { DEFAULT_SIMPLE_TEMPLATE } from "#app/domain/mail/template/simple-template.server.ts";
import type { RequestOrigin } from "#app/kit/device.ts";

/** The purchase mail and the Resend key, as their one form shows them: the key is a mask, or empty. `id`: null for the default mail. */
export async function loadMailSettings(sellerId: string, tx: Db = db) {
  const { id, senderName, senderEmail, subject, htmlContent, simple } = await findTemplate(sellerId, tx);
  const fields = {
    resend_api_key: await maskedResendKey(sellerId, tx),
    sender_name: senderName,
    sender_email: senderEmail,
    subject,
    editor: simple ? ("simple" as const) : ("html" as const),
    simple_title: (simple ?? DEFAULT_SIMPLE_TEMPLATE).title,
    simple_text: (simple ?? DEFAULT_SIMPLE_TEMPLATE).text,
    simple_button: (simple ?? DEFAULT_SIMPLE_TEMPLATE).button,
    html_content: htmlContent,
  };
  return { id, shown: fields, version: versionOf(fields) };
}

/**
 * Saves both or neither. A template that is as it was is not stored: a seller without one keeps our default, with its text
 * for free orders. `update` is called under the lock, and may refuse.
 * @throws Refusal conflict where one of them was saved since `version`
 */
export async function saveMailSettings(
  sellerId: string,
  { key, update }: { key: NewResendKey | null; update: (saved: Template) => Template },
  origin?: RequestOrigin,
  version?: string,
): Promise<void> {
  await withSellerLock(sellerId, async (tx) => {
    rejectStale(version, (await loadMailSettings(sellerId, tx)).version);
    await storeResendKey(tx, sellerId, key, origin);
    const { id: _, ...saved } = await findTemplate(sellerId, tx);
    const template = update(saved);
    if (!isDeepStrictEqual(template, saved)) await storeTemplate(tx, sellerId, template, origin);
  });
}
