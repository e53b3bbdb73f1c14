import { and, desc, eq, inArray, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { ofSaleId, ofSaleIds } from "#app/db/conditions.server.ts";
import { mails } from "#app/db/schema/mails.server.ts";
import { ACCESS_MAIL_KINDS } from "#app/domain/access/access-mail.server.ts";
import { BUYER_MAIL_NAMES, type MailState, toMailState } from "#app/domain/access/mail-state.ts";
import { BUYER_MAIL_KINDS, type BuyerMailKind } from "#app/domain/mail/queue/mail-readers.ts";
import { OBSOLETE_TEXTS } from "#app/domain/mail/queue/obsolete-mails.server.ts";

/** A mail to a buyer, sent or waiting. `name` is for the buyer; `at` is the time of its latest state. */
export type BuyerMail = { id: string; name: string; state: MailState; at: Date };

const MAX_MAILS = 20;

/** The newest access mail of each sale to `email`. */
export async function findAccessMails(saleIds: string[], email: string): Promise<Map<string, BuyerMail>> {
  if (saleIds.length === 0) return new Map();
  const rows = await db
    .selectDistinctOn([mails.saleId], columns)
    .from(mails)
    .where(and(ofSaleIds(mails, saleIds), eq(mails.recipient, email), inArray(mails.kind, ACCESS_MAIL_KINDS)))
    .orderBy(mails.saleId, desc(mails.createdAt));
  return new Map(rows.map((row) => [row.saleId!, toBuyerMail(row)]));
}

/** All mails of a sale to `email`, newest first, without those that were not sent because what they say was no longer true. */
export async function findSaleMails(saleId: string, email: string): Promise<BuyerMail[]> {
  const rows = await db
    .select(columns)
    .from(mails)
    .where(
      and(
        ofSaleId(mails, saleId),
        eq(mails.recipient, email),
        inArray(mails.kind, BUYER_MAIL_KINDS),
        isNotDroppedSql,
      ),
    )
    .orderBy(desc(mails.createdAt))
    .limit(MAX_MAILS);
  return rows.map(toBuyerMail);
}

const OBSOLETE_ERRORS = Object.values(OBSOLETE_TEXTS).map(({ unsent }) => unsent);

const isNotDroppedSql = sql`not (${mails.failure} is not distinct from 'dropped'
  and (${mails.kind} in ('pix', 'reminder') or coalesce(${inArray(mails.error, OBSOLETE_ERRORS)}, false)))`;

const columns = {
  id: mails.id,
  saleId: mails.saleId,
  kind: mails.kind,
  status: mails.status,
  createdAt: mails.createdAt,
  sentAt: mails.sentAt,
  deliveredAt: mails.deliveredAt,
  bouncedAt: mails.bouncedAt,
  // A sale may have several mails of these kinds, which these fields tell apart.
  subject: sql<
    string | null
  >`case when ${mails.kind} in ('refund-news', 'dispute-access') then ${mails.subject} end`,
  number: sql<
    string | null
  >`case when ${mails.kind} = 'reminder' then split_part(${mails.idempotencyKey}, '/', 3) end`,
};

type Row = Pick<typeof mails.$inferSelect, keyof typeof mails.$inferSelect & keyof typeof columns> & {
  subject: string | null;
  number: string | null;
};

function toBuyerMail(row: Row): BuyerMail {
  const { id, bouncedAt, deliveredAt, sentAt, createdAt } = row;
  const at = bouncedAt ?? deliveredAt ?? sentAt ?? createdAt;
  return { id, name: nameMail(row), state: toMailState(row), at };
}

function nameMail({ kind, subject, number }: Row): string {
  const name = BUYER_MAIL_NAMES[kind as BuyerMailKind];
  return (subject && `E-mail “${subject}”`) || (number ? `${number}º ${name.toLowerCase()}` : name);
}
