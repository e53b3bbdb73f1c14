import { and, eq, isNull, notInArray, type SQL } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { mails, queuedMails } from "#app/db/schema/mails.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { queueClosingMailOfOther } from "#app/domain/mail/queue/queue-closing-mail-of-other.server.ts";

/** Where the purchase moves that the mail of a shop's closing is about, the old address is told of the newest that stays, also where that mail was given up. */
export async function queueClosingMailsAgain(
  tx: Tx,
  movedSaleIds: string[],
  isOfOldAddress: SQL | undefined,
): Promise<void> {
  const closingMails = await tx
    .select({ sellerId: mails.sellerId, recipient: mails.recipient, data: queuedMails.data })
    .from(queuedMails)
    .innerJoin(mails, eq(mails.id, queuedMails.id))
    .where(and(isOfOldAddress, eq(mails.kind, "shop-closed"), isNull(queuedMails.claimedAt)));
  for (const mail of closingMails)
    await queueClosingMailOfOther(tx, mail, notInArray(sales.id, movedSaleIds));
}
