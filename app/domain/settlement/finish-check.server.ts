import { sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { ownById } from "#app/db/conditions.server.ts";
import { paymentWebhooks } from "#app/db/schema/charge-checks.server.ts";
import {
  chargeEvents,
  charges,
  gatewayAccounts,
  gatewayKeys,
  refunds,
} from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { Statement } from "#app/db/statement.server.ts";
import { lastAnswerSql, lastRefusedKeySql } from "#app/domain/charge/charge-check.server.ts";
import type { TransactionState } from "#app/domain/gateway/providers/port.ts";
import type { ChargeEvent } from "#app/domain/sale/events.ts";

/** The next check as set when the gate was passed, and as it is to be once the check has ended. */
export type CheckReservation = { provisionalCheckAt: Date | null; followUpAt: Date | null };

/**
 * Ends a check in one statement: the gate counts from now, when the call was sent for certain; the answer is written to the
 * history and its webhooks are marked handled; the next check is set, unless another one was scheduled meanwhile.
 * @param event null where the check leaves none; `unlessRepeated`: none where the last one since the booking says the same
 * @param account whose keys were used, as they are sealed, and whether the provider refused all of them: that says nothing
 * of a key that replaced them meanwhile
 * @param webhookIds ids of `payment_webhooks`
 * @param answer its state, null where there was none, and its time by the database's clock: whatever was booked later was
 * learned from it
 */
export async function finishCheck(
  chargeId: string,
  event: (Extract<ChargeEvent, { kind: "asked" | "unanswered" }> & { unlessRepeated?: boolean }) | null,
  account: { sellerId: string; provider: string; usedKeys: string[]; isKeyRefused: boolean | null },
  webhookIds: string[],
  { state, at }: { state: TransactionState | null; at: Date },
  { provisionalCheckAt, followUpAt }: CheckReservation,
): Promise<void> {
  const isUnchanged = sql`${charges.nextCheckAt} = ${provisionalCheckAt?.toISOString() ?? null}::timestamptz`;
  // A payment that is booked by now is checked only while a refund is pending.
  const nextCheckAt = sql`case when ${charges.status} in ('paid', 'mispaid') and not exists (
    select from ${refunds} r where r.seller_id = ${account.sellerId} and r.charge_id = ${chargeId} and r.status = 'pending') then null
    else ${followUpAt?.toISOString() ?? null}::timestamptz end`;
  const statement = new Statement();
  const gate = statement.add(
    "gate",
    db
      .update(charges)
      .set({
        lastCheckedAt: sql`now()`,
        nextCheckAt: sql`case when ${isUnchanged} then ${nextCheckAt} else ${charges.nextCheckAt} end`,
        requestedBy: sql`case when ${isUnchanged} then null else ${charges.requestedBy} end`,
      })
      .where(ownById(charges, account.sellerId, chargeId))
      .returning({
        ...{ sellerId: charges.sellerId, saleId: charges.saleId, status: charges.status },
        ...{ overpaidAt: charges.overpaidAt, paidAt: charges.paidAt },
      }),
  );
  // A cancellation after the payment is not booked; the seller is notified. After the charge's lock, the usual order.
  const isCancelled = state === "cancelled" || state === "expired";
  statement.add(
    "cancelled",
    sql`update ${sales} s set
      cancelled_since = case when ${isCancelled}::boolean then now() end, cancelled_checked_at = null from ${gate} g
    where ${isCancelled || state === "paid"}::boolean and s.seller_id = g.seller_id and s.id = g.sale_id and g.status = 'paid' and g.overpaid_at is null
      and (s.cancelled_since is null) = ${isCancelled}::boolean`,
  );
  statement.add(
    "handled",
    db
      .update(paymentWebhooks)
      .set({ handledAt: sql`now()` })
      .where(
        sql`${paymentWebhooks.sellerId} = ${account.sellerId} and ${paymentWebhooks.id} = any(${`{${webhookIds.join(",")}}`}::bigint[])`,
      ),
  );
  const { sellerId, provider, usedKeys, isKeyRefused } = account;
  statement.add(
    "key",
    sql`update ${gatewayAccounts} set key_refused_at = case when ${isKeyRefused}::boolean then now() end
    where seller_id = ${sellerId} and provider = ${provider} and (key_refused_at is null) = ${isKeyRefused}::boolean
      and (select k.api_key_sealed from ${gatewayKeys} k where k.id = key_id)
        in (select jsonb_array_elements_text(${JSON.stringify(usedKeys)}::text::jsonb))`,
  );
  const payment = {
    sellerId: sql`${sellerId}::uuid`,
    chargeId: sql`${chargeId}::uuid`,
    paidAt: sql`(select paid_at from ${gate})`,
  };
  const isRepeated =
    event?.kind === "unanswered"
      ? sql`${lastRefusedKeySql(payment)}`
      : sql`(select state from ${lastAnswerSql(payment)} a) is not distinct from ${state ?? "unknown"}::text`;
  const isNewAnswer = sql`(not ${event?.unlessRepeated ?? false}::boolean or not ${isRepeated})`;
  statement.add(
    "logged",
    sql`insert into ${chargeEvents} (charge_id, seller_id, kind, data, cause, at)
    select ${chargeId}::uuid, ${sellerId}::uuid, ${event?.kind ?? null}::text, ${JSON.stringify(event?.data ?? {})}::jsonb, 'system',
      ${at.toISOString()}::timestamptz where ${event !== null}::boolean and ${isNewAnswer}`,
  );
  await db.execute(statement.select());
}
