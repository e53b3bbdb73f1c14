import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { type NewMail, queueMails } from "#app/domain/mail/queue/queue-mail.server.ts";
import { buy, openShop } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeSeller } from "#tests/support/make.ts";
import { mailRow, makeMail, makeOwnSender, reminderOf } from "#tests/support/rows/make-mail.ts";
import { longTest } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ web: 0, worker: 2 });

const sent = (ids: string[]) =>
  until(async () => (await Promise.all(ids.map(mailRow))).every((row) => row.status === "sent"), {
    what: `${ids.length} mails to be sent`,
  });

test("a backlog of mails keeps the provider's rate and each arrives once, with two workers", async () => {
  // Processes that have just begun are slow at first.
  await sent(await Promise.all([makeMail(), makeMail(), makeMail(), makeMail()]));
  await app.sandbox.post("/resend", { enforceRateLimit: true });
  const ids = await Promise.all(Array.from({ length: 16 }, () => makeMail()));
  await sent(ids);
  for (const id of ids) expect(await app.sandbox.emails((await mailRow(id)).recipient)).toHaveLength(1);
  // Their slots are in the database: neither worker used the other's. A machine that stalls may send several at once; with
  // slots of its own each worker would send as many as are allowed, and half of them would be refused.
  const attempts = (await Promise.all(ids.map(mailRow))).map((row) => row.attempts);
  expect(attempts.reduce((sum, one) => sum + one, 0)).toBeLessThan(ids.length * 1.4);
  await app.sandbox.post("/resend", { enforceRateLimit: false });
});

longTest("a pile of mails at a fast account wastes none of its turns", async () => {
  await app.sandbox.post("/resend", { requestsPerSecond: 50 });
  await sent([await makeMail()]);
  await sql`create table turns_given (at timestamptz)`;
  await sql`create function note_turn() returns trigger language plpgsql as
    $$ begin insert into turns_given values (new.slot_at); return null; end $$`;
  await sql`create trigger note_turn after update on queued_mails for each row
    when (new.slot_at is distinct from old.slot_at and new.slot_at is not null) execute function note_turn()`;
  const ids = await Promise.all(Array.from({ length: 150 }, () => makeMail()));
  await sent(ids);
  const [given] = await sql`select count(distinct at)::int as turns from turns_given`;
  // A mail that missed its slot got another; mails that exchanged theirs used none up.
  expect(given!.turns).toBeLessThan(2 * ids.length);
  await sql`drop table turns_given cascade`;
  await sql`drop function note_turn cascade`;
  await app.sandbox.post("/resend", { requestsPerSecond: 5 });
});

// It needs a machine with nothing else to do; priorities.test.ts holds the order itself.
longTest("who paid does not wait behind hundreds of PIX mails, with two workers", async () => {
  await app.sandbox.post("/resend", { requestsPerSecond: 5 });
  const waiting = Array.from({ length: 900 }, (_, n) => {
    const to = `${n}-espera@exemplo.com.br`;
    const text = { subject: "Seu PIX", html: "<p>PIX</p>", text: "PIX" };
    const mail = { from: "Loja <loja@exemplo.com.br>", ...text };
    return { kind: "pix", recipient: to, idempotencyKey: `pile/${n}`, mail } as unknown as NewMail;
  });
  await db.transaction((tx) => queueMails(tx, waiting));
  await until(
    async () =>
      (await sql`select from queued_mails where account is null and scheduled_at <= now()`).length === 0,
    { what: "PIX mails to wait for their turns" },
  );
  const access = await makeMail({ kind: "access" });
  await sent([access]);
  const [before] = await sql`select count(*)::int as codes from mails p, mails a
    where a.id = ${access} and p.kind = 'pix' and p.sent_at between a.created_at and a.sent_at`;
  await sql`delete from mails`;
  await sql`delete from mail_paces`;
  // Each slot is a fifth of a second, and the whole backlog three minutes: a busy machine sends some late.
  expect(before!.codes).toBeLessThan(60);
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
  expect((await reminderOf(saleId))!.scheduledAt.getTime() - Date.now()).toBeGreaterThan(14 * 60_000);
});

test("a scheduled reminder is sent automatically, and schedules the next one", async () => {
  const shop = await openShop();
  const email = "bia-lembrada@exemplo.com.br";
  const { saleId } = await buy(shop.product.id, {
    customer: { name: "Bia", email, phone: null, document: null },
  });
  await sql`update reminders set scheduled_at = date_trunc('milliseconds', now()) where sale_id = ${saleId}`;
  await until(async () => (await app.sandbox.emails(email)).length === 2, {
    what: "the reminder",
  });
  expect(await reminderOf(saleId)).toMatchObject({ number: 2 });
});

test("a payment is booked while every mail in flight hangs at its provider", async () => {
  const shop = await openShop();
  await app.sandbox.webhooks({ drop: true });
  const { saleId, chargeId, providerId } = await buy(shop.product.id);
  await until(async () => (await sql`select from mails where status = 'attempting'`).length === 0);
  await app.sandbox.post("/faults", { service: "resend", mode: "timeout", times: 80 });
  const hanging = await Promise.all(Array.from({ length: 30 }, () => makeMail()));
  const claimedCount = async () => (await sql`select from queued_mails where claimed_at is not null`).length;
  await until(async () => (await claimedCount()) >= 7, { what: "mails to hang" });
  await app.sandbox.pay(providerId);
  await sql`update charges set next_check_at = date_trunc('milliseconds', now()) where id = ${chargeId}`;
  await until(
    async () => (await sql`select from sales where id = ${saleId} and status = 'completed'`).length === 1,
    {
      what: "the payment to be booked",
    },
  );
  const [ended] =
    await sql`select count(*)::int as mails from mails where id in ${sql(hanging)} and error is not null`;
  expect(ended!.mails, "mails that gave their place up before").toBe(0);
  await app.sandbox.post("/faults", { service: "resend", mode: "timeout", times: 0 });
  await sql`delete from mails`;
  await app.sandbox.webhooks({ drop: false });
});

longTest("two accounts at which every mail hangs leave places to the others", async () => {
  const sellers = [await makeSeller(), await makeSeller()];
  for (const [n, seller] of sellers.entries()) await makeOwnSender(seller, { key: `re_hangs-${n}` });
  // A fast account, so that all its slots are used at once.
  await sql`insert into mail_paces (account, next_slot_at, interval_ms)
    select encode(sha256(convert_to(key, 'UTF8')), 'hex'), now(), 10 from unnest(array['re_hangs-0', 're_hangs-1']) key
    on conflict do nothing`;
  await app.sandbox.post("/faults", { service: "resend", mode: "timeout", times: 40 });
  for (const seller of sellers)
    for (let i = 0; i < 24; i++)
      await makeMail({ sellerId: seller.id, via: "seller", from: "Loja <loja@exemplo.com.br>" });
  await until(async () => (await sql`select from queued_mails where claimed_at is not null`).length === 40, {
    what: "both workers to have ten mails at each account",
  });
  const id = await makeMail();
  await until(async () => (await mailRow(id)).status === "sent", {
    what: "another's mail to be sent",
  });
  const gaveUp = await sql`select from mails where via = 'seller' and error is not null`;
  expect(gaveUp.length, "mails that gave their place up before").toBe(0);
  await app.sandbox.post("/faults", { service: "resend", mode: "timeout", times: 0 });
  await sql`delete from mails`;
});
