import { eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { chargeEvents, charges, paymentWebhooks, refunds } from "#app/db/schema/payments.server.ts";
import type { ChargeFact } from "#app/domain/sale/facts.ts";

/** What a passed gate set as the next look, and when it is to be by the charge's age, once the question has ended. */
export type Reopening = { reopens: Date | null; next: Date | null };

/**
 * Ends a question: the gate counts from now, when the question has left for certain; the answer is written down, and the
 * news it answered are handled; the next look is set, unless somebody asked for another one meanwhile. One statement.
 * @param news ids of the inbox's rows
 * @param at when the answer came, by the database's clock: what was booked since then was learned from it
 */
export async function closeQuestion(
  chargeId: string,
  { kind, data }: Extract<ChargeFact, { kind: "asked" | "unanswered" }>,
  news: string[],
  at: Date,
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
    .where(eq(charges.id, chargeId));
  const handled = db
    .update(paymentWebhooks)
    .set({ handledAt: sql`now()` })
    .where(sql`${paymentWebhooks.id} = any(${`{${news.join(",")}}`}::bigint[])`);
  await db.execute(sql`
    with gate as ${gate}, handled as ${handled}
    insert into ${chargeEvents} (charge_id, kind, data, cause, at)
    values (${chargeId}, ${kind}, ${JSON.stringify(data)}::jsonb, 'system', ${at.toISOString()})`);
}
