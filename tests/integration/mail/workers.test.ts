import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { enqueue } from "#app/queue/job.server.ts";
import { buy, openShop } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { mailRow, makeMail } from "#tests/support/make-mail.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ web: 0, worker: 2 });

test("a pile of mails keeps to the provider's pace and each arrives once, with two workers", async () => {
  await app.sandbox.post("/resend", { enforceRateLimit: true });
  const ids = await Promise.all(Array.from({ length: 16 }, () => makeMail()));
  await until(async () => (await Promise.all(ids.map(mailRow))).every((row) => row.status === "sent"), {
    seconds: 25,
    what: "16 mails to be sent",
  });
  for (const id of ids) expect(await app.sandbox.emails((await mailRow(id)).recipient)).toHaveLength(1);
  await app.sandbox.post("/resend", { enforceRateLimit: false });
});

test("an order's PIX mail arrives by itself and its first reminder waits", async () => {
  const shop = await openShop();
  const email = "bia-de-verdade@exemplo.com.br";
  const { saleId } = await buy(shop.product.id, {
    customer: { name: "Bia", email, phone: null, document: null },
  });
  const [mail] = await until(async () => {
    const mails = await app.sandbox.emails(email);
    return mails.length > 0 ? mails : null;
  });
  expect(mail!.body.subject).toBe("Seu PIX para Curso de Violão está esperando");
  const [job] = await sql`select run_at from graphile_worker.jobs where key = ${`remind-buyer:${saleId}:1`}`;
  expect(job!.run_at.getTime() - Date.now()).toBeGreaterThan(14 * 60_000);
});

test("payments go before mails", async () => {
  await db.transaction(async (tx) => {
    await enqueue(
      tx,
      { name: "send-mail", maxAttempts: 1, priority: 10 },
      { mailId: "x" },
      { key: "p1", when: new Date(Date.now() + 60_000) },
    );
    await enqueue(
      tx,
      { name: "check-charge", maxAttempts: 1 },
      { chargeId: "x" },
      { key: "p2", when: new Date(Date.now() + 60_000) },
    );
  });
  const jobs =
    await sql`select key, priority from graphile_worker.jobs where key in ('send-mail:p1', 'check-charge:p2') order by priority`;
  expect(jobs.map((job) => job.key)).toEqual(["check-charge:p2", "send-mail:p1"]);
});

test("a waiting PIX is announced while every mail under way hangs at its provider", async () => {
  const shop = await openShop();
  await app.sandbox.post("/faults", { service: "resend", mode: "timeout", times: 50 });
  const hanging = await Promise.all(Array.from({ length: 14 }, () => makeMail()));
  const busy = async () => {
    const [row] = await sql`select count(*)::int as mails from graphile_worker.jobs
      where task_identifier = 'send-mail' and locked_at is not null`;
    return row!.mails === 12;
  };
  await until(busy, { what: "both workers to have their places full of mails" });
  const { saleId } = await buy(shop.product.id);
  const then = await until(
    async () => {
      const [row] = await sql`select
        exists (select from mails where kind = 'pix' and sale_id = ${saleId}) as announced,
        (select count(*)::int from mails where id in ${sql(hanging)} and error is not null) as ended`;
      return row!.announced ? row! : null;
    },
    { what: "the PIX to be announced" },
  );
  expect(then.ended, "mails that gave their place up before").toBe(0);
  await app.sandbox.post("/faults", { service: "resend", mode: "timeout", times: 0 });
});
