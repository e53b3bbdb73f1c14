import { and, eq, isNull, sql } from "drizzle-orm";
import { batchDb, db } from "#app/db/client.server.ts";
import { notify } from "#app/db/notify.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { warningKey } from "#app/domain/erasure/anonymize-closed-accounts.server.ts";
import { closingMailTime, mailClosing } from "#app/domain/erasure/mail-closing.server.ts";
import { mailReopening, reopeningMailTime } from "#app/domain/erasure/mail-reopening.server.ts";
import { endAccess } from "#app/domain/identity/access/end-access.server.ts";
import { failMailsSql } from "#app/domain/mail/queue/fail-mails.server.ts";
import { queueSecurityMail } from "#app/domain/mail/queue/queue-security-mail.server.ts";
import { CLOSED_ACCOUNT_RETENTION } from "#app/domain/sale/closed-shop.ts";
import type { RequestOrigin } from "#app/kit/device.ts";
import { SECOND } from "#app/kit/duration.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { enqueue } from "#app/queue/job.server.ts";

/**
 * Closes an account: its shop is down from now on, in every process, and only this session and a new sign-in can open it. API
 * keys are disabled. Later payments are still booked, and what they paid for is delivered. Buyers are mailed an hour later,
 * unless the account was reopened. Idempotent.
 */
export async function closeAccount(
  signedIn: { id: string; sessionId: string },
  origin?: RequestOrigin,
): Promise<void> {
  await db.transaction(async (tx) => {
    const [closed] = await tx
      .update(sellers)
      .set({ closedAt: sql`now()` })
      .where(and(eq(sellers.id, signedIn.id), isNull(sellers.closedAt)))
      .returning({ closedAt: sellers.closedAt });
    if (!closed) return;
    const closedAt = closed.closedAt!;
    const { id, sessionId } = signedIn;
    await endAccess(tx, id, { sessionId, keys: true, password: true, identity: true });
    await notify(tx, "storefront", `seller:${signedIn.id}`);
    await queueSecurityMail(tx, signedIn.id, { change: "account-closed", origin });
    const ids = { sellerId: signedIn.id, closedAt: closedAt.getTime(), beforeTime: "", beforeId: "" };
    await enqueue(tx, mailClosing, ids, { when: closingMailTime(closedAt) });
  });
}

/**
 * Reopens an account before it is anonymized; buyers who were mailed of its end are mailed an hour later. Idempotent.
 * @throws Refusal conflict where it is too late
 */
export async function reopenAccount(sellerId: string, origin?: RequestOrigin): Promise<void> {
  await db.transaction(async (tx) => {
    const [seller] = await tx
      .select({ closedAt: sellers.closedAt })
      .from(sellers)
      .where(eq(sellers.id, sellerId))
      .for("no key update");
    if (!seller?.closedAt) return;
    // Not `now()`, which was before the lock was waited for.
    const isInTime = sql`${sellers.closedAt} > clock_timestamp() - make_interval(secs => ${CLOSED_ACCOUNT_RETENTION / SECOND})`;
    const reopened = await tx
      .update(sellers)
      .set({ closedAt: null })
      .where(and(eq(sellers.id, sellerId), isInTime))
      .returning({ id: sellers.id });
    if (reopened.length === 0)
      throw new Refusal("conflict", "Os 30 dias passaram: os dados desta conta já estão sendo apagados.");
    await notify(tx, "storefront", `seller:${sellerId}`);
    // A warning that still waits would say that the account is anonymized.
    const isWarning = sql`id = any(array(
      select id from mails where idempotency_key = ${warningKey(sellerId, seller.closedAt)} and seller_id = ${sellerId}))`;
    const error = "Não enviado: a conta foi reaberta.";
    await tx.execute(failMailsSql(isWarning, { failure: "dropped", error }));
    await queueSecurityMail(tx, sellerId, { change: "account-reopened", origin });
    const ids = { sellerId, closedAt: seller.closedAt.getTime(), beforeTime: "", beforeId: "" };
    await enqueue(tx, mailReopening, ids, { when: reopeningMailTime() });
  });
}

/** The maximum of each count of what waits in a shop. */
export const MAX_COUNTED = 1000;

/** What is pending in a shop that is to be closed: payable codes, and refund requests of buyers. */
export async function previewClosing(sellerId: string): Promise<{ payable: number; questions: number }> {
  const [row] = await batchDb.execute<{ payable: number; questions: number }>(sql`
    select (select count(*)::int from (
        select from sales s inner join charges c on c.seller_id = s.seller_id and c.sale_id = s.id
        where s.seller_id = ${sellerId} and s.status in ('pending', 'failed') and s.created_at > now() - interval '7 days'
          and c.status = 'open' and coalesce(c.expires_at, 'infinity') > now() limit ${MAX_COUNTED}) p) as payable,
      (select count(*)::int from (
        select from refund_requests r inner join sales s on s.id = r.sale_id
        where r.seller_id = ${sellerId} and r.answer is distinct from 'declined' and s.status = 'completed'
          and (s.customer_email is not null or r.kind = 'right' or r.answer is not null) limit ${MAX_COUNTED}) q) as questions`);
  return row!;
}
