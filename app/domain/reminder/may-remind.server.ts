import { and, eq, inArray, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { emailSince } from "#app/db/conditions.server.ts";
import { erasures } from "#app/db/schema/buyers.server.ts";
import { reminderOptOuts } from "#app/db/schema/mail-settings.server.ts";
import { mails } from "#app/db/schema/mails.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import {
  isBoughtElsewhere,
  isCardPendingElsewhere,
  isOffSale,
  isParentOver,
  OVER_LIMIT_TEXT,
} from "#app/domain/mail/queue/unpaid-order-mails.server.ts";
import { computeAddressHashes } from "#app/domain/reminder/schedule/reminder-link.server.ts";

/**
 * Whether the buyer of an order may still be reminded of it: the first PIX mail was not one too many for its address, the order is
 * unpaid, still for sale and not bought in another order, and the buyer neither opted out, nor complained about a mail of
 * this seller, nor asked for erasure since. An upsell is sold no longer where the purchase before it was returned or is disputed, or
 * its money was asked back. `later`: a card of another order of the same is being confirmed.
 */
export async function mayRemind(saleId: string): Promise<"yes" | "later" | "no"> {
  const [sale] = await db
    .select({
      sellerId: sales.sellerId,
      email: sales.customerEmail,
    })
    .from(sales)
    .where(and(eq(sales.id, saleId), eq(sales.status, "pending")));
  if (!sale?.email) return "no";
  const hashes = sql.join(
    computeAddressHashes(sale.email).map((hash) => sql`${hash}`),
    sql`, `,
  );
  const [found] = await db.execute<{ is_over: boolean; must_wait: boolean }>(sql`select (
    exists (select from ${reminderOptOuts}
      where seller_id = ${sale.sellerId} and email_hash in (${hashes}))
    or exists (select from ${mails}
      where seller_id = ${sale.sellerId} and sale_id in (select id from ${sales} where customer_email = ${sale.email} and seller_id = ${sale.sellerId})
        and recipient = ${sale.email} and complained_at is not null)
    or exists (select from ${erasures} where email = ${sale.email} and requested_at >= ${emailSince})
    or exists (select from ${mails} where idempotency_key = ${`pix/${saleId}`} and status = 'failed' and error = ${OVER_LIMIT_TEXT})
    or ${isBoughtElsewhere} or ${isParentOver} or ${isOffSale}) as is_over, ${isCardPendingElsewhere} as must_wait
    from ${sales} s where s.seller_id = ${sale.sellerId} and s.id = ${saleId}`);
  if (!found || found.is_over) return "no";
  return found.must_wait ? "later" : "yes";
}

/**
 * Whether a buyer has opted out by now, for a transaction that queues a reminder: a stop of the same moment waits for its end,
 * and then finds the mail.
 */
export async function hasStoppedReminders(tx: Tx, sellerId: string, email: string): Promise<boolean> {
  await lockReminders(tx, email);
  const [optOut] = await tx
    .select({ at: reminderOptOuts.at })
    .from(reminderOptOuts)
    .where(
      and(
        eq(reminderOptOuts.sellerId, sellerId),
        inArray(reminderOptOuts.emailHash, computeAddressHashes(email)),
      ),
    );
  return optOut !== undefined;
}

/** Before a transaction queues a reminder to an address, or stops those to it. */
export async function lockReminders(tx: Tx, email: string): Promise<void> {
  const key = `reminders/${computeAddressHashes(email)[0]}`;
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`);
}
