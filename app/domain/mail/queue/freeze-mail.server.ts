import type { FrozenMail, MailData, RenderedMailKind } from "#app/db/schema/mail-data.ts";
import type { mails, queuedMails } from "#app/db/schema/mails.server.ts";
import { toTextPart } from "#app/domain/mail/message/to-text-part.ts";
import { isClosedAddress } from "#app/domain/mail/queue/closed-address.ts";
import { unsealMail } from "#app/domain/mail/queue/mail-body.server.ts";
import { truncate } from "#app/kit/clean-text.ts";
import { env } from "#app/platform/env.server.ts";

/** A written mail. `html` is a whole document; the text part is derived from it by default. */
export type WrittenMail = {
  subject: string;
  html: string;
  text?: string;
  from?: string;
  replyTo?: string;
  headers?: Record<string, string>;
  attachments?: FrozenMail["attachments"];
  /** The account that sends it; the platform's by default. */
  via?: "seller" | "platform";
};

/** A rendered mail, and whether the seller's template failed. */
export type RenderedSaleMail = { mail: WrittenMail; templateFailed: boolean };

/** Renders the mail of a row from its data. */
export type RenderSaleMail = (row: {
  kind: RenderedMailKind;
  saleId: string;
  recipient: string;
  data: MailData[RenderedMailKind];
}) => Promise<RenderedSaleMail>;

/** A mail that waits: its row in the queue, and what is needed of its row in the log, which was written at `loggedAt`. */
export type QueuedMail = typeof queuedMails.$inferSelect &
  Pick<typeof mails.$inferSelect, "kind" | "saleId" | "recipient" | "idempotencyKey" | "error"> & {
    loggedAt: Date;
  };

/** A rendered mail, and what its row stores beside it. */
export type FrozenColumns = { payload: FrozenMail; via: QueuedMail["via"]; templateFailedAt: Date | null };

/**
 * The mail as it is sent: the stored one, or rendered now. The caller stores it in its row before calling a provider, so
 * that each attempt has the same payload under the same idempotency key.
 */
export async function freezeMail(mail: QueuedMail, render: RenderSaleMail): Promise<FrozenColumns> {
  const { via, templateFailedAt } = mail;
  const payload = unsealMail(mail);
  if (payload) return { payload, via, templateFailedAt };
  if (!mail.data || !mail.saleId) throw new Error(`mail ${mail.id} has no data to render`);
  const { saleId, recipient, data } = mail;
  const rendered = await render({ kind: mail.kind as RenderedMailKind, saleId, recipient, data });
  return {
    ...freeze(rendered.mail, mail.recipient),
    templateFailedAt: rendered.templateFailed ? new Date() : null,
  };
}

/** Converts a written mail to what is sent. */
export function freeze(mail: WrittenMail, recipient: string) {
  const payload: FrozenMail = {
    from: toStorableText(mail.from ?? env.MAIL_FROM),
    to: recipient,
    subject: toSubjectLine(mail.subject),
    html: toStorableText(mail.html),
    text: toStorableText(mail.text ?? toTextPart(mail.html)),
    ...(mail.replyTo && !isClosedAddress(mail.replyTo) ? { replyTo: mail.replyTo } : {}),
    ...(mail.headers ? { headers: mail.headers } : {}),
    ...(mail.attachments ? { attachments: mail.attachments } : {}),
  };
  return { via: mail.via ?? ("platform" as const), payload };
}

/** A line break in a subject would start a new header. */
function toSubjectLine(text: string): string {
  return toStorableText(truncate(text.replace(/\s+/g, " ").trim(), 200));
}

/** Postgres stores no NUL in a text, and no half of a surrogate pair in jsonb; mail servers refuse both. */
export function toStorableText(text: string): string {
  return text.replaceAll("\u0000", "").toWellFormed();
}
