import { and, eq, inArray, isNotNull, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { mails } from "#app/db/schema/mails.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { queueMails } from "#app/domain/mail/queue/queue-mail.server.ts";
import { hasAccessCondition } from "#app/domain/sale/has-access-condition.server.ts";
import { HOUR } from "#app/kit/duration.ts";
import { signaturesOf } from "#app/platform/secrets.server.ts";
import { defineJob, enqueue } from "#app/queue/job.server.ts";

/** Sales read at once. */
const BATCH = 200;

/** Who closes or reopens by mistake undoes it soon: nobody is mailed then. */
export const CLOSING_MAIL_DELAY = HOUR;

/** The closing as milliseconds since 1970, and the cursor of the last row read, both empty at the start. */
export type Closing = { sellerId: string; closedAt: number; beforeTime: string; beforeId: string };

/**
 * Mails each buyer with access to a purchase from a shop that was closed until when the access lasts, once per closing: about
 * the newest purchase, in batches, newest first. Does nothing where the account was reopened; mails that wait then are dropped
 * when they are claimed (`obsolete-mails.server.ts`).
 */
export const mailClosing = defineJob<Closing>("mail-closing", async (closing) => {
  const { sellerId, closedAt, beforeTime, beforeId } = closing;
  await db.transaction(async (tx) => {
    const [seller] = await tx
      .select({ closedAt: sellers.closedAt })
      .from(sellers)
      .where(eq(sellers.id, sellerId));
    if (seller?.closedAt?.getTime() !== closedAt) return;
    const rows = await tx
      .select({
        id: sales.id,
        email: sales.customerEmail,
        hasAccess: hasAccessCondition,
        at: sql<string>`${sales.completedAt}::text`,
      })
      .from(sales)
      .where(
        and(
          eq(sales.sellerId, sellerId),
          isNotNull(sales.completedAt),
          beforeTime === ""
            ? undefined
            : sql`(${sales.completedAt}, ${sales.id}) < (${beforeTime}::timestamptz, ${beforeId}::uuid)`,
        ),
      )
      .orderBy(sql`${sales.completedAt} desc, ${sales.id} desc`)
      .limit(BATCH);
    const buyers = rows.flatMap(({ id, email, hasAccess }) => (email && hasAccess ? [{ id, email }] : []));
    await queueClosingMails(tx, "shop-closed", closing, buyers);
    const last = rows.at(-1);
    if (last && rows.length === BATCH)
      await enqueue(tx, mailClosing, { ...closing, beforeTime: last.at, beforeId: last.id });
  });
});

/** Queues a mail to each of these buyers, about the sale `id`; who had one of this kind about this closing gets no other. */
export async function queueClosingMails(
  tx: Tx,
  kind: "shop-closed" | "shop-reopened",
  { sellerId, closedAt }: Closing,
  buyers: { id: string; email: string }[],
): Promise<void> {
  const keysOf = (email: string) =>
    signaturesOf(`${kind}:${email}`).map((mark) => `${kind}/${sellerId}/${closedAt}/${mark}`);
  const addressed = buyers.map((buyer) => ({ ...buyer, keys: keysOf(buyer.email) }));
  const mailed = await findOlderKeys(
    tx,
    addressed.flatMap(({ keys }) => keys.slice(1)),
  );
  const data = { closedAt: new Date(closedAt).toISOString() };
  await queueMails(
    tx,
    addressed
      .filter(({ keys }) => !keys.some((key) => mailed.has(key)))
      .map(({ id, email, keys }) => ({
        ...{ kind, data, sellerId, saleId: id },
        ...{ idempotencyKey: keys[0]!, recipient: email },
      })),
  );
}

/** Which of these keys mails have: made by an earlier batch with the other secret, while the secret is changed. */
async function findOlderKeys(tx: Tx, keys: string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const rows = await tx
    .select({ key: mails.idempotencyKey })
    .from(mails)
    .where(inArray(mails.idempotencyKey, keys));
  return new Set(rows.map(({ key }) => key));
}

/** When the mails of a closing are queued. */
export function closingMailTime(closedAt: Date): Date {
  return new Date(closedAt.getTime() + CLOSING_MAIL_DELAY);
}
