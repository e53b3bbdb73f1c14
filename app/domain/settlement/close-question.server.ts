import { eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { chargeEvents, charges, paymentWebhooks } from "#app/db/schema/payments.server.ts";
import type { ChargeFact } from "#app/domain/sale/facts.ts";

/**
 * Ends a question: the gate counts from now, when the question has left for certain; the answer is written down, and the
 * news it answered are handled. One statement.
 * @param news ids of the inbox's rows
 * @param at when the answer came, by the database's clock: what was booked since then was learned from it
 */
export async function closeQuestion(
  chargeId: string,
  { kind, data }: Extract<ChargeFact, { kind: "asked" | "unanswered" }>,
  news: string[],
  at: Date,
): Promise<void> {
  const gate = db.update(charges).set({ lastCheckedAt: sql`now()` }).where(eq(charges.id, chargeId));
  const handled = db
    .update(paymentWebhooks)
    .set({ handledAt: sql`now()` })
    .where(sql`${paymentWebhooks.id} = any(${`{${news.join(",")}}`}::bigint[])`);
  await db.execute(sql`
    with gate as ${gate}, handled as ${handled}
    insert into ${chargeEvents} (charge_id, kind, data, cause, at)
    values (${chargeId}, ${kind}, ${JSON.stringify(data)}::jsonb, 'system', ${at.toISOString()})`);
}
