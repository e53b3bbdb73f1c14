import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import type { MailData } from "#app/db/schema/mail-data.ts";
import type { QueuedMail } from "#app/domain/mail/queue/freeze-mail.server.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";

/**
 * Queues the mail of a shop's closing about the newest other purchase to which its buyer has access, in the transaction that drops
 * the one about a purchase that was refunded. Nothing where there is none.
 */
export async function queueClosingMailOfOther(
  tx: Tx,
  { sellerId, saleId, recipient, data }: Pick<QueuedMail, "sellerId" | "saleId" | "recipient" | "data">,
): Promise<void> {
  const [other] = await tx.execute<{ id: string }>(sql`
    select o.id from sales s inner join sales o on o.seller_id = s.seller_id and o.customer_email = s.customer_email
    where s.seller_id = ${sellerId} and s.id = ${saleId} and s.customer_email = ${recipient}
      and (o.status = 'completed' or o.status = 'disputed' and o.access_suspended_at is null)
    order by o.completed_at desc, o.id desc limit 1`);
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
