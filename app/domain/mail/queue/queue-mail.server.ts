import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import type { MailData, PrewrittenMailKind, RenderedMailKind } from "#app/db/schema/mail-data.ts";
import { mails, queuedMails } from "#app/db/schema/mails.server.ts";
import { type Cte, Statement } from "#app/db/statement.server.ts";
import { isClosedAddress } from "#app/domain/mail/queue/closed-address.ts";
import { freeze, toStorableText, type WrittenMail } from "#app/domain/mail/queue/freeze-mail.server.ts";
import { sealMail } from "#app/domain/mail/queue/mail-body.server.ts";
import { MAIL_PRIORITY } from "#app/domain/mail/queue/priorities.ts";
import { requestId } from "#app/platform/request-id.server.ts";
import { MAILS } from "#app/queue/names.ts";

/** `idempotencyKey` is `<kind>/<id>`: the same event queues one mail. */
type MailAddressing = { idempotencyKey: string; recipient: string; sellerId?: string | undefined };

/** A mail about a sale, rendered from this data when it is sent. */
type SaleMail = {
  [K in RenderedMailKind]: { kind: K; data: MailData[K]; saleId: string; mail?: never };
}[RenderedMailKind];

/** A mail to be sent. */
export type NewMail = MailAddressing &
  (SaleMail | { kind: PrewrittenMailKind; mail: WrittenMail; saleId?: string | undefined; data?: never });

/**
 * Inserts the mail's rows in the log and in the queue, in the caller's transaction. A mail about a sale is stored as data,
 * another as it will be sent. A second call for the same event does nothing.
 * @returns the row's id, or null where the mail had been queued before
 */
export async function queueMail(tx: Db, mail: NewMail): Promise<string | null> {
  const [id] = await queueMails(tx, [mail]);
  return id ?? null;
}

/**
 * Queues mails of different events in one statement.
 * @returns the ids of those that had not been queued before
 */
export async function queueMails(tx: Db, newMails: NewMail[]): Promise<string[]> {
  if (newMails.length === 0) return [];
  const statement = new Statement();
  const insertedMails = insertMails(statement, newMails);
  const rows = await tx.execute<{ id: string }>(statement.selectFrom(insertedMails, sql`id`));
  return rows.map((row) => row.id);
}

/**
 * Adds mails to a statement, without those to the address of an anonymized account.
 * @param onlyIf they are queued only if this has a row
 * @returns the ids of those that had not been queued before
 */
export function insertMails(statement: Statement, newMails: NewMail[], onlyIf?: Cte): Cte<"id"> {
  const sendable = newMails.filter(({ recipient }) => !isClosedAddress(recipient));
  const rows = statement.add(
    "new_mails",
    sql`select * from jsonb_to_recordset(${JSON.stringify(sendable.map(toRow))}::text::jsonb) as m(id uuid, kind text,
      priority smallint, idempotency_key text, recipient text, seller_id uuid, sale_id uuid, data jsonb, subject text,
      body_sealed text, via text, request_id text)`,
  );
  const insertedMails = statement.add<"id">(
    "mailed",
    sql`
      insert into ${mails} (id, kind, idempotency_key, recipient, seller_id, sale_id, subject, via)
      select id, kind, idempotency_key, recipient, seller_id, sale_id, subject, via from ${rows}
      ${onlyIf ? sql`where exists (select from ${onlyIf})` : sql``}
      on conflict do nothing
      returning id`,
  );
  statement.add(
    "queued",
    sql`insert into ${queuedMails} (id, seller_id, priority, data, body_sealed, via, request_id)
      select id, seller_id, priority, data, body_sealed, via, request_id from ${rows} where id in (select id from ${insertedMails})`,
  );
  statement.notify("due", MAILS, insertedMails);
  return insertedMails;
}

function toRow({ kind, idempotencyKey, recipient, sellerId, saleId, data, mail }: NewMail) {
  return {
    id: randomUUID(),
    kind,
    priority: MAIL_PRIORITY[kind],
    idempotency_key: idempotencyKey,
    recipient,
    seller_id: sellerId ?? null,
    sale_id: saleId ?? null,
    ...(mail ? toFrozenColumns(mail, recipient) : { data: toStorableData(data!), via: "platform" }),
    request_id: requestId() ?? null,
  };
}

function toFrozenColumns(mail: WrittenMail, recipient: string) {
  const { via, payload } = freeze(mail, recipient);
  const { subject, bodySealed } = sealMail(payload);
  return { subject, body_sealed: bodySealed, via };
}

function toStorableData(data: MailData[RenderedMailKind]): MailData[RenderedMailKind] {
  const entries = Object.entries(data).map(([name, value]) => [
    name,
    typeof value === "string" ? toStorableText(value) : value,
  ]);
  return Object.fromEntries(entries);
}
