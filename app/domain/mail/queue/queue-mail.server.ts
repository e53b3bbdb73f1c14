import { sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { type DrawnKind, type MailFacts, mails, type WrittenKind } from "#app/db/schema/mails.server.ts";
import { type Cte, Statement } from "#app/db/statement.server.ts";
import { freeze, storable, type WrittenMail } from "#app/domain/mail/queue/freeze-mail.server.ts";
import { sealMail } from "#app/domain/mail/queue/mail-body.server.ts";
import { MAIL_PRIORITY } from "#app/domain/mail/queue/priorities.ts";
import { requestId } from "#app/platform/request-id.server.ts";
import { MAILS } from "#app/queue/names.ts";

/** `idempotencyKey` is `<kind>/<id>`: the same event queues one mail. */
type Addressed = { idempotencyKey: string; recipient: string; sellerId?: string | undefined };

/** A mail about a sale, drawn from these facts where it is sent. */
type SaleMail = {
  [K in DrawnKind]: { kind: K; facts: MailFacts[K]; saleId: string; mail?: never };
}[DrawnKind];

/** A mail to be sent. */
export type NewMail = Addressed &
  (SaleMail | { kind: WrittenKind; mail: WrittenMail; saleId?: string | undefined; facts?: never });

/**
 * Writes the delivery row, which is the queue, too, in the caller's transaction. A mail about a sale is kept as facts,
 * another as it will be sent. A second call for the same event does nothing.
 * @returns the row's id, or null where the mail had been queued before
 */
export async function queueMail(tx: Db, mail: NewMail): Promise<string | null> {
  const [id] = await queueMails(tx, [mail]);
  return id ?? null;
}

/**
 * The same for mails of different events, in one statement.
 * @returns the ids of those that had not been queued before
 */
export async function queueMails(tx: Db, news: NewMail[]): Promise<string[]> {
  if (news.length === 0) return [];
  const statement = new Statement();
  const queued = addMails(statement, news);
  const rows = await tx.execute<{ id: string }>(statement.selectFrom(queued, sql`id`));
  return rows.map((row) => row.id);
}

/**
 * Adds mails to a statement.
 * @param onlyIf they are queued only where this has a row
 * @returns the ids of those that had not been queued before
 */
export function addMails(statement: Statement, news: NewMail[], onlyIf?: Cte): Cte<"id"> {
  const queued = statement.add<"id">(
    "mailed",
    sql`
      insert into ${mails} (kind, priority, idempotency_key, recipient, seller_id, sale_id, facts, subject, body_sealed, via, request_id)
      select * from jsonb_to_recordset(${JSON.stringify(news.map(toRow))}::text::jsonb) as m(kind text, priority smallint,
        idempotency_key text, recipient text, seller_id uuid, sale_id uuid, facts jsonb, subject text, body_sealed text, via text, request_id text)
      ${onlyIf ? sql`where exists (select from ${onlyIf})` : sql``}
      on conflict (idempotency_key) do nothing
      returning id`,
  );
  statement.notify("due", MAILS, queued);
  return queued;
}

function toRow({ kind, idempotencyKey, recipient, sellerId, saleId, facts, mail }: NewMail) {
  return {
    kind,
    priority: MAIL_PRIORITY[kind],
    idempotency_key: idempotencyKey,
    recipient,
    seller_id: sellerId ?? null,
    sale_id: saleId ?? null,
    ...(mail ? written(mail, recipient) : { facts: storableFacts(facts!), via: "platform" }),
    request_id: requestId() ?? null,
  };
}

function written(mail: WrittenMail, recipient: string) {
  const { via, payload } = freeze(mail, recipient);
  const { subject, bodySealed } = sealMail(payload);
  return { subject, body_sealed: bodySealed, via };
}

function storableFacts(facts: MailFacts[DrawnKind]): MailFacts[DrawnKind] {
  const entries = Object.entries(facts).map(([name, value]) => [
    name,
    typeof value === "string" ? storable(value) : value,
  ]);
  return Object.fromEntries(entries);
}
