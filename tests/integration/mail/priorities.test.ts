import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import type { MailKind } from "#app/db/schema/mail-data.ts";
import { sealMail } from "#app/domain/mail/queue/mail-body.server.ts";
import { MAIL_PRIORITY } from "#app/domain/mail/queue/priorities.ts";
import { claimMails } from "#app/domain/mail/sending/claim-mails.server.ts";
import { sendMail } from "#app/domain/mail/sending/send-mail.server.ts";
import { platformCarrier } from "#app/domain/mail/sending/senders/platform.server.ts";
import { describeTimelineEntry } from "#app/domain/reports/describe-timeline-entry.ts";
import { readTimeline } from "#app/domain/reports/read-timeline.server.ts";
import { renderMail } from "#app/domain/sale/mails/render-mail.server.ts";
import { buy, openShop } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { mailRow, makeMail } from "#tests/support/rows/make-mail.ts";

const app = await startApp({ web: 0, worker: 0 });

beforeEach(async () => {
  await sql`truncate mails, mail_paces cascade`;
});

const { account } = platformCarrier;
const { bodySealed } = sealMail({ from: "", to: "", subject: "", html: "", text: "" });

/** PIX mails waiting at an account, each with its slot, the first in an hour. @returns their ids, the oldest first */
async function pile(count: number, of = account, kind: MailKind = "pix"): Promise<string[]> {
  const rows = await sql`
    with piled as (
      insert into mails (kind, recipient, idempotency_key, created_at)
      select ${kind}, n || '@exemplo.com.br', ${randomUUID()} || '/' || n, now() - interval '1 hour' + n * interval '1 ms'
      from generate_series(1, ${count}) n returning id, created_at
    )
    insert into queued_mails (id, created_at, priority, body_sealed, account, slot_at, scheduled_at)
    select id, created_at, ${MAIL_PRIORITY[kind]}, ${bodySealed}, ${of}, slot, slot - interval '150 ms'
    from (select *, now() + interval '1 hour' + row_number() over (order by created_at) * interval '300 ms' as slot from piled) p
    order by created_at returning id`;
  await sql`insert into mail_paces (account, next_slot_at, interval_ms)
    values (${of}, now() + interval '1 hour' + ${count + 1} * interval '300 ms', 300)
    on conflict (account) do update set next_slot_at = excluded.next_slot_at`;
  return rows.map((row) => row.id);
}

/** Makes the next slots of an account pass: one, or several at once. */
const slotsPass = (many = 1, of = account) => sql`
  update queued_mails set scheduled_at = now(), slot_at = now() + interval '1 minute'
  where id in (select id from queued_mails where account = ${of} order by scheduled_at limit ${many})`;

const claimed = async (most = 40) => (await claimMails(most)).map(({ id }) => id);

/** Claims a mail for the first time: its account's slots are far off, so it is released until then. */
async function joinQueue(id: string): Promise<void> {
  const [first] = await claimMails(1);
  expect(first!.id).toBe(id);
  expect(await sendMail(first!, renderMail)).toMatchObject({ dueInMs: expect.any(Number) });
  expect(await mailRow(id)).toMatchObject({ account: expect.any(String), status: "attempting" });
}

test("the next slot goes to an access mail, however many PIX mails wait before it", async () => {
  const codes = await pile(900);
  const access = await makeMail({ kind: "access" });
  await joinQueue(access);
  await slotsPass();
  expect(await claimed()).toEqual([access]);
  // The previous owner of that slot keeps its rank: the others move by one, and none is left without a slot.
  for (const code of codes.slice(0, 3)) {
    await slotsPass();
    expect(await claimed()).toEqual([code]);
  }
  const [left] = await sql`select count(*)::int as waiting, count(distinct slot_at)::int as turns
    from queued_mails where account = ${account}`;
  expect(left).toEqual({ waiting: 897, turns: 897 });
});

test("several workers at once assign each slot once, the highest priority first", async () => {
  const codes = await pile(900);
  const resets = await Promise.all([
    makeMail({ kind: "reset-password" }),
    makeMail({ kind: "confirm-email" }),
  ]);
  for (const mail of await claimMails(2)) await sendMail(mail, renderMail);
  await slotsPass(5);
  const rounds = await Promise.all(Array.from({ length: 6 }, () => claimed()));
  const all = rounds.flat();
  expect(new Set(all).size).toBe(all.length);
  while (all.length < 5) all.push(...(await claimed()));
  // While another worker holds a mail, the next best is claimed.
  expect(all).toHaveLength(5);
  expect(all).toEqual(expect.arrayContaining(resets));
  for (const code of all.filter((id) => !resets.includes(id))) expect(codes.slice(0, 20)).toContain(code);
});

test("each account has its own slots, and notification mails and reminders come last at each", async () => {
  const [other] = await pile(3, "another account", "reminder");
  const newSaleMails = await pile(3, account, "new-sale");
  const codes = await pile(2, account);
  await slotsPass(1);
  await slotsPass(1, "another account");
  expect((await claimed()).sort()).toEqual([codes[0]!, other!].sort());
  await slotsPass(2);
  expect((await claimed()).sort()).toEqual([codes[1]!, newSaleMails[0]!].sort());
});

test("new mails are claimed by kind, not by arrival", async () => {
  const reminders = await Promise.all([makeMail({ kind: "reminder" }), makeMail({ kind: "weekly-report" })]);
  const codes = await Promise.all([makeMail({ kind: "pix" }), makeMail({ kind: "pix" })]);
  const access = await makeMail({ kind: "purchase" });
  expect(await claimed(1)).toEqual([access]);
  expect((await claimed(2)).sort()).toEqual([...codes].sort());
  expect((await claimed()).sort()).toEqual([...reminders].sort());
});

test("a mail whose worker died keeps its rank among those of its kind", async () => {
  const [first, second] = await pile(900);
  await slotsPass();
  expect(await claimed()).toEqual([first]);
  // Nobody renewed its lease, and its slot passed.
  await sql`update queued_mails set scheduled_at = now(), leased_until = now(), slot_at = now() - interval '15 seconds' where id = ${first!}`;
  await joinQueue(first!);
  await slotsPass();
  expect(await claimed()).toEqual([first]);
  await slotsPass();
  expect(await claimed()).toEqual([second]);
});

test("a claimed mail stays with its worker, though it is the best of its account", async () => {
  const [first, second] = await pile(3);
  await slotsPass();
  expect(await claimed()).toEqual([first]);
  await slotsPass();
  expect(await claimed()).toEqual([second]);
});

test("no PIX mail is sent for a paid order, rendered or not, and its history states it", async () => {
  const shop = await openShop();
  const email = `paga-${randomUUID()}@exemplo.com.br`;
  const customer = { name: "Bia", email, phone: null, document: null };
  const { saleId } = await buy(shop.product.id, { customer });
  const [pix] = await sql`select id from mails where sale_id = ${saleId} and kind = 'pix'`;
  const reminder = await makeMail({ kind: "reminder", saleId, sellerId: shop.seller.id, recipient: email });
  await sql`update sales set status = 'completed', completed_at = now() where id = ${saleId}`;
  for (const mail of await claimMails(10)) expect(await sendMail(mail, renderMail)).toBeNull();
  for (const id of [pix!.id, reminder])
    expect(await mailRow(id)).toMatchObject({
      status: "failed",
      attempts: 0,
      error: "Não enviado: a compra já foi paga.",
    });
  expect(await app.sandbox.emails(email)).toHaveLength(0);
  const lines = (await readTimeline(shop.seller.id, saleId)).map(describeTimelineEntry);
  expect(lines).toContain(`E-mail com o PIX para ${email}: não enviado: a compra já foi paga.`);
  // One that may have arrived is not called unsent.
  await sql`update mails set status = 'attempting' where id = ${pix!.id}`;
  await sql`insert into queued_mails (id, body_sealed, claimed_at) values (${pix!.id}, ${bodySealed}, now())`;
  for (const mail of await claimMails(10)) await sendMail(mail, renderMail);
  expect((await mailRow(pix!.id)).error).toBe(
    "A compra já foi paga. O provedor não confirmou o envio: o e-mail pode ter chegado.",
  );
});
