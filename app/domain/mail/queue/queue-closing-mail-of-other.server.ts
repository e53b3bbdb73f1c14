import { randomUUID } from "node:crypto";
import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import type { MailData } from "#app/db/schema/mail-data.ts";
import type { QueuedMail } from "#app/domain/mail/queue/freeze-mail.server.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";

/**
 * Queues the mail of a shop's closing, which is one per address, about the newest other purchase to which the address has
 * access, in the transaction that drops or moves the one it had. Nothing where there is none.
 * @param isOther a condition on sales
 */
export async function queueClosingMailOfOther(
  tx: Tx,
  { sellerId, recipient, data }: Pick<QueuedMail, "sellerId" | "recipient" | "data">,
  isOther: SQL,
): Promise<void> {
  const [other] = await tx.execute<{ id: string }>(sql`
    select id from sales where seller_id = ${sellerId} and customer_email = ${recipient}
      and (status = 'completed' or status = 'disputed' and access_suspended_at is null) and ${isOther}
    order by completed_at desc, id desc limit 1`);
  if (!other) return;
  await queueMail(tx, {
    kind: "shop-closed",
    idempotencyKey: `shop-closed/${randomUUID()}`,
    recipient,
    sellerId: sellerId!,
    saleId: other.id,
    data: data as MailData["shop-closed"],
  });
}
