import { type SQL, sql } from "drizzle-orm";
import { chargeEvents } from "#app/db/schema/payments.server.ts";

/**
 * The newest answer of a provider about a payment, of checks made after it was booked, as a subquery with `state` and `at`; no
 * row where there was none. The check that booked it ended a moment before, by the database's clock, while `paid_at` is by
 * that of a process: no provider is asked twice about one payment within these seconds.
 * @param payment SQL of its columns
 */
export function lastAnswerSql(payment: Record<"sellerId" | "chargeId" | "paidAt", SQL>): SQL {
  return sql`(
    select e.data->>'state' as state, e.at from ${chargeEvents} e
    where e.seller_id = ${payment.sellerId} and e.charge_id = ${payment.chargeId} and e.kind = 'asked'
      and e.at > ${payment.paidAt} + interval '5 seconds'
    order by e.id desc limit 1)`;
}
