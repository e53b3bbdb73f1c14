import { eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { paymentWebhooks } from "#app/db/schema/payment-webhooks.server.ts";
import { chargeEvents, charges, gatewayAccounts, refunds } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import type { TransactionState } from "#app/domain/gateway/providers/port.ts";
import type { ChargeFact } from "#app/domain/sale/facts.ts";

/** What a passed gate set as the next look, and when it is to be by the charge's age, once the question has ended. */
export type Reopening = { reopens: Date | null; next: Date | null };

/**
 * Ends a question: the gate counts from now, when the question has left for certain; the answer is written down, and the
 * news it answered are handled; the next look is set, unless somebody asked for another one meanwhile. One statement.
 * @param fact null where the answer is worth no line in the charge's history
 * @param account whose key it was asked with, and whether the provider refused all there are
 * @param news ids of the inbox's rows
 * @param answer its state, null where there was none, and when it came, by the database's clock: what was booked since then was
 * learned from it
 */
export async function closeQuestion(
  chargeId: string,
  fact: Extract<ChargeFact, { kind: "asked" | "unanswered" }> | null,
  account: { sellerId: string; provider: string; isKeyRefused: boolean | null },
  news: string[],
  { state, at }: { state: TransactionState | null; at: Date },
  { reopens, next }: Reopening,
): Promise<void> {
  const isAsSet = sql`${charges.nextCheckAt} = ${reopens?.toISOString() ?? null}::timestamptz`;
  // About a payment that is booked by now we ask only for as long as a refund is waited for.
  const nextCheckAt = sql`case when ${charges.status} in ('paid', 'mispaid') and not exists (
    select from ${refunds} r where r.charge_id = ${chargeId} and r.status = 'pending') then null
    else ${next?.toISOString() ?? null}::timestamptz end`;
  const gate = db
    .update(charges)
    .set({
      lastCheckedAt: sql`now()`,
      nextCheckAt: sql`case when ${isAsSet} then ${nextCheckAt} else ${charges.nextCheckAt} end`,
      askedBy: sql`case when ${isAsSet} then null else ${charges.askedBy} end`,
    })
    .where(eq(charges.id, chargeId))
    .returning({ saleId: charges.saleId, status: charges.status, surplusAt: charges.surplusAt });
  // Nothing is booked of a word that nobody can read; the seller is told. After the charge's lock, as everywhere.
  const isCancelled = state === "cancelled" || state === "expired";
  const cancelled = sql`update ${sales} s set
      cancelled_since = case when ${isCancelled}::boolean then now() end, cancelled_checked_at = null from gate g
    where ${isCancelled || state === "paid"}::boolean and s.id = g.sale_id and g.status = 'paid' and g.surplus_at is null
      and (s.cancelled_since is null) = ${isCancelled}::boolean`;
  const handled = db
    .update(paymentWebhooks)
    .set({ handledAt: sql`now()` })
    .where(sql`${paymentWebhooks.id} = any(${`{${news.join(",")}}`}::bigint[])`);
  const { sellerId, provider, isKeyRefused } = account;
  const key = sql`update ${gatewayAccounts} set key_refused_at = case when ${isKeyRefused}::boolean then now() end
    where seller_id = ${sellerId} and provider = ${provider} and (key_refused_at is null) = ${isKeyRefused}::boolean`;
  await db.execute(sql`
    with gate as ${gate}, handled as ${handled}, key as (${key}), cancelled as (${cancelled})
    insert into ${chargeEvents} (charge_id, seller_id, kind, data, cause, at)
    select ${chargeId}::uuid, ${sellerId}::uuid, ${fact?.kind ?? null}::text, ${JSON.stringify(fact?.data ?? {})}::jsonb, 'system',
      ${at.toISOString()}::timestamptz where ${fact !== null}`);
}
