import { type SQL, sql } from "drizzle-orm";
import { batch } from "#app/db/batcher.server.ts";
import { db } from "#app/db/client.server.ts";
import { keyedMutex } from "#app/db/keyed-mutex.server.ts";
import { notifyExpression } from "#app/db/notify.server.ts";
import { CHECK_NOW } from "#app/domain/charge/check-times.server.ts";
import type { ProviderWebhook } from "#app/domain/gateway/providers/port.ts";
import { truncate } from "#app/kit/clean-text.ts";
import { log } from "#app/platform/log.server.ts";
import { requestId } from "#app/platform/request-id.server.ts";
import { trackWork } from "#app/platform/shutdown.server.ts";
import { CHECKS } from "#app/queue/names.ts";

/** Webhooks in one statement. */
const BATCH_SIZE = 50;

/** A webhook to be stored. */
type InboxRow = {
  provider: string;
  charge_id: string | null;
  seller_id: string;
  /** The payment is booked already: there is nothing to check. */
  is_settled: boolean;
  dedupe_key: string;
  provider_id: string;
  state: string;
  provider_status: string;
  /** The sale whose open pages are notified; null where the charge needs no check. */
  check_sale_id: string | null;
  /** The request that brought it. */
  requested_by: string | null;
};

/** The charge that a webhook is about. */
export type WebhookCharge = {
  id: string;
  saleId: string;
  providerId: string | null;
  status: string;
  isDisputed: boolean;
};

/**
 * Stores a webhook and schedules the check of its charge where that may have changed, also by a repeated one. A worker claims
 * the charge (`claimChecks`) and asks the provider (`checkCharge`).
 */
export async function storeWebhook(
  provider: string,
  sellerId: string,
  reported: ProviderWebhook,
  charge: WebhookCharge | null,
): Promise<"taken" | "known" | "no-charge"> {
  const { providerId, providerStatus, endToEndId, state } = reported;
  const dedupeKey = [provider, sellerId, providerId, providerStatus, endToEndId ?? ""]
    .join("|")
    .slice(0, 400)
    .toWellFormed();
  // A repeated `paid` is checked again until it is settled: the first may have come too early. A settled charge is only
  // checked for another state (it may be refunded), and a disputed one also for `paid`: the dispute was won.
  const isKnownPaid = charge?.status === "paid" && !charge.isDisputed && state === "paid";
  const row = {
    provider,
    charge_id: charge?.id ?? null,
    seller_id: sellerId,
    is_settled: isKnownPaid,
    dedupe_key: dedupeKey,
    provider_id: providerId,
    state,
    provider_status: truncate(providerStatus, 40),
    requested_by: requestId() ?? null,
  };
  const chargeToCheck = charge && state !== "open" && !isKnownPaid ? charge : null;
  const outcome = await insertWebhook({ ...row, check_sale_id: chargeToCheck?.saleId ?? null });
  if (chargeToCheck && outcome === "new") scheduleCheck(chargeToCheck);
  if (chargeToCheck && outcome === "known") await reopenWebhook(row, chargeToCheck);
  const isNew = outcome !== "known";
  log.info(
    { provider, providerId, word: providerStatus, chargeId: charge?.id ?? null, again: !isNew },
    charge ? "webhook received" : "webhook for an unknown charge",
  );
  if (!charge) return "no-charge";
  return isNew ? "taken" : "known";
}

/** What became of a row. `scheduled`: it is new, and its charge's check is scheduled. */
type InsertOutcome = "known" | "new" | "scheduled";

/**
 * Inserts webhooks, schedules the checks of their charges and notifies open pages in one statement: all or nothing. Rows
 * are written in a fixed order, so that two processes do not deadlock. A charge that is locked is skipped: nothing waits
 * for a lock here.
 */
const insertWebhook = batch<InboxRow, InsertOutcome>(BATCH_SIZE, async (rows) => {
  const written = await db.execute<{ dedupe_key: string; is_scheduled: boolean }>(sql`
    with received as (
      select * from jsonb_to_recordset(${toJson(rows)}::jsonb) as n(provider text, charge_id uuid, seller_id uuid,
        is_settled boolean, dedupe_key text, provider_id text, state text, provider_status text, check_sale_id text, requested_by text)
    ), written as (
      insert into payment_webhooks (provider, charge_id, seller_id, dedupe_key, provider_id, state, provider_status, handled_at)
      select provider, charge_id, seller_id, dedupe_key, provider_id, state, provider_status,
        case when charge_id is null or is_settled then now() end
      from received order by dedupe_key
      on conflict (seller_id, dedupe_key) do nothing
      returning dedupe_key
    ), wanted as (
      select distinct on (charge_id) charge_id, seller_id, check_sale_id, requested_by from received join written using (dedupe_key)
      where check_sale_id is not null order by charge_id
    ), unlocked as (
      select c.id from charges c inner join wanted w on w.seller_id = c.seller_id and w.charge_id = c.id
      for no key update of c skip locked
    ), scheduled as (
      update charges c set next_check_at = ${CHECK_NOW}, requested_by = l.requested_by from wanted l
      where c.seller_id = l.seller_id and c.id = l.charge_id and c.id = any(array(select id from unlocked))
      returning c.id, ${notifyExpression("sale", sql`l.check_sale_id`)}, ${notifyExpression("due", CHECKS)}
    )
    select dedupe_key, n.charge_id in (select id from scheduled) as is_scheduled
    from written join received n using (dedupe_key)`);
  // Of equal webhooks in one batch, the first is the new one.
  const inserted = new Map(
    written.map((row) => [row.dedupe_key, row.is_scheduled ? "scheduled" : "new"] as const),
  );
  return rows.map((row) => {
    const outcome = inserted.get(row.dedupe_key) ?? "known";
    inserted.delete(row.dedupe_key);
    return outcome;
  });
});

/** Counts a repeated webhook as new: the first may have come too early, or been `canceled` before the payment. */
async function reopenWebhook(
  { seller_id: sellerId, dedupe_key: dedupeKey }: Pick<InboxRow, "seller_id" | "dedupe_key">,
  charge: WebhookCharge,
): Promise<void> {
  const unlocked = sql`select id from charges where id = ${charge.id} for no key update skip locked`;
  const [scheduled] = await db.execute(sql`
    with anew as (update payment_webhooks set handled_at = null, received_at = now()
      where seller_id = ${sellerId} and dedupe_key = ${dedupeKey})
    ${schedulingCheck(charge, unlocked)}`);
  if (!scheduled) scheduleCheck(charge);
}

/**
 * Schedules the check of a charge that is locked elsewhere as soon as the lock is released; the sender does not wait for
 * it. If this process dies first, `sweepCharges` finds the webhook. One at a time per charge, so that repeated webhooks do
 * not hold a connection each.
 */
function scheduleCheck(charge: WebhookCharge): void {
  const scheduling = keyedMutex(charge.id, () =>
    db.execute(schedulingCheck(charge, sql`select ${charge.id}::uuid`)),
  );
  void trackWork(
    scheduling.then(
      () => {},
      (err) => log.warn({ err, chargeId: charge.id }, "check not scheduled: the charge is locked"),
    ),
  );
}

/** Schedules a charge's check and notifies open pages, unless `lockable` leaves it out. */
function schedulingCheck({ id, saleId }: WebhookCharge, lockable: SQL): SQL {
  return sql`update charges set next_check_at = ${CHECK_NOW}, requested_by = ${requestId() ?? null}
    where id = ${id} and id = any(array(${lockable}))
    returning ${notifyExpression("sale", saleId)}, ${notifyExpression("due", CHECKS)}`;
}

/** Postgres rejects JSON with a lone surrogate, which truncating may leave. */
export function toJson(rows: object[]): string {
  return JSON.stringify(rows, (_, value) => (typeof value === "string" ? value.toWellFormed() : value));
}
