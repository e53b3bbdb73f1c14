import { sql } from "drizzle-orm";
import { measuring } from "#app/db/client.server.ts";
import { AT_MOST, ageOf, byAge } from "#app/jobs/by-age.server.ts";
import { jobs } from "#app/jobs/catalogue.server.ts";
import { duePacedChecks, duePictures, dueReminders, dueStamps } from "#app/jobs/due-rows.server.ts";
import { refusedMailAccounts } from "#app/jobs/refused-mail-accounts.server.ts";
import { dueErasures, unpaidPersons } from "#app/jobs/who-is-to-go.server.ts";
import type { Reading } from "#app/platform/metrics.server.ts";

const KINDS = jobs.map(({ name }) => name);
const PRIORITIES = [...new Set(jobs.map(({ priority = 0 }) => priority))];

/**
 * What waits in the database, a statement each. Each reads along an index that holds such rows alone, and `AT_MOST` of them.
 * But `heldJobs` reads the table of jobs, as looking for dead workers' jobs does every three seconds; and `news` goes past
 * rows that came after their payment was booked, to miss none that matters.
 */
export const readings: Record<string, () => Promise<Reading[]>> = {
  dueJobs,
  heldJobs,
  news,
  unpaidCharges,
  overdueChecks,
  duePacedChecks,
  waitingMails,
  overdueMails,
  refusedMailAccounts,
  dueReminders,
  duePictures,
  dueErasures,
  unpaidPersons,
  dueStamps,
  waitingNews,
  mailsOfLastHour,
  reportMarks,
};

async function dueJobs(): Promise<Reading[]> {
  const rows = await measuring.execute<{ job: string; due: number; oldest: number }>(sql`
    select t.identifier as job, count(*)::int as due, extract(epoch from now() - min(j.run_at))::float8 as oldest
    from unnest(${`{${PRIORITIES.join(",")}}`}::smallint[]) as p,
      lateral (
        select task_id, run_at from graphile_worker._private_jobs
        where is_available = true and priority = p and run_at <= now() order by run_at limit ${AT_MOST}
      ) j
      inner join graphile_worker._private_tasks t on t.id = j.task_id
    group by 1`);
  return [
    {
      name: "jobs_due",
      help: "Jobs that might run now and wait for a worker.",
      values: byKind(rows, ({ due }) => due),
    },
    {
      name: "jobs_oldest_due_seconds",
      help: "For how long the oldest of them has been due.",
      values: byKind(rows, ({ oldest }) => oldest),
    },
  ];
}

async function heldJobs(): Promise<Reading[]> {
  const rows = await measuring.execute<{ job: string; running: number; failed: number }>(sql`
    select t.identifier as job, count(*) filter (where j.locked_at is not null)::int as running,
      count(*) filter (where j.locked_at is null)::int as failed
    from graphile_worker._private_jobs j inner join graphile_worker._private_tasks t on t.id = j.task_id
    where not j.is_available group by 1`);
  return [
    {
      name: "jobs_running",
      help: "Jobs a worker is at.",
      values: byKind(rows, ({ running }) => running),
    },
    {
      name: "jobs_failed",
      help: "Jobs that failed at their last try and will not be tried again; kept for 30 days.",
      values: byKind(rows, ({ failed }) => failed),
    },
  ];
}

async function news(): Promise<Reading[]> {
  const rows = await measuring.execute<{ news: string; age: string; count: number; oldest: number }>(sql`
    with told as (
      select w.charge_id, case w.state when 'paid' then 'paid' else 'other' end as news, w.received_at
      from payment_webhooks w, lateral (select status from charges where id = w.charge_id limit 1) c
      where w.handled_at is null and w.state <> 'open'
        and (w.state <> 'paid' or c.status not in ('paid', 'mispaid')) limit ${AT_MOST}
    ), waiting as (select charge_id, news, min(received_at) as since from told group by 1, 2)
    select news, ${ageOf(sql`since`)} as age, count(*)::int as count,
      extract(epoch from now() - min(since))::float8 as oldest
    from waiting group by 1, 2`);
  const kinds = ["paid", "other"];
  const oldest = (kind: string) =>
    Math.max(0, ...rows.filter((row) => row.news === kind).map((row) => row.oldest));
  return [
    {
      name: "charges_waiting",
      help: "Charges of which the provider told something that is not booked yet, by what it told and for how long.",
      values: kinds.flatMap((kind) =>
        byAge(rows.filter((row) => row.news === kind)).map(([labels, value]): Reading["values"][number] => [
          { news: kind, ...labels },
          value,
        ]),
      ),
    },
    {
      name: "charges_waiting_oldest_seconds",
      help: "For how long the oldest of them has been waiting.",
      values: kinds.map((kind) => [{ news: kind }, oldest(kind)]),
    },
  ];
}

async function unpaidCharges(): Promise<Reading[]> {
  const rows = await measuring.execute<{ state: string; age: string; count: number }>(sql`
    select status as state, ${ageOf(sql`created_at`)} as age, count(*)::int as count from (
      (select status, created_at from charges where next_check_at is not null order by next_check_at limit ${AT_MOST})
      union all (select status, created_at from charges where status = 'creating' limit ${AT_MOST})
    ) c where status in ('creating', 'open') group by 1, 2`);
  return [
    {
      name: "charges_unpaid",
      help: "Charges nobody has paid yet and that we still ask about, as it should be, by state and age.",
      values: ["creating", "open"].flatMap((state) =>
        byAge(rows.filter((row) => row.state === state)).map(([labels, value]): Reading["values"][number] => [
          { state, ...labels },
          value,
        ]),
      ),
    },
  ];
}

async function overdueChecks(): Promise<Reading[]> {
  const [row] = await measuring.execute<{ overdue: number }>(sql`
    select greatest(0, coalesce(extract(epoch from now() - min(next_check_at)), 0))::float8 as overdue
    from charges where next_check_at is not null`);
  return [
    {
      name: "charges_check_overdue_seconds",
      help: "For how long the oldest question to a provider has been due.",
      values: [[{}, row!.overdue]],
    },
  ];
}

async function waitingMails(): Promise<Reading[]> {
  const rows = await measuring.execute<{ age: string; count: number }>(sql`
    select ${ageOf(sql`created_at`)} as age, count(*)::int as count
    from (select created_at from mails where status = 'attempting' and created_at < 'infinity' order by created_at limit ${AT_MOST}) m group by 1`);
  return [
    {
      name: "mails_waiting",
      help: "Mails that are queued or tried again, by age.",
      values: byAge(rows),
    },
  ];
}

async function overdueMails(): Promise<Reading[]> {
  const [row] = await measuring.execute<{ overdue: number }>(sql`
    select greatest(0, coalesce(extract(epoch from now() - min(due_at)), 0))::float8 as overdue
    from mails where status = 'attempting' and due_at <= now()`);
  return [
    {
      name: "mails_overdue_seconds",
      help: "For how long the mail that is due longest has waited for a place; one that waits for its turn is not due.",
      values: [[{}, row!.overdue]],
    },
  ];
}

async function waitingNews(): Promise<Reading[]> {
  const rows = await measuring.execute<{ age: string; count: number; overdue: number }>(sql`
    select ${ageOf(sql`created_at`)} as age, count(*)::int as count,
      greatest(0, extract(epoch from now() - min(due_at)))::float8 as overdue
    from (select created_at, due_at from outbox where status = 'queued' and due_at < 'infinity' order by due_at limit ${AT_MOST}) o group by 1`);
  return [
    {
      name: "destinations_news_waiting",
      help: "What webhooks, pixels, member areas and UTMify are still to be told, or told again, by age.",
      values: byAge(rows),
    },
    {
      name: "destinations_news_overdue_seconds",
      help: "For how long what is due longest of it has waited for a worker; what waits for its destination is not due.",
      values: [[{}, Math.max(0, ...rows.map(({ overdue }) => overdue))]],
    },
  ];
}

async function mailsOfLastHour(): Promise<Reading[]> {
  const rows = await measuring.execute<{ state: string; count: number }>(sql`
    select status as state, count(*)::int as count from (
      select status from mails
      where cleared_at is null and status <> 'attempting' and created_at > now() - interval '1 hour' limit ${AT_MOST}
    ) m group by 1`);
  return [
    {
      name: "mails_last_hour",
      help: "Mails queued within the last hour that have ended, by how.",
      values: ["sent", "failed"].map((state) => [
        { state },
        rows.find((row) => row.state === state)?.count ?? 0,
      ]),
    },
  ];
}

async function reportMarks(): Promise<Reading[]> {
  const [row] = await measuring.execute<{ marks: number }>(
    sql`select count(*)::int as marks from (
      (select 1 from report_marks limit ${AT_MOST}) union all (select 1 from funnel_marks limit ${AT_MOST})
    ) m`,
  );
  return [
    {
      name: "report_marks",
      help: "Days and buyers whose figures, and days whose funnels, are to be counted anew.",
      values: [[{}, row!.marks]],
    },
  ];
}

/** Every kind of job there is, those without rows too; whatever else stands in the table is `other`. */
function byKind<Row extends { job: string }>(rows: Row[], value: (row: Row) => number): Reading["values"] {
  const others = rows.filter(({ job }) => !KINDS.includes(job));
  return [
    ...KINDS.map((job): Reading["values"][number] => {
      const row = rows.find((one) => one.job === job);
      return [{ job }, row ? value(row) : 0];
    }),
    ...(others.length > 0
      ? [[{ job: "other" }, Math.max(...others.map(value))] as Reading["values"][number]]
      : []),
  ];
}
