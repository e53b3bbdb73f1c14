import { randomUUID } from "node:crypto";
import { bareAddress, formatAddress } from "#app/domain/mail/message/mail-address.ts";
import { SendError } from "#app/domain/mail/message/mail-carrier.ts";
import { explainResendError } from "#app/domain/mail/resend/explain-resend-error.ts";
import { findResendKey } from "#app/domain/mail/resend/find-resend-key.server.ts";
import { platformCarrier } from "#app/domain/mail/sending/senders/platform.server.ts";
import { resendCarrier } from "#app/domain/mail/sending/senders/resend.server.ts";
import type { Template } from "#app/domain/mail/template/default-template.server.ts";
import { findBrand } from "#app/domain/mail/template/find-brand.server.ts";
import { findTemplate } from "#app/domain/mail/template/find-template.server.ts";
import { previewTemplate } from "#app/domain/mail/template/preview-template.server.ts";
import { cleanMail } from "#app/kit/buyer-fields.ts";
import { truncate } from "#app/kit/clean-text.ts";
import { isMailAddress } from "#app/kit/mail-address.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { env } from "#app/platform/env.server.ts";

/** The result of a test: a message in Portuguese, and the account that sent it. */
export type TestMailResult = { success: boolean; message: string; via: "seller" | "platform" };

/**
 * Sends the purchase mail with example data, now and once: by the seller's own account where they have key and address (so
 * that errors in them show), else by the platform's.
 * @param typed the address it goes to
 * @param unsavedTemplate a mail that is not saved yet, in place of the saved one
 * @throws Refusal invalid where the address is none
 */
export async function sendTestMail(
  seller: { id: string; email: string },
  typed: string,
  unsavedTemplate?: Template,
): Promise<TestMailResult> {
  const to = cleanMail(typed);
  if (to === "") throw new Refusal("invalid", "Digite um email para teste", "test_email");
  if (!isMailAddress(to)) throw new Refusal("invalid", "E-mail inválido", "test_email");
  const [savedTemplate, apiKey, brand] = await Promise.all([
    findTemplate(seller.id),
    findResendKey(seller.id),
    findBrand(seller.id),
  ]);
  const template = unsavedTemplate ?? savedTemplate;
  const { senderName, subject, html, text } = previewTemplate(template, brand);
  const ownKey = apiKey && template.senderEmail ? apiKey : null;
  const id = randomUUID();
  const outgoing = {
    id,
    idempotencyKey: `test/${id}`,
    mail: {
      from: formatAddress(senderName, ownKey ? template.senderEmail : bareAddress(env.MAIL_FROM)),
      to,
      subject: truncate(`[Teste] ${subject}`, 200).toWellFormed(),
      html,
      text,
      replyTo: template.senderEmail || seller.email,
    },
  };
  const via = ownKey ? "seller" : "platform";
  try {
    await (ownKey ? resendCarrier(ownKey) : platformCarrier).send(outgoing);
    return { success: true, message: "Email de teste enviado com sucesso!", via };
  } catch (error) {
    if (!(error instanceof SendError)) throw error;
    return { success: false, message: explainResendError(error.message), via };
  }
}
