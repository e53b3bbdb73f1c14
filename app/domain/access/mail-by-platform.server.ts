import { and, count, eq, getTableColumns, gt, inArray, ne, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { ownById, ownOfSale } from "#app/db/conditions.server.ts";
import { mails } from "#app/db/schema/mails.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { ACCESS_MAIL_KINDS, accessMail } from "#app/domain/access/access-mail.server.ts";
import { hasAccess } from "#app/domain/access/has-access.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { isUnsentAfterAll } from "#app/domain/mail/sending/unsent-after-all.server.ts";
import { DAY, HOUR } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";
import { defineJob, enqueue } from "#app/queue/job.server.ts";
import { MAIL_BY_PLATFORM } from "#app/queue/names.ts";

/** How long after the first, second and third mail that the platform's own account could not send another one follows. */
const AGAIN_AFTER = [HOUR, 6 * HOUR, DAY];

/**
 * Mails a purchase by the platform's account, where an account accepted the mail and then reported that it could not send it:
 * its quota is used up, its domain lost. After the seller's at once; after the platform's own later, and a few times at most.
 * Nothing where the buyer has got or is about to get another one, or their address was
 * corrected, which mails them, too.
 */
export const mailByPlatform = defineJob<{ mailId: string }>(
  MAIL_BY_PLATFORM.name,
  async ({ mailId }) => {
    const via = await db.transaction(async (tx) => {
      const [failed] = await tx
        .select({ ...getTableColumns(mails), now: sql<Date>`now()`.mapWith(mails.createdAt) })
        .from(mails)
        .where(and(eq(mails.id, mailId), inArray(mails.kind, ACCESS_MAIL_KINDS), eq(mails.status, "failed")));
      if (!failed?.saleId || !failed.sellerId) return false;
      const { sellerId, saleId, recipient, createdAt } = failed;
      const [sale] = await tx
        .select()
        .from(sales)
        .where(ownById(sales, sellerId, saleId))
        .for("update");
      if (!sale || recipient === "" || sale.customerEmail !== recipient || !hasAccess(sale)) return false;
      const [later] = await tx
        .select({ id: mails.id })
        .from(mails)
        .where(
          and(
            ownOfSale(mails, sellerId, saleId),
            gt(mails.createdAt, createdAt),
            inArray(mails.kind, ACCESS_MAIL_KINDS),
            eq(mails.recipient, recipient),
            ne(mails.status, "failed"),
          ),
        )
        .limit(1);
      if (later) return false;
      const when = failed.via === "platform" ? await nextTimeByPlatform(tx, sellerId, failed) : new Date(0);
      if (!when) return false;
      if (when > failed.now) {
        await enqueue(tx, MAIL_BY_PLATFORM, { mailId }, { when });
        return false;
      }
      const paidAt = sale.completedAt ?? sale.createdAt;
      const event = { eventId: mailId, paidAt, isByPlatform: true };
      return (await queueMail(tx, accessMail(sale, recipient, event))) !== null && failed.via;
    });
    if (via === "seller")
      log.info({ mailId }, "a purchase that its seller's account could not send is mailed by the platform");
    if (via === "platform") log.info({ mailId }, "a purchase that could not be sent is mailed again");
  },
  MAIL_BY_PLATFORM,
);

/** When a purchase that the platform's own account could not send may be mailed again; null where that was done often enough. */
async function nextTimeByPlatform(
  tx: Tx,
  sellerId: string,
  { saleId, recipient, failedAt }: typeof mails.$inferSelect,
): Promise<Date | null> {
  const [failures] = await tx
    .select({ count: count() })
    .from(mails)
    .where(
      and(
        ownOfSale(mails, sellerId, saleId!),
        inArray(mails.kind, ACCESS_MAIL_KINDS),
        eq(mails.recipient, recipient),
        eq(mails.via, "platform"),
        isUnsentAfterAll,
      ),
    );
  const delay = AGAIN_AFTER[failures!.count - 1];
  return delay && failedAt ? new Date(failedAt.getTime() + delay) : null;
}
