import { sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { type FrozenMail, mails } from "#app/db/schema/mails.server.ts";
import { SEND_MAIL } from "#app/domain/mail/send-mail-name.ts";
import { textPart } from "#app/domain/mail/text-part.ts";
import { awaitTurns, firstStatus } from "#app/domain/mail/unpaid-mails.server.ts";
import { env } from "#app/platform/env.server.ts";
import { enqueuing } from "#app/queue/job.server.ts";

/** A mail to be sent. `idempotencyKey` is `<kind>/<id>`: the same event queues one mail. */
export type NewMail = {
  kind: string;
  idempotencyKey: string;
  recipient: string;
  sellerId?: string | undefined;
  saleId?: string | undefined;
  /** Whole HTML document; the text part is made from it where none is given. */
  mail: {
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
};

/**
 * Writes the delivery row, frozen as it will be sent, and queues the sending, in the caller's transaction.
 * A second call for the same event does nothing. One statement.
 * @returns the row's id, or null where the mail had been queued before or is one too many for its address
 */
export async function queueMail(tx: Db, mail: NewMail): Promise<string | null> {
  const [id] = await queueMails(tx, [mail]);
  return id ?? null;
}

/**
 * The same for mails of different events, in one statement; mails about unpaid orders take one more each, see `awaitTurns`.
 * @returns the ids of those that will be sent: neither queued before nor one too many for their address
 */
export async function queueMails(tx: Db, news: NewMail[]): Promise<string[]> {
  if (news.length === 0) return [];
  await awaitTurns(tx, news);
  const written = tx
    .insert(mails)
    .values(news.map(freeze))
    .onConflictDoNothing({ target: mails.idempotencyKey })
    .returning({ id: mails.id, status: mails.status });
  const job = enqueuing(SEND_MAIL, sql`json_build_object('mailId', id)`, sql`id::text`);
  const rows = await tx.execute<{ id: string }>(
    sql`with written as ${written} select id, ${job} from written where status = 'attempting'`,
  );
  return rows.map((row) => row.id);
}

function freeze({ kind, idempotencyKey, recipient, sellerId, saleId, mail }: NewMail) {
  return {
    kind,
    idempotencyKey,
    recipient,
    sellerId: sellerId ?? null,
    saleId: saleId ?? null,
    via: mail.via ?? ("platform" as const),
    ...firstStatus({ kind, recipient }),
    payload: {
      from: (mail.from ?? env.MAIL_FROM).toWellFormed(),
      to: recipient,
      subject: oneLine(mail.subject),
      html: mail.html,
      text: mail.text ?? textPart(mail.html),
      ...(mail.replyTo ? { replyTo: mail.replyTo } : {}),
      ...(mail.headers ? { headers: mail.headers } : {}),
      ...(mail.attachments ? { attachments: mail.attachments } : {}),
    },
  };
}

/** A line break in a subject would be a new header; half an emoji is a text Postgres refuses, and with it a settlement. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim().slice(0, 200).toWellFormed();
}
