import { expect } from "vitest";
import { buy, openShop, stateOf } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { reminderOf } from "#tests/support/rows/make-mail.ts";
import { longTest } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

longTest(
  "what a version of before has queued as jobs is done all the same, once",
  {
    timeout: 240_000,
  },
  async () => {
    const app = await startApp({ web: 0, worker: 1 });
    await app.sandbox.webhooks({ drop: true });
    const shop = await openShop();
    const email = "bia-de-antes@exemplo.com.br";
    const { saleId, chargeId, providerId } = await buy(shop.product.id, {
      customer: { name: "Bia", email, phone: null, document: null },
    });
    await until(async () => (await app.sandbox.emails(email)).length === 1);
    // As that version leaves it: neither mail nor reminder yet.
    await sql`delete from reminders`;
    await sql`delete from mails`;
    const queue = (task: string, ids: object) =>
      sql`select graphile_worker.add_job(${task}, ${JSON.stringify(ids)}::text::json, job_key => ${`${task}:${saleId}`})`;
    await queue("announce-pix", { saleId });
    await until(async () => (await reminderOf(saleId))?.number === 1);
    await sql`delete from reminders`;
    await queue("remind-buyer", { saleId, number: 2, since: Date.now() - 60_000 });
    await until(
      async () =>
        (await sql`select from mails where idempotency_key = ${`reminder/${saleId}/2`}`).length === 1,
      {
        seconds: 30,
      },
    );
    expect(await reminderOf(saleId)).toMatchObject({ number: 3 });
    await app.sandbox.pay(providerId);
    await sql`update charges set next_check_at = null, last_checked_at = null where id = ${chargeId}`;
    await app.sandbox.advance(61);
    await queue("check-charge", { chargeId });
    await until(async () => (await stateOf(saleId)).status === "completed");
    const [mail] = await sql`select id from mails where kind = 'purchase'`;
    await queue("send-mail", { mailId: mail!.id });
    // Its row is due by itself; the job says nothing more.
    await queue("tell-news", { destinationId: saleId, subjectId: saleId });
    await until(
      async () => (await sql`select from graphile_worker.jobs where key like ${`%${saleId}`}`).length === 0,
    );
    await until(async () => (await sql`select from mails where status = 'attempting'`).length === 0, {
      seconds: 20,
    });
    const subjects = (await app.sandbox.emails(email)).map(({ body }) => body.subject);
    expect(subjects.filter((subject) => subject.startsWith("Sua compra foi aprovada"))).toHaveLength(1);
    await app.close();
  },
);
