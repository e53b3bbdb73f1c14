import { and, desc, eq, inArray, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { mails } from "#app/db/schema/mails.server.ts";
import { BUYER_MAILS, type BuyerMailKind, type MailState, mailState } from "#app/domain/access/mail-state.ts";

/** A mail that went to a buyer, or will; `name` as they would call it. `at`: the newest that is known of it. */
export type BuyerMail = { id: string; name: string; state: MailState; at: Date };

/** Those that bring what was bought. */
const BRINGS_ACCESS = ["purchase", "upsell", "access"] as const;

const MOST = 20;

/** Of each sale the newest mail to `email` that brought what was bought. */
export async function accessMails(saleIds: string[], email: string): Promise<Map<string, BuyerMail>> {
  if (saleIds.length === 0) return new Map();
  const rows = await db
    .selectDistinctOn([mails.saleId], columns)
    .from(mails)
    .where(
      and(inArray(mails.saleId, saleIds), eq(mails.recipient, email), inArray(mails.kind, BRINGS_ACCESS)),
    )
    .orderBy(mails.saleId, desc(mails.createdAt));
  return new Map(rows.map((row) => [row.saleId!, shown(row)]));
}

/** All mails of a sale to `email`, newest first; a PIX mail held back because the payment came first is not among them. */
export async function saleMails(saleId: string, email: string): Promise<BuyerMail[]> {
  const kinds = Object.keys(BUYER_MAILS) as BuyerMailKind[];
  const rows = await db
    .select(columns)
    .from(mails)
    .where(
      and(eq(mails.saleId, saleId), eq(mails.recipient, email), inArray(mails.kind, kinds), isNotHeldBack),
    )
    .orderBy(desc(mails.createdAt))
    .limit(MOST);
  return rows.map(shown);
}

const isNotHeldBack = sql`not (${mails.kind} in ('pix', 'reminder') and ${mails.failure} is not distinct from 'dropped')`;

const columns = {
  id: mails.id,
  saleId: mails.saleId,
  kind: mails.kind,
  status: mails.status,
  createdAt: mails.createdAt,
  sentAt: mails.sentAt,
  deliveredAt: mails.deliveredAt,
  bouncedAt: mails.bouncedAt,
  // Several mails of these kinds may belong to one sale; what they say of themselves tells them apart.
  subject: sql<
    string | null
  >`case when ${mails.kind} = 'refund-news' then coalesce(${mails.subject}, ${mails.payload} ->> 'subject') end`,
  number: sql<string | null>`case when ${mails.kind} = 'reminder' then ${mails.facts} ->> 'number' end`,
};

type Row = Pick<typeof mails.$inferSelect, keyof typeof mails.$inferSelect & keyof typeof columns> & {
  subject: string | null;
  number: string | null;
};

function shown(row: Row): BuyerMail {
  const { id, bouncedAt, deliveredAt, sentAt, createdAt } = row;
  const at = bouncedAt ?? deliveredAt ?? sentAt ?? createdAt;
  return { id, name: nameOf(row), state: mailState(row), at };
}

function nameOf({ kind, subject, number }: Row): string {
  const name = BUYER_MAILS[kind as BuyerMailKind];
  return (subject && `E-mail “${subject}”`) || (number ? `${number}º ${name.toLowerCase()}` : name);
}
