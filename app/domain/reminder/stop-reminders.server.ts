import { and, eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { ownOfSale } from "#app/db/conditions.server.ts";
import { reminderOptOuts } from "#app/db/schema/mail-settings.server.ts";
import { mails } from "#app/db/schema/mails.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sellerNameSql, sellers } from "#app/db/schema/sellers.server.ts";
import { failMailsSql } from "#app/domain/mail/queue/fail-mails.server.ts";
import { lockReminders } from "#app/domain/reminder/may-remind.server.ts";
import {
  computeAddressHashes,
  isMailedTo,
  isStopLink,
} from "#app/domain/reminder/schedule/reminder-link.server.ts";
import { notFound } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";

/** A link in a reminder, as `stopRemindersUrl` writes it. `tag`: null in those of earlier versions. */
type StopLink = { saleId: string; signature: string; tag: string | null };

/**
 * The seller whose reminders a link stops, and to whom: to the address that it was mailed to, which its buyer may have corrected
 * since. `email` is null where the order has no such address: it was anonymized, or the link was cut, and none can be stopped.
 * @throws Refusal not-found where the link is not ours
 */
export async function readStopLink({
  saleId,
  signature,
  tag,
}: StopLink): Promise<{ sellerId: string; sellerName: string; email: string | null }> {
  const missing = notFound("Este link não é válido. Copie-o inteiro do e-mail.");
  if (!isUuid(saleId) || !isStopLink(saleId, signature)) throw missing;
  const [found] = await db
    .select({
      sellerId: sales.sellerId,
      sellerName: sellerNameSql,
      email: sales.customerEmail,
    })
    .from(sales)
    .innerJoin(sellers, eq(sellers.id, sales.sellerId))
    .where(eq(sales.id, saleId));
  if (!found) throw missing;
  if (tag === null) return found;
  const isMailed = (email: string | null) => email !== null && isMailedTo(saleId, tag, email);
  if (isMailed(found.email)) return found;
  const reminded = await db
    .selectDistinct({ email: mails.recipient })
    .from(mails)
    .where(and(ownOfSale(mails, found.sellerId, saleId), eq(mails.kind, "reminder")));
  return { ...found, email: reminded.find(({ email }) => isMailed(email))?.email ?? null };
}

/**
 * Opts a buyer out of this seller's reminders, also of those that wait or were given up. Idempotent.
 * @throws Refusal not-found
 */
export async function stopReminders(link: StopLink): Promise<{ sellerName: string; isStopped: boolean }> {
  const { sellerId, sellerName, email } = await readStopLink(link);
  if (!email) return { sellerName, isStopped: false };
  const isReminder = sql`id = any(array(
    select id from mails where recipient = ${email} and kind = 'reminder' and seller_id = ${sellerId}))`;
  const error = "Não enviado: quem comprou não quer mais lembretes.";
  await db.transaction(async (tx) => {
    await lockReminders(tx, email);
    await tx
      .insert(reminderOptOuts)
      .values({ sellerId, emailHash: computeAddressHashes(email)[0]! })
      .onConflictDoNothing();
    await tx.execute(failMailsSql(isReminder, { failure: "dropped", error }));
  });
  return { sellerName, isStopped: true };
}
