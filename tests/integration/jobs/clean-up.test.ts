import { randomUUID } from "node:crypto";
import { PgDialect } from "drizzle-orm/pg-core";
import { expect, test } from "vitest";
import { deleteDestination } from "#app/domain/delivery/change-destination.server.ts";
import { openSession } from "#app/domain/identity/access/open-session.server.ts";
import { cleanUp, cleanUpBatches } from "#app/domain/maintenance/clean-up.server.ts";
import { jobs } from "#app/jobs/catalogue.server.ts";
import { crontab } from "#app/jobs/crontab.server.ts";
import { openShop } from "#tests/integration/payments/support.ts";
import { countStatements, holdLock, pagesOf, sql } from "#tests/support/database.ts";
import { makeCharge, makeSale, makeSeller } from "#tests/support/make.ts";
import { mailRow, makeMail, markSent } from "#tests/support/rows/make-mail.ts";
import { makeWebhook } from "#tests/support/rows/make-webhook.ts";

const run = () => cleanUp.handle({}, { number: 1, last: false });

test("sessions, links and rate-limit counters are deleted once they are useless", async () => {
  const seller = await makeSeller();
  for (let i = 0; i < 2; i++) await openSession(seller.id, { ip: null, userAgent: null });
  await sql`update sessions set expires_at = now() - interval '1 second'
    where id = (select id from sessions where seller_id = ${seller.id} limit 1)`;
  for (const age of ["8 days", "6 days"])
    await sql`insert into email_tokens (seller_id, purpose, email, token_hash, expires_at)
      values (${seller.id}, 'reset', 'x', ${randomUUID()}, now() - ${age}::interval)`;
  await sql`insert into throttles (key, points, expire) values
    ('alt', 1, (extract(epoch from now()) - 1) * 1000), ('neu', 1, (extract(epoch from now()) + 60) * 1000)`;
  for (const hours of [-1, 1])
    await sql`insert into buyer_sessions (email, link_hash, expires_at)
      values ('bia@exemplo.com.br', ${randomUUID()}, now() + make_interval(hours => ${hours}))`;
  await run();
  expect(await sql`select 1 from buyer_sessions`).toHaveLength(1);
  expect(await sql`select 1 from sessions where seller_id = ${seller.id}`).toHaveLength(1);
  expect(await sql`select 1 from email_tokens where seller_id = ${seller.id}`).toHaveLength(1);
  expect((await sql`select key from throttles`).map((row) => row.key)).toEqual(["neu"]);
});

test("an order's idempotency name is deleted after a day", async () => {
  for (const age of ["25 hours", "23 hours"])
    await sql`insert into idempotency_keys (key, body, leased_until, created_at)
      values (${age}, 'x', now(), now() - ${age}::interval)`;
  await run();
  expect((await sql`select key from idempotency_keys`).map((row) => row.key)).toEqual(["23 hours"]);
});

test("old webhooks are deleted; sale, charge, mail row and deliveries stay, without text and buyer", async () => {
  const { seller, product } = await openShop();
  const sale = await makeSale(product, { status: "completed" });
  const charge = await makeCharge(sale, { status: "paid" });
  for (const age of ["181 days", "179 days"])
    await sql`insert into payment_webhooks (provider, charge_id, seller_id, dedupe_key, provider_id, state, provider_status, received_at)
      values ('pushinpay', ${charge.id}, (select seller_id from charges where id = ${charge.id}), ${randomUUID()}, 'x', 'paid', 'paid', now() - ${age}::interval)`;
  const [hook] =
    await sql`insert into mail_hooks (seller_id, hook_token) values (${seller.id}, ${randomUUID()}) returning id`;
  for (const age of ["31 days", "29 days"])
    await sql`insert into mail_events (hook_id, svix_id, type, received_at)
      values (${hook!.id}, ${randomUUID()}, 'email.sent', now() - ${age}::interval)`;
  const about = { sellerId: seller.id, saleId: sale.id };
  const [old, young, stuck] = [await makeMail(about), await makeMail(about), await makeMail(about)];
  await sql`update mails set status = 'failed' where id in (${old}, ${young})`;
  await sql`update queued_mails set scheduled_at = null, created_at = now() - interval '91 days' where id = ${old}`;
  await sql`update queued_mails set scheduled_at = null, created_at = now() - interval '89 days' where id = ${young}`;
  await sql`update queued_mails set created_at = now() - interval '91 days' where id = ${stuck}`;
  const before = await sql`select row_to_json(s)::text || row_to_json(c)::text as all
    from sales s join charges c on c.sale_id = s.id where s.id = ${sale.id}`;
  await run();
  expect(await mailRow(old)).toMatchObject({
    status: "failed",
    recipient: expect.any(String),
    subject: "Sua compra",
    payload: null,
  });
  expect((await mailRow(young)).payload.html).not.toBe("");
  expect((await mailRow(stuck)).payload.html).not.toBe("");
  expect(await sql`select 1 from payment_webhooks where charge_id = ${charge.id}`).toHaveLength(1);
  expect(await sql`select 1 from mail_events where hook_id = ${hook!.id}`).toHaveLength(1);
  expect(
    await sql`select row_to_json(s)::text || row_to_json(c)::text as all
    from sales s join charges c on c.sale_id = s.id where s.id = ${sale.id}`,
  ).toEqual(before);
});

test("mails of no seller are deleted after 90 days, with their address; those of a sale and those that wait stay", async () => {
  const { product } = await openShop();
  const sale = await makeSale(product, { status: "completed" });
  const ofAddress = () => makeMail({ kind: "buyer-link" });
  const [old, young, waiting] = [await ofAddress(), await ofAddress(), await ofAddress()];
  const ofSale = await makeMail({ saleId: sale.id });
  for (const id of [old, young, ofSale]) await markSent(id);
  await sql`update mails set created_at = now() - interval '91 days' where id in (${old}, ${waiting}, ${ofSale})`;
  await sql`update mails set created_at = now() - interval '89 days' where id = ${young}`;
  await run();
  const left = await sql`select id from mails where id in (${old}, ${young}, ${waiting}, ${ofSale})`;
  expect(left.map(({ id }) => id).sort()).toEqual([young, waiting, ofSale].sort());
});

test("webhook bodies are deleted after 30 days, and a deleted webhook goes with its log", async () => {
  const { seller, product } = await openShop();
  const webhook = await makeWebhook(seller, { name: "old" });
  const sale = await makeSale(product);
  const record = async (days: number, status: string) => {
    const [row] = await sql`
      insert into deliveries (destination_id, seller_id, sale_id, subject_id, about_id, event, status, body_sealed,
        response_body, response_status, created_at)
      values (${webhook}, ${seller.id}, ${sale.id}, ${sale.id}, gen_random_uuid(), 'sale.paid', ${status}, 'x', 'Bia', 200,
        now() - make_interval(days => ${days})) returning id`;
    return row!.id as string;
  };
  const [old, young, waiting] = [
    await record(31, "sent"),
    await record(29, "sent"),
    await record(31, "queued"),
  ];
  await run();
  const bodies =
    await sql`select id, body_sealed, response_body, response_status from deliveries where seller_id = ${seller.id}`;
  const of = (id: string) => bodies.find((row) => row.id === id);
  expect(of(old)).toMatchObject({ body_sealed: null, response_body: null, response_status: 200 });
  expect(of(young)).toMatchObject({ body_sealed: "x", response_body: "Bia" });
  expect(of(waiting)).toMatchObject({ body_sealed: "x" });
  await deleteDestination("webhook", seller.id, webhook);
  await run();
  expect(await sql`select 1 from destinations where id = ${webhook}`).toHaveLength(1);
  await sql`update destinations set deleted_at = now() - interval '25 hours' where id = ${webhook}`;
  await run();
  expect(await sql`select 1 from destinations where id = ${webhook}`).toHaveLength(0);
  expect(await sql`select 1 from deliveries where seller_id = ${seller.id}`).toHaveLength(0);
});

test("a browser's ad identifiers are deleted after 90 days, and its buyer's consent stays", async () => {
  const { product } = await openShop();
  const [old, fresh] = [await makeSale(product), await makeSale(product)];
  await sql`update sales set ad_consent = true, ad_ids = '{"fbp": "fb.1.2.3"}' where id in (${old.id}, ${fresh.id})`;
  await sql`update sales set created_at = now() - interval '91 days' where id = ${old.id}`;
  await run();
  const [gone] = await sql`select ad_consent, ad_ids from sales where id = ${old.id}`;
  expect(gone).toEqual({ ad_consent: true, ad_ids: null });
  const [stored] = await sql`select ad_ids from sales where id = ${fresh.id}`;
  expect(stored!.ad_ids).not.toBe(null);
});

test("a key is deleted once no account uses it and no charge can need it", async () => {
  const { seller, product } = await openShop();
  const sale = await makeSale(product);
  const make = async (age: string | null) => {
    const [key] = await sql`insert into gateway_keys (seller_id, provider, api_key_sealed)
      values (${seller.id}, 'pushinpay', 'x') returning id`;
    const charge = age && (await makeCharge(sale, { gatewayKeyId: key!.id as string }));
    if (charge) await sql`update charges set created_at = now() - ${age}::interval where id = ${charge.id}`;
    return key!.id as string;
  };
  const [unused, old, young] = [await make(null), await make("181 days"), await make("179 days")];
  await run();
  const stored =
    await sql`select id from gateway_keys where seller_id = ${seller.id} and api_key_sealed is not null`;
  const [account] = await sql`select key_id from gateway_accounts where seller_id = ${seller.id}`;
  expect(stored.map((row) => row.id).sort()).toEqual([account!.key_id, young].sort());
  expect(stored.map((row) => row.id)).not.toContain(unused);
  expect(stored.map((row) => row.id)).not.toContain(old);
});

test("a key stays while a payment made with it can be refunded or is disputed, however old its order is", async () => {
  const { seller, product } = await openShop();
  const make = async (payment: { paid: string; dispute?: "open" | "won" }) => {
    const [key] = await sql`insert into gateway_keys (seller_id, provider, api_key_sealed)
      values (${seller.id}, 'pushinpay', 'x') returning id`;
    const sale = await makeSale(product, { status: "completed" });
    const charge = await makeCharge(sale, { status: "paid", gatewayKeyId: key!.id as string });
    await sql`update charges set created_at = now() - interval '255 days', paid_at = now() - ${payment.paid}::interval
      where id = ${charge.id}`;
    if (payment.dispute)
      await sql`insert into disputes (charge_id, seller_id, sale_id, status, origin, amount_cents, decided_at)
        values (${charge.id}, ${seller.id}, ${sale.id}, ${payment.dispute}, 'provider', 9700, ${payment.dispute === "open" ? null : new Date()})`;
    return key!.id as string;
  };
  const kept = [await make({ paid: "186 days" }), await make({ paid: "250 days", dispute: "open" })];
  const gone = [await make({ paid: "188 days" }), await make({ paid: "250 days", dispute: "won" })];
  await run();
  const stored = await sql`select id from gateway_keys where api_key_sealed is not null
    and id in ${sql([...kept, ...gone])}`;
  expect(stored.map((row) => row.id).sort()).toEqual(kept.sort());
});

test("jobs that failed for good go after a month", async () => {
  await sql`select graphile_worker.add_job('send-mail', '{}', job_key => 'alt')`;
  await sql`select graphile_worker.add_job('send-mail', '{}', job_key => 'neu')`;
  await sql`update graphile_worker._private_jobs set attempts = max_attempts where key in ('alt', 'neu')`;
  await sql`update graphile_worker._private_jobs set updated_at = now() - interval '31 days' where key = 'alt'`;
  await run();
  const left = await sql`select key from graphile_worker.jobs where key in ('alt', 'neu')`;
  expect(left.map((row) => row.key)).toEqual(["neu"]);
});

test("a large backlog is deleted in batches, also by several workers, without waiting for locks", async () => {
  const seller = await makeSeller();
  await sql`insert into sessions (seller_id, token_hash, expires_at)
    select ${seller.id}, gen_random_uuid(), now() - interval '1 day' from generate_series(1, 2501)`;
  const [held] = await sql`select id from sessions where seller_id = ${seller.id} limit 1`;
  const lock = await holdLock((tx) => tx`select 1 from sessions where id = ${held!.id} for update`);
  const { statements } = await countStatements(() => Promise.all([run(), run(), run()]));
  expect(statements.filter((one) => one.startsWith("delete from sessions")).length).toBeGreaterThan(3);
  const left = await sql`select id from sessions where seller_id = ${seller.id}`;
  expect(left.map((row) => row.id)).toEqual([held!.id]);
  await lock.release();
  await run();
  expect(await sql`select id from sessions where seller_id = ${seller.id}`).toHaveLength(0);
});

test("every job of the clock is in the catalogue", () => {
  const named = crontab
    .trim()
    .split("\n")
    .map((line) => line.split(" ")[5]);
  expect(named.filter((name) => !jobs.some((job) => job.name === name))).toEqual([]);
  expect(named.filter((name) => name === "clean-up")).toHaveLength(1);
});

/** Those that follow a row of `destinations`, and those of tables that stay small. */
const WITHOUT_ORDER = [
  ...["mail paces", "mail account pauses", "logs of deleted destinations", "deleted destinations"],
  ...["unused gateway keys", "failed jobs"],
];

test("each clean-up takes the oldest rows first, so that it follows an index", () => {
  for (const [kind, batch] of Object.entries(cleanUpBatches)) {
    const { sql: text } = new PgDialect().sqlToQuery(batch(1));
    // An index may begin with the seller, of which these rows have none.
    const isOrdered = / order by (seller_id, )?\w+ limit /.test(text.replace(/\s+/g, " "));
    expect(isOrdered, kind).toBe(!WITHOUT_ORDER.includes(kind));
  }
});

test("a clean-up that finds nothing reads no table, though statistics promise old rows on every page", async () => {
  const add = (name: string, age: string) => sql`
    insert into idempotency_keys (key, body, leased_until, created_at)
    select ${name} || n, repeat('x', 100), now(), now() - ${age}::interval from generate_series(1, 20000) n`;
  await add("new", "1 hour");
  await add("old", "30 hours");
  await sql`analyze idempotency_keys`;
  await sql`delete from idempotency_keys where key like 'old%'`;
  // Removes the rows, and leaves the statistics as they are.
  await sql`vacuum idempotency_keys`;
  const [found] = (await pagesOf(run)).filter(({ query }) =>
    query.startsWith("delete from idempotency_keys"),
  );
  expect(found!.pages).toBeLessThan(100);
});

test("of old mails, only those of no seller are read", async () => {
  const seller = await makeSeller();
  await sql`
    insert into mails (seller_id, kind, recipient, idempotency_key, status, created_at)
    select ${seller.id}, 'weekly-report', ${seller.email}, 'weekly-report/' || n, 'sent', now() - interval '100 days'
    from generate_series(1, 10000) n`;
  await sql`analyze mails`;
  const [found] = (await pagesOf(run)).filter(({ query }) => query.startsWith("delete from mails"));
  expect(found!.pages).toBeLessThan(50);
});
