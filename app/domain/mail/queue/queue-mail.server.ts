import { sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { type DrawnKind, type MailFacts, mails, type WrittenKind } from "#app/db/schema/mails.server.ts";
import { freeze, storable, type WrittenMail } from "#app/domain/mail/queue/freeze-mail.server.ts";
import { awaitTurns, firstStatus } from "#app/domain/mail/queue/unpaid-mails.server.ts";
import { enqueuing } from "#app/queue/job.server.ts";
import { SEND_MAIL } from "#app/queue/names.ts";

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
 * Writes the delivery row and queues the sending, in the caller's transaction. A mail about a sale is kept as facts,
 * another as it will be sent. A second call for the same event does nothing.
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
    .values(news.map(toRow))
    .onConflictDoNothing({ target: mails.idempotencyKey })
    .returning({ id: mails.id, status: mails.status });
  const job = enqueuing(SEND_MAIL, sql`json_build_object('mailId', id)`, sql`id::text`);
  const rows = await tx.execute<{ id: string }>(
    sql`with written as ${written} select id, ${job} from written where status = 'attempting'`,
  );
  return rows.map((row) => row.id);
}

function toRow({ kind, idempotencyKey, recipient, sellerId, saleId, facts, mail }: NewMail) {
  return {
    kind,
    idempotencyKey,
    recipient,
    sellerId: sellerId ?? null,
    saleId: saleId ?? null,
    facts: facts ? storableFacts(facts) : null,
    ...(mail ? freeze(mail, recipient) : { payload: null }),
    ...firstStatus({ kind, recipient }),
  };
}

function storableFacts(facts: MailFacts[DrawnKind]): MailFacts[DrawnKind] {
  const entries = Object.entries(facts).map(([name, value]) => [
    name,
    typeof value === "string" ? storable(value) : value,
  ]);
  return Object.fromEntries(entries);
}
