import { and, eq, gt, inArray, ne } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { ownById, ownOfSale } from "#app/db/conditions.server.ts";
import { mails } from "#app/db/schema/mails.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { ACCESS_MAIL_KINDS, accessMail } from "#app/domain/access/access-mail.server.ts";
import { hasAccess } from "#app/domain/access/has-access.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { log } from "#app/platform/log.server.ts";
import { defineJob } from "#app/queue/job.server.ts";
import { MAIL_BY_PLATFORM } from "#app/queue/names.ts";

/**
 * Mails a purchase by the platform's account, where its seller's accepted the mail and then reported that it could not send it:
 * its quota is used up, its domain lost. Nothing where the buyer has got or is about to get another one, or their address was
 * corrected, which mails them, too.
 */
export const mailByPlatform = defineJob<{ mailId: string }>(
  MAIL_BY_PLATFORM.name,
  async ({ mailId }) => {
    const isQueued = await db.transaction(async (tx) => {
      const [failed] = await tx
        .select()
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
      const paidAt = sale.completedAt ?? sale.createdAt;
      const event = { eventId: mailId, paidAt, isByPlatform: true };
      return (await queueMail(tx, accessMail(sale, recipient, event))) !== null;
    });
    if (isQueued)
      log.info({ mailId }, "a purchase that its seller's account could not send is mailed by the platform");
  },
  MAIL_BY_PLATFORM,
);
