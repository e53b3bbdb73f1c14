import { type Db, db } from "#app/db/client.server.ts";
import { inSellersTurn, refuseStale, versionOf } from "#app/db/version.server.ts";
import type { NewResendKey } from "#app/domain/mail/resend/check-resend-key.server.ts";
import { maskedResendKey } from "#app/domain/mail/resend/masked-resend-key.server.ts";
import { keepResendKey } from "#app/domain/mail/resend/save-resend-key.server.ts";
import type { Template } from "#app/domain/mail/template/default-template.server.ts";
import { findTemplate } from "#app/domain/mail/template/find-template.server.ts";
import { keepTemplate } from "#app/domain/mail/template/save-template.server.ts";
import { DEFAULT_SIMPLE } from "#app/domain/mail/template/simple-template.server.ts";
import type { Origin } from "#app/kit/device.ts";

/** The purchase mail and the key it leaves by, as their one form shows them: the key is a mask, or empty. */
export async function showMail(sellerId: string, tx: Db = db) {
  const { senderName, senderEmail, subject, htmlContent, simple } = await findTemplate(sellerId, tx);
  const shown = {
    resend_api_key: await maskedResendKey(sellerId, tx),
    sender_name: senderName,
    sender_email: senderEmail,
    subject,
    editor: simple ? ("simple" as const) : ("html" as const),
    simple_title: (simple ?? DEFAULT_SIMPLE).title,
    simple_text: (simple ?? DEFAULT_SIMPLE).text,
    simple_button: (simple ?? DEFAULT_SIMPLE).button,
    html_content: htmlContent,
  };
  return { shown, version: versionOf(shown) };
}

/** Keeps both or neither. @throws Refusal conflict where one of them was saved since `version` */
export async function saveMail(
  sellerId: string,
  { key, template }: { key: NewResendKey | null; template: Template },
  from?: Origin,
  version?: string,
): Promise<void> {
  await inSellersTurn(sellerId, async (tx) => {
    refuseStale(version, (await showMail(sellerId, tx)).version);
    await keepResendKey(tx, sellerId, key, from);
    await keepTemplate(tx, sellerId, template, from);
  });
}
