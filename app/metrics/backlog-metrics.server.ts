import { sql } from "drizzle-orm";
import { metricsDb } from "#app/db/replica/read-clients.server.ts";
import { isQueued } from "#app/domain/delivery/waiting.server.ts";
import { PRIORITIES as MAIL_PRIORITIES } from "#app/domain/mail/queue/priorities.ts";
import { ageBucket, countsByAge, MAX_COUNTED } from "#app/metrics/age-buckets.server.ts";
import { ordersPendingAnonymization, pendingErasures } from "#app/metrics/anonymization-backlog.server.ts";
import { lockedJobs, pendingJobs, scheduledJobs } from "#app/metrics/job-metrics.server.ts";
import {
  pendingPacedChecks,
  pendingPictures,
  pendingReminders,
  pendingStampedCopies,
} from "#app/metrics/pending-rows.server.ts";
import { sellersWithRefusedKey } from "#app/metrics/refused-keys.server.ts";
import { refusedMailAccounts } from "#app/metrics/refused-mail-accounts.server.ts";
import type { GaugeReading } from "#app/platform/metrics.server.ts";

/**
 * Rows that wait in the database, one statement each. Each reads an index of such rows alone, and at most `MAX_COUNTED` of
 * them. Two exceptions: `lockedJobs` reads the table of jobs, as the search for dead workers' jobs does every three seconds;
 * `unsettledCharges` reads past webhooks that came after their payment was booked, so as to miss none.
 */
export const backlogReadings: Record<string, () => Promise<GaugeReading[]>> = {
  pendingJobs: pendingJobs,
  lockedJobs: lockedJobs,
  scheduledJobs,
  unsettledCharges: unsettledCharges,
  sellersWithRefusedKey,
  unpaidCharges,
  overdueChecks,
  pendingPacedChecks: pendingPacedChecks,
  pendingMails: pendingMails,
  overdueMails,
  refusedMailAccounts,
  pendingReminders: pendingReminders,
  pendingPictures: pendingPictures,
  pendingErasures: pendingErasures,
  ordersPendingAnonymization: ordersPendingAnonymization,
  pendingStampedCopies: pendingStampedCopies,
  pendingDeliveries: pendingDeliveries,
  mailsOfLastHour,
  staleReportDays: staleReportDays,
};

/** For a webhook `w`: only the seller can do something about it, so it is reported beside the payments that anybody else holds up. */
const isKeyRefused = sql`coalesce((select e.kind = 'unanswered' and e.data ->> 'why' = 'credentials' from charge_events e
  where e.seller_id = w.seller_id and e.charge_id = w.charge_id and e.kind in ('asked', 'unanswered') order by e.id desc limit 1), false)`;

/** For a webhook `w`: the account was closed and anonymized, so that nobody can save another key. */
const isOfClosedAccount = sql`coalesce((select v.anonymized_at is not null from sellers v where v.id = w.seller_id), false)`;

async function unsettledCharges(): Promise<GaugeReading[]> {
  const rows = await metricsDb.execute<{ reported: string; age: string; count: number; oldest: number }>(sql`
    with reported_events as (
      select w.charge_id, w.received_at,
        case when w.state <> 'paid' then 'other' when ${isKeyRefused} then 'key_refused' else 'paid' end as reported
      from payment_webhooks w, lateral (select status from charges where id = w.charge_id limit 1) c
      where w.handled_at is null and w.state <> 'open'
        and (w.state <> 'paid' or c.status <> 'paid') and not (${isOfClosedAccount} and ${isKeyRefused}) limit ${MAX_COUNTED}
    ), waiting as (select charge_id, reported, min(received_at) as since from reported_events group by 1, 2)
    select reported, ${ageBucket(sql`since`)} as age, count(*)::int as count,
      extract(epoch from now() - min(since))::float8 as oldest
    from waiting group by 1, 2`);
  const kinds = ["paid", "key_refused", "other"];
  const oldest = (kind: string) =>
    Math.max(0, ...rows.filter((row) => row.reported === kind).map((row) => row.oldest));
  return [
    {
      name: "charges_settlement_pending",
      help: "Charges with a webhook that is not settled yet, by reported state and age.",
      values: kinds.flatMap((kind) =>
        countsByAge(rows.filter((row) => row.reported === kind)).map(
          ([labels, value]): GaugeReading["values"][number] => [{ reported: kind, ...labels }, value],
        ),
      ),
    },
    {
      name: "charges_settlement_overdue_seconds",
      help: "How long the oldest of them has been waiting.",
      values: kinds.map((kind) => [{ reported: kind }, oldest(kind)]),
    },
  ];
}

async function unpaidCharges(): Promise<GaugeReading[]> {
  const rows = await metricsDb.execute<{ state: string; age: string; count: number }>(sql`
    select status as state, ${ageBucket(sql`created_at`)} as age, count(*)::int as count from (
      (select status, created_at from charges where next_check_at is not null order by next_check_at limit ${MAX_COUNTED})
      union all (select status, created_at from charges where status = 'creating' limit ${MAX_COUNTED})
    ) c where status in ('creating', 'open', 'unknown', 'in_review') group by 1, 2`);
  return [
    {
      name: "charges_unpaid",
      help: "Unpaid charges that are still checked, which is normal, by state and age.",
      values: ["creating", "open", "unknown", "in_review"].flatMap((state) =>
        countsByAge(rows.filter((row) => row.state === state)).map(
          ([labels, value]): GaugeReading["values"][number] => [{ state, ...labels }, value],
        ),
      ),
    },
  ];
}

async function overdueChecks(): Promise<GaugeReading[]> {
  const [row] = await metricsDb.execute<{ overdue: number }>(sql`
    select greatest(0, coalesce(extract(epoch from now() - min(next_check_at)), 0))::float8 as overdue
    from charges where next_check_at is not null`);
  return [
    {
      name: "charges_check_overdue_seconds",
      help: "How long the oldest charge check has been due.",
      values: [[{}, row!.overdue]],
    },
  ];
}

async function pendingMails(): Promise<GaugeReading[]> {
  const rows = await metricsDb.execute<{ age: string; count: number }>(sql`
    select ${ageBucket(sql`created_at`)} as age, count(*)::int as count
    from (select created_at from queued_mails where scheduled_at is not null and created_at < 'infinity' order by created_at limit ${MAX_COUNTED}) m group by 1`);
  return [
    {
      name: "mails_pending",
      help: "Mails that are queued or being retried, by age.",
      values: countsByAge(rows),
    },
  ];
}

async function overdueMails(): Promise<GaugeReading[]> {
  const [row] = await metricsDb.execute<{ overdue: number }>(sql`
    select greatest(0, coalesce(extract(epoch from now() - min(first.scheduled_at)), 0))::float8 as overdue
    from unnest(${`{${MAIL_PRIORITIES.join(",")}}`}::smallint[]) p cross join lateral (
      select scheduled_at from queued_mails where priority = p and coalesce(leased_until <= now(), true) order by scheduled_at limit 1) first`);
  return [
    {
      name: "mails_overdue_seconds",
      help: "How long the oldest due mail has waited for a worker; one that waits for its account's slot is not due.",
      values: [[{}, row!.overdue]],
    },
  ];
}

async function pendingDeliveries(): Promise<GaugeReading[]> {
  const rows = await metricsDb.execute<{ age: string; count: number; overdue: number }>(sql`
    select ${ageBucket(sql`created_at`)} as age, count(*)::int as count,
      greatest(0, extract(epoch from now() - (select scheduled_at from deliveries
        where status = 'queued' and scheduled_at < 'infinity' order by scheduled_at limit 1)))::float8 as overdue
    from (select created_at from deliveries o where ${isQueued()} limit ${MAX_COUNTED}) o group by 1`);
  return [
    {
      name: "deliveries_pending",
      help: "Deliveries to webhooks, pixels, member areas and UTMify that are queued or being retried, by age.",
      values: countsByAge(rows),
    },
    {
      name: "deliveries_overdue_seconds",
      help: "How long the oldest due delivery has waited for a worker; one that waits for its destination is not due.",
      values: [[{}, Math.max(0, ...rows.map(({ overdue }) => overdue))]],
    },
  ];
}

async function mailsOfLastHour(): Promise<GaugeReading[]> {
  // A mail may be given up days after it was queued.
  const [row] = await metricsDb.execute<{ sent: number; failed: number }>(sql`
    select (select count(*)::int from (
        select from mails where status = 'sent' and created_at > now() - interval '1 hour' limit ${MAX_COUNTED}) m) as sent,
      (select count(*)::int from (
        select from mails where status = 'failed' and failure is distinct from 'dropped' and failed_at > now() - interval '1 hour'
        limit ${MAX_COUNTED}) m) as failed`);
  return [
    {
      name: "mails_last_hour",
      help: "Mails queued within the last hour that were sent, and mails given up within it, by state.",
      values: [
        [{ state: "sent" }, row!.sent],
        [{ state: "failed" }, row!.failed],
      ],
    },
  ];
}

async function staleReportDays(): Promise<GaugeReading[]> {
  const [row] = await metricsDb.execute<{ marks: number }>(
    sql`select count(*)::int as marks from (
      (select 1 from report_marks limit ${MAX_COUNTED}) union all (select 1 from funnel_marks limit ${MAX_COUNTED})
    ) m`,
  );
  return [
    {
      name: "report_days_stale",
      help: "Days and buyers whose figures, and days whose funnels, are out of date.",
      values: [[{}, row!.marks]],
    },
  ];
}
