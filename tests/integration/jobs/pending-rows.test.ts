import { expect, test } from "vitest";
import { claimDeliveries } from "#app/domain/delivery/sending/claim-deliveries.server.ts";
import { countQueued } from "#app/domain/delivery/utmify/list-events.server.ts";
import { claimMails } from "#app/domain/mail/sending/claim-mails.server.ts";
import { claimReminders } from "#app/domain/reminder/remind-buyer.server.ts";
import { claimChecks } from "#app/domain/settlement/charge-check-queue.server.ts";
import { backlogReadings } from "#app/metrics/backlog-metrics.server.ts";
import { countStatements, sql } from "#tests/support/database.ts";
import { makeSeller } from "#tests/support/make.ts";
import { makeWebhook } from "#tests/support/rows/make-webhook.ts";
import { longTest } from "#tests/support/run/ways.ts";

/** Expects that one claim of scheduled rows reads few pages; otherwise its plan says why not. */
async function expectFewPages(claim: (most: number) => Promise<unknown>, few: number): Promise<void> {
  const { statements, values } = await countStatements(() => claim(20));
  expect(statements).toHaveLength(1);
  const [row] = await sql.unsafe(
    `explain (analyze, buffers, format json) ${statements[0]}`,
    values[0] as number[],
  );
  const plan = row!["QUERY PLAN"][0].Plan;
  const pages = plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
  expect(pages, JSON.stringify(plan)).toBeLessThan(few);
}

test("claiming scheduled rows reads no more pages when ten thousand wait", async () => {
  // Their mails, sales and charges do not matter here.
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`insert into queued_mails (id, body_sealed, scheduled_at, priority, account)
      select gen_random_uuid(), 'x', now() + interval '1 hour', 1 + n % 3, case when n % 2 = 0 then 'one' end
      from generate_series(1, 10000) n`;
    await tx`insert into reminders (sale_id, seller_id, number, since, scheduled_at)
      select gen_random_uuid(), gen_random_uuid(), 1, now(), now() + interval '1 hour' from generate_series(1, 10000)`;
    await tx`insert into charges (sale_id, seller_id, provider, reference, amount_cents, next_check_at)
      select gen_random_uuid(), gen_random_uuid(), 'pushinpay', 'r' || n, 9700, now() + interval '1 hour' from generate_series(1, 10000) n`;
  });
  // Autovacuum may have counted the rows before they were committed, and found none.
  await sql`analyze queued_mails, reminders, charges`;
  await expectFewPages(claimMails, 20);
  await expectFewPages(claimReminders, 20);
  await expectFewPages(claimChecks, 20);
});

longTest(
  "nor does a look for news where a hundred thousand wait for a later try, or for one slow receiver",
  async () => {
    const seller = await makeSeller();
    const slow = await makeWebhook(seller, { name: "slow" });
    const other = await makeWebhook(seller, { name: "other" });
    const queue = (destination: string, count: number, more: string) =>
      sql.unsafe(`insert into deliveries (destination_id, seller_id, subject_id, about_id, event, scheduled_at, parked_at, leased_until)
      select '${destination}', '${seller.id}', gen_random_uuid(), gen_random_uuid(), 'sale.paid', ${more}
      from generate_series(1, ${count})`);
    await queue(slow, 50_000, "now() + interval '1 hour', null, null");
    await queue(slow, 50_000, "null, now(), null");
    await queue(slow, 3, "now() + interval '1 hour', null, now() + interval '1 hour'");
    await sql`analyze deliveries`;
    await expectFewPages(claimDeliveries, 40);
    // One more scheduled row, and one more for the slow receiver: that one waits, the other is claimed.
    await queue(slow, 1, "now(), null, null");
    await queue(other, 1, "now(), null, null");
    const claimed = await claimDeliveries(20);
    expect(claimed.map(({ destination }) => destination.id)).toEqual([other]);
  },
);

test("a thousand deliveries for one slow receiver do not delay the next one", async () => {
  const seller = await makeSeller();
  const slow = await makeWebhook(seller, { name: "slow" });
  const other = await makeWebhook(seller, { name: "other" });
  await sql`insert into deliveries (destination_id, seller_id, subject_id, about_id, event, scheduled_at)
    select ${slow}, ${seller.id}, gen_random_uuid(), gen_random_uuid(), 'sale.paid', now() - interval '1 minute'
    from generate_series(1, 1000)`;
  await sql`insert into deliveries (destination_id, seller_id, subject_id, about_id, event)
    values (${other}, ${seller.id}, gen_random_uuid(), gen_random_uuid(), 'sale.paid')`;
  const claimed = await claimDeliveries(20);
  expect(claimed.filter(({ destination }) => destination.id === slow)).toHaveLength(3);
  expect(claimed.filter(({ destination }) => destination.id === other)).toHaveLength(1);
});

longTest("nor does any reading of what waits go through the thousands that ended", async () => {
  const seller = await makeSeller();
  const webhook = await makeWebhook(seller, { name: "ended" });
  await sql`truncate mails, deliveries, charges, reminders cascade`;
  await sql`insert into mails (kind, recipient, idempotency_key, status, created_at)
    select 'purchase', n || '@exemplo.com.br', 'ended/' || n, 'sent', now() - interval '1 day' from generate_series(1, 20000) n`;
  await sql`insert into queued_mails (id, body_sealed, scheduled_at, created_at) select id, 'x', null, created_at from mails`;
  await sql`insert into deliveries (destination_id, seller_id, subject_id, about_id, event, status)
    select ${webhook}, ${seller.id}, gen_random_uuid(), gen_random_uuid(), 'sale.paid', 'sent' from generate_series(1, 20000)`;
  await sql`analyze`;
  await sql`create extension if not exists pg_stat_statements`;
  const own = sql`dbid = (select oid from pg_database where datname = current_database())`;
  await sql`select pg_stat_statements_reset(0, (select oid from pg_database where datname = current_database()))`;
  for (const read of Object.values(backlogReadings)) await read();
  await countQueued(seller.id);
  const queries = await sql`select query from pg_stat_statements where ${own}
    and (query like '%from queued_mails where%' or query like '%from mails%' or query like '%from deliveries where%' or query like '%"deliveries"%')`;
  expect(queries.length).toBeGreaterThanOrEqual(4);
  const whole = await sql`select query, shared_blks_hit + shared_blks_read as pages from pg_stat_statements
    where ${own} and query not like '%pg_stat_statements%' and (shared_blks_hit + shared_blks_read) / calls > 150`;
  expect(whole).toEqual([]);
});
