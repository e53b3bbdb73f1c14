import { and, eq, gt } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { mails } from "#app/db/schema/mails.server.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import type { SaleFacts } from "#app/domain/sale/facts.ts";
import { readSaleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";
import { cut } from "#app/kit/clean-text.ts";
import { HOUR } from "#app/kit/duration.ts";

/** A broken gateway fails every order: one notice an hour says it. */
const AT_MOST_EVERY = HOUR;

/**
 * Queues the seller's notice that an order could not be paid, where they want such notices.
 * Once a sale, and at most once an hour.
 */
export async function queueFailedPaymentMail(
  tx: Db,
  saleId: string,
  why: SaleFacts["failed"]["why"],
  detail: string,
): Promise<void> {
  const sale = await readSaleContacts(tx, saleId);
  if (!sale?.notifyFailedPayment) return;
  const [recent] = await tx
    .select({ id: mails.id })
    .from(mails)
    .where(
      and(
        eq(mails.sellerId, sale.sellerId),
        gt(mails.createdAt, new Date(Date.now() - AT_MOST_EVERY)),
        eq(mails.kind, "failed-payment"),
      ),
    )
    .limit(1);
  if (recent) return;
  await queueMail(tx, {
    kind: "failed-payment",
    idempotencyKey: `failed-payment/${saleId}`,
    recipient: sale.sellerEmail,
    sellerId: sale.sellerId,
    saleId,
    facts: { why, detail: cut(detail, 300) },
  });
}
