import { type SQL, sql } from "drizzle-orm";
import { NAMED_FOR } from "#app/domain/checkout/place-named-order.server.ts";
import { DAY } from "#app/kit/duration.ts";

/**
 * How long what nobody needs for ever is kept, and why. Sales, charges, their history and the reports stay; who leaves them:
 * `domain/erasure`.
 */
export const KEPT_FOR = {
  /** An old link should still say that it ran out, not that it never was. */
  emailTokens: 7 * DAY,
  /** As long as an order may be sent again under its name. */
  idempotencyKeys: NAMED_FOR,
  /** A PIX goes back within 90 days; after that news of a charge can only repeat what is booked. */
  paymentNews: 180 * DAY,
  /** Resend repeats a notice for a day or so; what it said stands in the mail's row. */
  mailNews: 30 * DAY,
  /** Of mails that failed, so that `retry-mails` sends them again; of what was sent the facts alone are left. Who got a mail when stays. */
  mailTexts: 90 * DAY,
  /** What was told to whom, with the buyer's data. That it was told, and how it was answered, stays. */
  toldBodies: 30 * DAY,
  /** Advertisers take nothing older than a week; only of a refund one might still want to know by which visit it was bought. */
  adIds: 90 * DAY,
  /** A sale that is being booked may still name it. */
  deletedDestinations: DAY,
  /** A key no account uses is kept while a charge made with it may have to be asked about or given back. */
  unusedKeys: 180 * DAY,
  /** A job that failed for good waits for somebody to look at its error. */
  failedJobs: 30 * DAY,
};

/**
 * One batch of each kind, of at most `limit` rows: rows that somebody else holds are left for the next time, so that
 * nobody waits for it and any number may run at once. Each finds its rows by an index, but in tables that stay small:
 * gateway keys, the paces of mail accounts, and jobs.
 */
export const cleanings: Record<string, (limit: number) => SQL> = {
  sessions: (limit) => sql`delete from sessions where id in (
    select id from sessions where expires_at < now() limit ${limit} for update skip locked)`,
  "buyers' sessions": (limit) => sql`delete from buyer_sessions where id in (
    select id from buyer_sessions where expires_at < now() limit ${limit} for update skip locked)`,
  "held forms": (limit) => sql`delete from held_forms where id in (
    select id from held_forms where expires_at < now() limit ${limit} for update skip locked)`,
  "email tokens": (limit) => sql`delete from email_tokens where id in (
    select id from email_tokens where expires_at < ${ago("emailTokens")} limit ${limit} for update skip locked)`,
  "idempotency keys": (limit) => sql`delete from idempotency_keys where key in (
    select key from idempotency_keys where created_at < ${ago("idempotencyKeys")} limit ${limit} for update skip locked)`,
  "counts of tries": (limit) => sql`delete from throttles where key in (
    select key from throttles where expire < extract(epoch from now()) * 1000 limit ${limit} for update skip locked)`,
  "payment webhooks": (limit) => sql`delete from payment_webhooks where id in (
    select id from payment_webhooks where received_at < ${ago("paymentNews")} limit ${limit} for update skip locked)`,
  "mail events": (limit) => sql`delete from mail_events where (hook_id, svix_id) in (
    select hook_id, svix_id from mail_events where received_at < ${ago("mailNews")} limit ${limit} for update skip locked)`,
  "mail texts": (limit) => sql`
    update mails set cleared_at = now(), facts = null, subject = coalesce(subject, payload ->> 'subject'), body_sealed = null,
      payload = null
    where id in (
      select id from mails where cleared_at is null and status <> 'attempting' and created_at < ${ago("mailTexts")}
      limit ${limit} for update skip locked)`,
  "mail paces": (limit) => sql`delete from mail_paces where account in (
    select account from mail_paces where next_at < now() - interval '1 day' limit ${limit} for update skip locked)`,
  "mail account pauses": (limit) => sql`delete from mail_account_pauses where account in (
    select account from mail_account_pauses where paused_until < now() - interval '1 day' limit ${limit} for update skip locked)`,
  "told bodies": (limit) => sql`
    update outbox set cleared_at = now(), body_sealed = null, response_body = null, about_email_sealed = null
    where id in (
      select id from outbox where cleared_at is null and status <> 'queued' and created_at < ${ago("toldBodies")}
      limit ${limit} for update skip locked)`,
  "browsers known to advertisers": (limit) => sql`
    update sales set ad_ids = null where id in (
      select id from sales where ad_ids is not null and created_at < ${ago("adIds")}
      limit ${limit} for update skip locked)`,
  "logs of deleted destinations": (limit) => sql`delete from outbox where id in (
    select o.id from destinations d inner join outbox o on o.destination_id = d.id
    where d.deleted_at < ${ago("deletedDestinations")} limit ${limit} for update of o skip locked)`,
  "deleted destinations": (limit) => sql`delete from destinations where id in (
    select id from destinations d where deleted_at < ${ago("deletedDestinations")}
      and not exists (select from outbox o where o.destination_id = d.id) limit ${limit} for update skip locked)`,
  "unused gateway keys": (limit) => sql`update gateway_keys set api_key_sealed = null where id in (
    select k.id from gateway_keys k
    where k.api_key_sealed is not null
      and not exists (select from gateway_accounts a where a.key_id = k.id)
      and not exists (
        select from charges c where c.gateway_key_id = k.id and c.created_at > ${ago("unusedKeys")})
    limit ${limit} for update of k skip locked)`,
  "failed jobs": (limit) => sql`select graphile_worker.complete_jobs(array(
    select id from graphile_worker.jobs
    where attempts >= max_attempts and locked_at is null and updated_at < ${ago("failedJobs")} limit ${limit}))`,
};

function ago(what: keyof typeof KEPT_FOR): SQL {
  return sql`now() - make_interval(secs => ${KEPT_FOR[what] / 1000})`;
}
