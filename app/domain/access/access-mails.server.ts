import { and, desc, eq, inArray } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { mails } from "#app/db/schema/mails.server.ts";
import { BUYER_MAILS, type BuyerMailKind, type MailState, mailState } from "#app/domain/access/mail-state.ts";

/** A mail that went to a buyer, or will. `at`: the newest that is known of it. */
export type BuyerMail = { id: string; kind: BuyerMailKind; state: MailState; at: Date };

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

/** All mails of a sale to `email`, newest first. */
export async function saleMails(saleId: string, email: string): Promise<BuyerMail[]> {
  const kinds = Object.keys(BUYER_MAILS) as BuyerMailKind[];
  const rows = await db
    .select(columns)
    .from(mails)
    .where(and(eq(mails.saleId, saleId), eq(mails.recipient, email), inArray(mails.kind, kinds)))
    .orderBy(desc(mails.createdAt))
    .limit(MOST);
  return rows.map(shown);
}

const columns = {
  id: mails.id,
  saleId: mails.saleId,
  kind: mails.kind,
  status: mails.status,
  createdAt: mails.createdAt,
  sentAt: mails.sentAt,
  deliveredAt: mails.deliveredAt,
  bouncedAt: mails.bouncedAt,
};

type Row = Pick<typeof mails.$inferSelect, keyof typeof columns>;

function shown(row: Row): BuyerMail {
  const { id, kind, bouncedAt, deliveredAt, sentAt, createdAt } = row;
  const at = bouncedAt ?? deliveredAt ?? sentAt ?? createdAt;
  return { id, kind: kind as BuyerMailKind, state: mailState(row), at };
}
