import { randomUUID } from "node:crypto";
import { and, desc, eq, isNotNull, isNull, notInArray, type SQL } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import type { MailData } from "#app/db/schema/mail-data.ts";
import { mails, queuedMails } from "#app/db/schema/mails.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { hasAccessCondition } from "#app/domain/sale/has-access-condition.server.ts";

/**
 * The mail of a shop's closing is one per address, about its newest purchase. Where that one moves, the old address is told of
 * the newest that stays.
 */
export async function queueClosingMailsAgain(
  tx: Tx,
  movedSaleIds: string[],
  isOfOldAddress: SQL | undefined,
  oldEmail: string,
): Promise<void> {
  const closingMails = await tx
    .select({ sellerId: mails.sellerId, data: queuedMails.data })
    .from(queuedMails)
    .innerJoin(mails, eq(mails.id, queuedMails.id))
    .where(
      and(
        ...[isOfOldAddress, eq(mails.kind, "shop-closed")],
        ...[isNotNull(queuedMails.scheduledAt), isNull(queuedMails.claimedAt)],
      ),
    );
  for (const { sellerId, data } of closingMails) {
    const [otherSale] = await tx
      .select({ id: sales.id })
      .from(sales)
      .where(
        and(
          ...[eq(sales.sellerId, sellerId!), eq(sales.customerEmail, oldEmail), hasAccessCondition],
          notInArray(sales.id, movedSaleIds),
        ),
      )
      .orderBy(desc(sales.completedAt), desc(sales.id))
      .limit(1);
    if (!otherSale) continue;
    const idempotencyKey = `shop-closed/${randomUUID()}`;
    const addressed = { idempotencyKey, recipient: oldEmail, sellerId: sellerId!, saleId: otherSale.id };
    await queueMail(tx, { kind: "shop-closed", ...addressed, data: data as MailData["shop-closed"] });
  }
}
