import { type SQL, sql } from "drizzle-orm";
import { batchDb } from "#app/db/client.server.ts";
import { IDEMPOTENCY_WINDOW } from "#app/domain/checkout/place-idempotent-order.server.ts";
import { DAY } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";
import { defineJob } from "#app/queue/job.server.ts";
import { runEach } from "#app/queue/run-each.server.ts";

/**
 * How long temporary data is stored, and why. Sales, charges, their history and the reports stay; their buyers are
 * anonymized by `domain/erasure`.
 */
export const RETENTION = {
  /** An old link should still be reported as expired, not as unknown. */
  emailTokens: 7 * DAY,
  /** As long as an order may be repeated with its key. */
  idempotencyKeys: IDEMPOTENCY_WINDOW,
  /** A PIX can be refunded within 90 days; later webhooks only repeat what is booked. */
  paymentWebhooks: 180 * DAY,
  /** Whether the webhooks work shows in every payment since. */
  webhookTests: 90 * DAY,
  /** Resend repeats a webhook for about a day; the mail's row has its content. */
  mailEvents: 30 * DAY,
  /** Texts of failed mails, for `retry-mails`. Those of sent ones are deleted at once. */
  mailTexts: 90 * DAY,
  /** Links that somebody requested, and confirmations: a buyer may ask whether one arrived. Without an erasure nothing else deletes the address. */
  addressMails: 90 * DAY,
  /** Bodies and answers, with the buyer's data. That something was sent, and the status, stay. */
  deliveryBodies: 30 * DAY,
  /** Ad platforms accept nothing older than a week; only a refund may need the visit that led to the purchase. */
  adIds: 90 * DAY,
  /** A sale that is being booked may still reference it. */
  deletedDestinations: DAY,
  /** An unused key is stored while a charge created with it may have to be checked or refunded, or is disputed. */
  unusedKeys: 180 * DAY,
  /** Links of bios and ads to a renamed or deleted product or offer are replaced by then. */
  freedSlugs: 90 * DAY,
  /** A failed job stays until somebody has read its error. */
  failedJobs: 30 * DAY,
};

/** No charge is paid longer after its creation than this, which bounds what is read of it. */
const LATE_PAYMENT = sql`interval '90 days'`;
/** For so long after the return window a payment's last check is repeated, and its last refund may be under way. */
const LAST_CHECKS = sql`interval '7 days'`;

/**
 * One batch of each kind, of at most `limit` rows. Locked rows are skipped, so that nothing waits and any number may run at
 * once. Texts of mails are locked and so addressed by their place: looked up by their random ids, each would read a page of the key.
 * The condition is repeated, since partitions number their places each for itself.
 * Each finds its rows by an index, except in tables that stay small: gateway keys, the paces of mail accounts, and
 * jobs. The oldest go first: without an order PostgreSQL reads whole tables after many rows were deleted, since its statistics
 * still promise some on every page.
 */
export const cleanUpBatches: Record<string, (limit: number) => SQL> = {
  sessions: (limit) => sql`delete from sessions where id in (
    select id from sessions where expires_at < now()
    order by expires_at limit ${limit} for update skip locked)`,
  "buyers' sessions": (limit) => sql`delete from buyer_sessions where id in (
    select id from buyer_sessions where expires_at < now()
    order by expires_at limit ${limit} for update skip locked)`,
  "held forms": (limit) => sql`delete from held_forms where id in (
    select id from held_forms where expires_at < now()
    order by expires_at limit ${limit} for update skip locked)`,
  "email tokens": (limit) => sql`delete from email_tokens where id in (
    select id from email_tokens where expires_at < ${ago("emailTokens")}
    order by expires_at limit ${limit} for update skip locked)`,
  "idempotency keys": (limit) => sql`delete from idempotency_keys where key in (
    select key from idempotency_keys where created_at < ${ago("idempotencyKeys")}
    order by created_at limit ${limit} for update skip locked)`,
  "counts of tries": (limit) => sql`delete from throttles where key in (
    select key from throttles where expire < extract(epoch from now()) * 1000
    order by expire limit ${limit} for update skip locked)`,
  "payment webhooks": (limit) => sql`delete from payment_webhooks where id in (
    select id from payment_webhooks where received_at < ${ago("paymentWebhooks")}
    order by received_at limit ${limit} for update skip locked)`,
  "webhook tests": (limit) => sql`delete from webhook_tests where id in (
    select id from webhook_tests where started_at < ${ago("webhookTests")} and scheduled_at is null
    order by started_at limit ${limit} for update skip locked)`,
  "mail events": (limit) => sql`delete from mail_events where (hook_id, svix_id) in (
    select hook_id, svix_id from mail_events where received_at < ${ago("mailEvents")}
    order by received_at limit ${limit} for update skip locked)`,
  "mail texts": (limit) => sql`
    delete from queued_mails where scheduled_at is null and created_at < ${ago("mailTexts")} and ctid = any(array(
      select ctid from queued_mails where scheduled_at is null and created_at < ${ago("mailTexts")}
      order by created_at limit ${limit} for update skip locked))`,
  // Ordered as the index by seller is, in which they are side by side: by their age alone every mail would be read. What has a
  // text still goes with the next run: rows of the queue are locked before those of the log.
  "mails of no seller": (limit) => sql`delete from mails where id in (
    select id from mails where seller_id is null and created_at < ${ago("addressMails")} and status <> 'attempting'
      and not exists (select from queued_mails q where q.id = mails.id)
    order by seller_id, created_at limit ${limit} for update skip locked)`,
  "mail paces": (limit) => sql`delete from mail_paces where account in (
    select account from mail_paces where next_slot_at < now() - interval '1 day' limit ${limit} for update skip locked)`,
  "mail account pauses": (limit) => sql`delete from mail_account_pauses where account in (
    select account from mail_account_pauses where paused_until < now() - interval '1 day' limit ${limit} for update skip locked)`,
  "delivery bodies": (limit) => sql`
    update deliveries set cleared_at = now(), body_sealed = null, response_body = null, about_email_sealed = null
    where id in (
      select id from deliveries where cleared_at is null and status <> 'queued' and created_at < ${ago("deliveryBodies")}
      order by created_at limit ${limit} for update skip locked)`,
  "browsers known to advertisers": (limit) => sql`
    update sales set ad_ids = null where id in (
      select id from sales where ad_ids is not null and created_at < ${ago("adIds")}
      order by created_at limit ${limit} for update skip locked)`,
  "logs of deleted destinations": (limit) => sql`delete from deliveries where id in (
    select o.id from destinations d inner join deliveries o on o.destination_id = d.id
    where d.deleted_at < ${ago("deletedDestinations")} limit ${limit} for update of o skip locked)`,
  "deleted destinations": (limit) => sql`delete from destinations where id in (
    select id from destinations d where deleted_at < ${ago("deletedDestinations")}
      and not exists (select from deliveries o where o.destination_id = d.id) limit ${limit} for update skip locked)`,
  "unused gateway keys": (limit) => sql`update gateway_keys set api_key_sealed = null where id in (
    select k.id from gateway_keys k
    where k.api_key_sealed is not null
      and not exists (select from gateway_accounts a where a.key_id = k.id)
      and not exists (select from webhook_tests t where t.gateway_key_id = k.id and t.scheduled_at is not null)
      and not exists (
        select from charges c where c.gateway_key_id = k.id and c.created_at > ${ago("unusedKeys")} - ${LATE_PAYMENT}
          and coalesce(c.paid_at + ${LAST_CHECKS}, c.created_at) > ${ago("unusedKeys")})
      and not exists (
        select from disputes d inner join charges c on c.seller_id = d.seller_id and c.id = d.charge_id
        where d.seller_id = k.seller_id and d.status = 'open' and c.gateway_key_id = k.id)
    limit ${limit} for update of k skip locked)`,
  "freed slugs": (limit) => sql`delete from freed_slugs where slug in (
    select slug from freed_slugs where freed_at < ${ago("freedSlugs")}
    order by freed_at limit ${limit} for update skip locked)`,
  "failed jobs": (limit) => sql`select graphile_worker.complete_jobs(array(
    select id from graphile_worker.jobs
    where attempts >= max_attempts and locked_at is null and updated_at < ${ago("failedJobs")} limit ${limit}))`,
};

function ago(kind: keyof typeof RETENTION): SQL {
  return sql`now() - make_interval(secs => ${RETENTION[kind] / 1000})`;
}

/** Small, so that a batch locks its rows only briefly. */
const BATCH_SIZE = 1000;

/** Deletes expired rows once a day, in batches, each in a transaction of its own. */
export const cleanUp = defineJob<Record<string, never>>("clean-up", async () => {
  const cleaned = new Map<string, number>();
  const cleanKind = async ([kind, batch]: [string, (limit: number) => SQL]) => {
    let rows: number;
    do {
      rows = (await batchDb.execute(batch(BATCH_SIZE))).count;
      cleaned.set(kind, (cleaned.get(kind) ?? 0) + rows);
    } while (rows === BATCH_SIZE);
  };
  const cleaning = runEach(Object.entries(cleanUpBatches), cleanKind, "not everything cleaned up");
  await cleaning.finally(() => log.info({ cleaned: Object.fromEntries(cleaned) }, "cleaned up"));
});
