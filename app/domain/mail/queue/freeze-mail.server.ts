import type { DrawnKind, FrozenMail, MailFacts, mails } from "#app/db/schema/mails.server.ts";
import { textPart } from "#app/domain/mail/message/text-part.ts";
import { openMail } from "#app/domain/mail/queue/mail-body.server.ts";
import { env } from "#app/platform/env.server.ts";

/** A mail as it is written. `html` is a whole document; the text part is made from it where none is given. */
export type WrittenMail = {
  subject: string;
  html: string;
  text?: string;
  from?: string;
  replyTo?: string;
  headers?: Record<string, string>;
  attachments?: FrozenMail["attachments"];
  /** Through whose account; the platform's where not said. */
  via?: "seller" | "platform";
};

/** A mail that was drawn, and whether the seller's template had to be left aside. */
export type DrawnMail = { mail: WrittenMail; templateFailed: boolean };

/** Draws the mail of a row from its facts. */
export type Draw = (row: {
  kind: DrawnKind;
  saleId: string;
  recipient: string;
  facts: MailFacts[DrawnKind];
}) => Promise<DrawnMail>;

type Mail = typeof mails.$inferSelect;

/** A mail that was drawn, and what its row keeps beside it. */
export type Frozen = { payload: FrozenMail; via: Mail["via"]; templateFailedAt: Date | null };

/**
 * The mail as it goes over the wire: as it was kept, or drawn now. Whoever sends it keeps it in its row before any
 * provider hears of it, so that each attempt carries the same payload under the same idempotency key.
 */
export async function freezeMail(mail: Mail, draw: Draw): Promise<Frozen> {
  const { via, templateFailedAt } = mail;
  const payload = openMail(mail);
  if (payload) return { payload, via, templateFailedAt };
  if (!mail.facts || !mail.saleId) throw new Error(`mail ${mail.id} has nothing to be drawn from`);
  const { saleId, recipient, facts } = mail;
  const drawn = await draw({ kind: mail.kind as DrawnKind, saleId, recipient, facts });
  return {
    ...freeze(drawn.mail, mail.recipient),
    templateFailedAt: drawn.templateFailed ? new Date() : null,
  };
}

/** A written mail as it goes over the wire. */
export function freeze(mail: WrittenMail, recipient: string) {
  const payload: FrozenMail = {
    from: storable(mail.from ?? env.MAIL_FROM),
    to: recipient,
    subject: oneLine(mail.subject),
    html: storable(mail.html),
    text: storable(mail.text ?? textPart(mail.html)),
    ...(mail.replyTo ? { replyTo: mail.replyTo } : {}),
    ...(mail.headers ? { headers: mail.headers } : {}),
    ...(mail.attachments ? { attachments: mail.attachments } : {}),
  };
  return { via: mail.via ?? ("platform" as const), payload };
}

/** A line break in a subject would be a new header; the cut may go through an emoji. */
function oneLine(text: string): string {
  return storable(text.replace(/\s+/g, " ").trim().slice(0, 200));
}

/** Postgres keeps no NUL in a text, and no half of a surrogate pair in jsonb; mail servers refuse both. */
export function storable(text: string): string {
  return text.replaceAll("\u0000", "").toWellFormed();
}
