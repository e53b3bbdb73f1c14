import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { paymentWebhooks } from "#app/db/schema/charge-checks.server.ts";
import { reminders } from "#app/db/schema/mails.server.ts";
import { jobs } from "#app/jobs/catalogue.server.ts";
import { MINUTE } from "#app/kit/duration.ts";
import { backlogReadings } from "#app/metrics/backlog-metrics.server.ts";
import { databaseMetrics } from "#app/metrics/database-metrics.server.ts";
import { formatReadings } from "#app/platform/metrics.server.ts";
import { readMetrics } from "#tests/integration/metrics/metrics.ts";
import { countStatements, sql } from "#tests/support/database.ts";
import { makeCharge, makeGateway, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { writeMail } from "#tests/support/rows/make-reports.ts";
import { makeWebhook } from "#tests/support/rows/make-webhook.ts";

const product = await makeProduct(await makeSeller());
const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE);
const newCharge = async (fields: Parameters<typeof makeCharge>[1] = {}) =>
  makeCharge(await makeSale(product), fields);

/** Gauges as they are now, those that are nothing and those of the schedule left out: `name{label,label}`. */
async function now(): Promise<Record<string, number>> {
  const found = (await Promise.all(Object.values(backlogReadings).map((read) => read()))).flat();
  const { samples } = readMetrics(await formatReadings(found));
  const reported = samples.map(({ name, labels, value }): [string, number] => [
    `${name.replace("checkintelli_", "")}{${Object.values(labels).join()}}`,
    value,
  ]);
  return Object.fromEntries(
    reported.filter(([name, value]) => value !== 0 && !name.startsWith("scheduled_job_")),
  );
}

test("an empty shop reports zero of every kind", async () => {
  await sql`delete from report_marks`;
  await sql`delete from funnel_marks`;
  expect(await now()).toEqual({});
  const { samples } = readMetrics(await formatReadings(await backlogReadings.pendingJobs!()));
  const reported = samples.filter(({ name }) => name === "checkintelli_jobs_pending");
  expect(reported.map(({ labels }) => labels.job)).toEqual(jobs.map(({ name }) => name));
});

test("jobs: pending with the age of the oldest, scheduled, running, and failed for good", async () => {
  const add = (name: string, key: string, minutes: number) =>
    sql`select graphile_worker.add_job(${name}, '{}'::json, job_key => ${key}, run_at => ${ago(minutes)})`;
  await add("sweep-charges", "a", 20);
  await add("sweep-charges", "b", 5);
  await add("sweep-charges", "later", -60);
  await sql`select graphile_worker.add_job('check-domain', '{}'::json, job_key => 'mail')`;
  await add("connect-resend", "at-work", 1);
  await add("connect-resend", "failed", 1);
  await add("a-job-of-an-older-version", "old", 1);
  await sql`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'w' where key = 'at-work'`;
  await sql`update graphile_worker._private_jobs set attempts = max_attempts where key = 'failed'`;
  const seen = await now();
  expect(seen).toMatchObject({
    "jobs_pending{sweep-charges}": 2,
    "jobs_pending{check-domain}": 1,
    "jobs_pending{other}": 1,
    "jobs_running{connect-resend}": 1,
    "jobs_failed{connect-resend}": 1,
  });
  expect(seen["jobs_pending{connect-resend}"]).toBeUndefined();
  expect(seen["jobs_overdue_seconds{sweep-charges}"]).toBeGreaterThan(19 * 60);
  expect(JSON.stringify(seen)).not.toContain("older-version");
  await sql`delete from graphile_worker._private_jobs`;
});

test("charges: with unbooked webhooks by age, and the unpaid ones separately", async () => {
  const tell = async (
    charge: { id: string },
    state: "paid" | "open" | "refunded",
    minutes: number,
    more = {},
  ) =>
    db.insert(paymentWebhooks).values({
      provider: "pushinpay",
      sellerId: product.sellerId,
      chargeId: charge.id,
      dedupeKey: randomUUID(),
      providerId: randomUUID(),
      state,
      providerStatus: state,
      receivedAt: ago(minutes),
      ...more,
    });
  const waiting = await newCharge({ nextCheckAt: ago(-1), createdAt: ago(30) });
  await tell(waiting, "paid", 10);
  await tell(waiting, "paid", 2);
  await tell(await newCharge(), "paid", 3);
  await tell(await newCharge(), "paid", 60, { handledAt: new Date() });
  await tell(await newCharge({ status: "paid" }), "paid", 60);
  const refused = await newCharge();
  await tell(refused, "paid", 3000);
  await sql`insert into charge_events (charge_id, seller_id, kind, data, cause)
    values (${refused.id}, ${product.sellerId}, 'unanswered', ${sql.json({ why: "credentials" })}, 'system')`;
  await tell(await newCharge({ status: "paid" }), "refunded", 90);
  await tell(await newCharge(), "open", 60);
  await newCharge({ nextCheckAt: ago(3), createdAt: ago(200) });
  await newCharge({ status: "creating", providerId: null });
  await newCharge({ nextCheckAt: null, createdAt: ago(9000) });
  await sql`delete from report_marks`;
  await sql`delete from funnel_marks`;
  const seen = await now();
  const rounded = Object.fromEntries(Object.entries(seen).map(([key, value]) => [key, Math.floor(value)]));
  for (const [key, least] of [
    ["charges_settlement_overdue_seconds{paid}", 600],
    ["charges_settlement_overdue_seconds{key_refused}", 180_000],
    ["charges_settlement_overdue_seconds{other}", 5400],
    ["charges_check_overdue_seconds{}", 180],
  ] as const) {
    expect(rounded[key]).toBeGreaterThanOrEqual(least);
    expect(rounded[key]).toBeLessThan(least + 60);
    delete rounded[key];
  }
  expect(rounded).toEqual({
    "charges_settlement_pending{paid,5m_to_1h}": 1,
    "charges_settlement_pending{paid,1m_to_5m}": 1,
    "charges_settlement_pending{key_refused,over_1d}": 1,
    "charges_settlement_pending{other,1h_to_1d}": 1,
    "reported_payment_sellers{pushinpay}": 1,
    "charges_unpaid{open,5m_to_1h}": 1,
    "charges_unpaid{open,1h_to_1d}": 1,
    "charges_unpaid{creating,under_1m}": 1,
  });
  await sql`delete from charges`;
});

test("what a refused key holds up is reported until its account was closed and anonymized", async () => {
  const seller = await makeSeller();
  const own = await makeProduct(seller);
  for (const [state, status] of [
    ["paid", "open"],
    ["refunded", "paid"],
  ] as const) {
    const { id: chargeId } = await makeCharge(await makeSale(own), { status });
    const ids = { providerId: randomUUID(), dedupeKey: randomUUID(), sellerId: seller.id, chargeId };
    await db
      .insert(paymentWebhooks)
      .values({ ...ids, provider: "pushinpay", state, providerStatus: state, receivedAt: ago(90) });
    await sql`insert into charge_events (charge_id, seller_id, kind, data, cause)
      values (${chargeId}, ${seller.id}, 'unanswered', ${sql.json({ why: "credentials" })}, 'system')`;
  }
  const waiting = async () =>
    Object.keys(await now()).filter((name) => name.startsWith("charges_settlement_pending"));
  const held = [
    "charges_settlement_pending{key_refused,1h_to_1d}",
    "charges_settlement_pending{other,1h_to_1d}",
  ];
  expect(await waiting()).toEqual(held);
  await sql`update sellers set closed_at = now() where id = ${seller.id}`;
  expect(await waiting()).toEqual(held);
  await sql`update sellers set anonymized_at = now() where id = ${seller.id}`;
  expect(await waiting()).toEqual([]);
  // A provider that does not answer is the operator's trouble all the same.
  await sql`update charge_events set data = ${sql.json({ why: "no-answer" })} where seller_id = ${seller.id}`;
  expect(await waiting()).toHaveLength(2);
  await sql`delete from charges`;
});

test("sellers of whom a payment was reported within the hour, and those whose key is refused", async () => {
  const report = async (
    provider: string,
    minutes: number,
    account: Parameters<typeof makeGateway>[1] = {},
  ) => {
    const own = await makeProduct(await makeSeller());
    const { sellerId } = own;
    await makeGateway({ id: sellerId }, { provider, ...account });
    for (let nth = 0; nth < 2; nth++) {
      const { id: chargeId } = await makeCharge(await makeSale(own), { provider });
      const ids = { providerId: randomUUID(), dedupeKey: randomUUID() };
      const values = { provider, sellerId, chargeId, state: "paid" as const, providerStatus: "paid", ...ids };
      await db.insert(paymentWebhooks).values({ ...values, receivedAt: ago(minutes) });
    }
  };
  const refused = { keyRefusedAt: ago(10) };
  await report("woovi", 50, refused);
  await report("woovi", 5, refused);
  await report("woovi", 5, { ...refused, keyAcceptedAt: ago(9) });
  await report("woovi", 5);
  await report("woovi", 70, refused);
  await report("pushinpay", 5);
  const seen = await now();
  expect(Object.entries(seen).filter(([name]) => name.includes("sellers"))).toEqual([
    ["reported_payment_sellers{pushinpay}", 1],
    ["reported_payment_sellers{woovi}", 4],
    ["key_refused_sellers{woovi}", 2],
  ]);
  await sql`delete from charges`;
});

test("checks of paid charges: those that are scheduled now, and the age of the oldest", async () => {
  for (const minutes of [200, 30, -30])
    await sql`insert into paced_checks (charge_id, seller_id, provider, scheduled_at)
      select id, ${product.sellerId}, provider, ${ago(minutes)} from charges
      where id = ${(await newCharge({ status: "paid" })).id}`;
  const seen = await now();
  expect(seen["paced_checks_pending{}"]).toBe(2);
  expect(Math.round(seen["paced_checks_overdue_seconds{}"]! / 60)).toBe(200);
  await sql`delete from charges`;
});

test("mails by state, and marks of reports", async () => {
  const sale = await makeSale(product);
  await writeMail(sale, { status: "attempting" });
  await writeMail(sale, { status: "attempting", createdAt: ago(3 * 60), scheduledAt: ago(20) });
  await writeMail(sale, { status: "sent" });
  await writeMail(sale, { status: "attempting", createdAt: ago(3 * 60), scheduledAt: ago(-20) });
  await db
    .insert(reminders)
    .values({ saleId: sale.id, sellerId: sale.sellerId, number: 1, since: ago(60), scheduledAt: ago(45) });
  const later = await makeSale(product);
  await db
    .insert(reminders)
    .values({ saleId: later.id, sellerId: sale.sellerId, number: 1, since: ago(60), scheduledAt: ago(-45) });
  await writeMail(sale, { status: "sent", sentAt: new Date() });
  await writeMail(sale, { status: "failed" });
  await writeMail(sale, { status: "failed", createdAt: ago(90), failedAt: ago(65) });
  // Given up for its age.
  await writeMail(sale, { status: "failed", createdAt: ago(3 * 24 * 60), failedAt: ago(5) });
  await writeMail(sale, { status: "sent", createdAt: ago(90), sentAt: new Date() });
  const seen = await now();
  expect(seen).toMatchObject({
    "mails_pending{under_1m}": 1,
    "mails_pending{1h_to_1d}": 2,
    "mails_last_hour{sent}": 2,
    "mails_last_hour{failed}": 2,
    "reminders_pending{}": 1,
  });
  expect(Math.round(seen["mails_overdue_seconds{}"]! / 60)).toBe(20);
  expect(Math.round(seen["reminders_overdue_seconds{}"]! / 60)).toBe(45);
  expect(seen["report_days_stale{}"]).toBeGreaterThan(0);
});

test("pending deliveries by age, and the longest overdue one", async () => {
  const seller = await makeSeller();
  const webhook = await makeWebhook(seller, { name: "waiting" });
  const queue = (minutes: number, scheduled: number, status = "queued") =>
    sql`insert into deliveries (destination_id, seller_id, subject_id, about_id, event, status, created_at, scheduled_at)
      values (${webhook}, ${seller.id}, ${randomUUID()}, ${randomUUID()}, 'sale.paid', ${status}, ${ago(minutes)}, ${ago(scheduled)})`;
  await queue(0, -60);
  await queue(3 * 60, 40);
  await queue(3 * 60, 90, "sent");
  const seen = await now();
  expect(seen).toMatchObject({
    "deliveries_pending{under_1m}": 1,
    "deliveries_pending{1h_to_1d}": 1,
  });
  expect(Math.round(seen["deliveries_overdue_seconds{}"]! / 60)).toBe(40);
});

test("however many scrapes at once, each statement is sent once, and none for a scrape soon after", async () => {
  const { result, count } = await countStatements(async () => {
    const texts = await Promise.all(Array.from({ length: 200 }, () => databaseMetrics()));
    return [...texts, await databaseMetrics()];
  });
  expect(new Set(result).size).toBe(1);
  expect(result[0]).toContain("checkintelli_database_up 1");
  expect(count).toBeLessThanOrEqual(Object.keys(backlogReadings).length + 1);
});
