import type { TransactionSql } from "postgres";
import { expect, test, vi } from "vitest";
import { db } from "#app/db/client.server.ts";
import { checkResendKey } from "#app/domain/mail/resend/check-resend-key.server.ts";
import { storeResendKey } from "#app/domain/mail/resend/save-resend-key.server.ts";
import { enterAccount } from "#app/domain/mail/sending/account-concurrency.ts";
import { claimMails } from "#app/domain/mail/sending/claim-mails.server.ts";
import { sendMail } from "#app/domain/mail/sending/send-mail.server.ts";
import { platformCarrier } from "#app/domain/mail/sending/senders/platform.server.ts";
import { renderMail } from "#app/domain/sale/mails/render-mail.server.ts";
import { DAY } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";
import { HELD_UP, heldUp } from "#tests/integration/gateways/held-up.ts";
import { startApp } from "#tests/support/app.ts";
import { holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { makeSeller } from "#tests/support/make.ts";
import {
  attempt,
  mailRow,
  mailsWithTexts,
  makeMail,
  makeOwnSender,
  scheduleNow,
} from "#tests/support/rows/make-mail.ts";
import { longTest } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ web: 0, worker: 0 });
const arrived = async (id: string) => app.sandbox.emails((await mailRow(id)).recipient);

/** A mail whose worker was killed in its last attempt, after the call: the provider has it, our row does not know. */
async function abandoned({ age = "20 minutes", lost = true, via = {} as object } = {}) {
  const id = await makeMail(via);
  if (lost) {
    await app.sandbox.fault({ service: "resend", mode: "reset", after: true });
    await attempt(id);
  }
  await sql`update mails set error = null where id = ${id}`;
  await sql`update queued_mails set uncertain_since = null, claimed_at = now() - ${age}::interval,
    created_at = now() - ${age}::interval where id = ${id}`;
  return id;
}

const claimedIds = async (most = 50) => (await claimMails(most)).map((mail) => mail.id);

test("an abandoned mail is claimed again when its lease ends, and arrives once", async () => {
  const id = await abandoned();
  await sql`update queued_mails set scheduled_at = now(), leased_until = date_trunc('milliseconds', now()) + interval '10 seconds' where id = ${id}`;
  expect(await claimedIds()).not.toContain(id);
  await sql`update queued_mails set leased_until = date_trunc('milliseconds', now()) where id = ${id}`;
  expect(await attempt(id)).toBe("done");
  expect(await mailRow(id)).toMatchObject({ status: "sent", claimed_at: null });
  expect(await arrived(id)).toHaveLength(1);
});

test("twenty workers at once claim each mail once", async () => {
  const ids = await Promise.all(Array.from({ length: 30 }, () => makeMail()));
  const all = (await Promise.all(Array.from({ length: 20 }, () => claimedIds(5)))).flat();
  expect(all.filter((id) => ids.includes(id)).sort()).toEqual(ids.sort());
});

test("a worker that wakes up after another claimed its mail calls nobody", async () => {
  const id = await makeMail();
  await scheduleNow(id);
  const [frozen] = await claimMails(1);
  expect(await attempt(id)).toBe("done");
  const calls = (await app.sandbox.calls()).resend.emails;
  expect(await sendMail(frozen!, renderMail)).toBeNull();
  // Also while the other is still at it.
  const busy = await makeMail();
  await scheduleNow(busy);
  const [old] = await claimMails(1);
  await sql`update queued_mails set leased_until = date_trunc('milliseconds', now()) + interval '15 seconds' where id = ${busy}`;
  expect(await sendMail(old!, renderMail)).toBeNull();
  expect((await app.sandbox.calls()).resend.emails).toBe(calls);
  expect(await mailRow(busy)).toMatchObject({
    status: "attempting",
    attempts: 0,
    body_sealed: expect.anything(),
  });
});

test.each(HELD_UP)("a mail whose process %s before its call is due again, not sent", async (_, clock) => {
  const id = await makeMail();
  await scheduleNow(id);
  const [claimed] = await claimMails(1);
  const { emails } = (await app.sandbox.calls()).resend;
  const lock = (tx: TransactionSql) => tx`select from queued_mails where id = ${id} for update`;
  expect(await heldUp(clock, lock, () => sendMail(claimed!, renderMail))).toBeNull();
  expect((await app.sandbox.calls()).resend.emails).toBe(emails);
  // Nobody has it: it is not uncertain.
  expect(await mailRow(id)).toMatchObject({
    ...{ status: "attempting", attempts: 0, leased_until: null, claimed_at: null, uncertain_since: null },
  });
  expect(await attempt(id)).toBe("done");
  expect(await arrived(id)).toHaveLength(1);
});

/** What of a claimed mail makes it be given up. */
const DAYS_OLD = { createdAt: new Date(Date.now() - 4 * DAY), attempts: 1, error: "500: oops" };

test("a worker that lost a mail neither gives it up nor puts it off; another of its claim is given up alone", async () => {
  const ids = [await makeMail(), await makeMail(), await makeMail()];
  for (const id of ids) await scheduleNow(id);
  const [lost, old, young] = await claimMails(3);
  await sql`update queued_mails set leased_until = leased_until + interval '1 second' where id = ${lost!.id}`;
  const { scheduled_at, leased_until } = await mailRow(lost!.id);
  const warn = vi.spyOn(log, "warn").mockImplementation(() => {});
  try {
    expect(await sendMail({ ...lost!, ...DAYS_OLD }, renderMail)).toBeNull();
    await expect(sendMail({ ...lost!, bodySealed: null }, renderMail)).rejects.toThrow("no data to render");
    expect(await mailRow(lost!.id)).toMatchObject({ status: "attempting", scheduled_at, leased_until });
    expect(warn).not.toHaveBeenCalled();
    expect(await sendMail({ ...old!, ...DAYS_OLD }, renderMail)).toBeNull();
    expect(warn).toHaveBeenCalledExactlyOnceWith({ mailId: old!.id, why: "500: oops" }, "mail given up");
  } finally {
    warn.mockRestore();
  }
  expect(await mailRow(old!.id)).toMatchObject({ status: "failed", failure: "gave-up", error: "500: oops" });
  expect((await mailRow(young!.id)).status).toBe("attempting");
});

test("a mail that another worker takes in that moment is not given up", async () => {
  const id = await makeMail();
  await scheduleNow(id);
  const [old] = await claimMails(1);
  const taking = await holdLock(
    (tx) => tx`update queued_mails set leased_until = leased_until + interval '15 seconds' where id = ${id}`,
  );
  const givingUp = sendMail({ ...old!, ...DAYS_OLD }, renderMail);
  await untilLockedOut();
  await taking.release();
  expect(await givingUp).toBeNull();
  expect(await mailRow(id)).toMatchObject({ status: "attempting", leased_until: expect.any(Date) });
});

test("lost mails keep no places at their account", async () => {
  const id = await makeMail();
  await scheduleNow(id);
  const [claimed] = await claimMails(1);
  await sql`update queued_mails set leased_until = leased_until + interval '1 second' where id = ${id}`;
  const lost = { ...claimed!, slotInMs: 0, claimedTime: performance.now() };
  expect(await Promise.all(Array.from({ length: 10 }, () => sendMail(lost, renderMail)))).toEqual(
    Array(10).fill(null),
  );
  const place = enterAccount(platformCarrier.account);
  expect(place).not.toBeNull();
  place!();
});

test("an error of ours puts a mail off for longer and longer", async () => {
  const id = await makeMail();
  await sql`update mails set kind = 'refund' where id = ${id}`;
  await sql`update queued_mails set body_sealed = null, data = '{}' where id = ${id}`;
  for (const [age, shortest, longest] of [
    ["0 seconds", 5, 10],
    ["5 minutes", 295, 310],
    ["2 hours", 595, 600],
  ] as const) {
    await sql`update queued_mails set created_at = now() - ${age}::interval where id = ${id}`;
    await scheduleNow(id);
    const [broken] = await claimMails(1);
    await expect(sendMail(broken!, renderMail)).rejects.toThrow("no data to render");
    const [row] =
      await sql`select extract(epoch from scheduled_at - now())::float8 as pause, attempts, leased_until from ${mailsWithTexts()} where id = ${id}`;
    expect(row).toMatchObject({ attempts: 0, leased_until: null });
    expect(row!.pause).toBeGreaterThan(shortest);
    // The column rounds to milliseconds.
    expect(row!.pause).toBeLessThanOrEqual(longest + 0.001);
  }
  await sql`delete from mails where id = ${id}`;
});

test("so does one while a mail is redirected", async () => {
  const seller = await makeSeller();
  const id = await makeMail({
    kind: "weekly-report",
    sellerId: seller.id,
    recipient: "antes@exemplo.com.br",
  });
  await sql`update queued_mails set body_sealed = 'nonsense', created_at = now() - interval '2 hours' where id = ${id}`;
  await scheduleNow(id);
  const [broken] = await claimMails(1);
  await expect(sendMail(broken!, renderMail)).rejects.toThrow();
  const [row] =
    await sql`select extract(epoch from scheduled_at - now())::float8 as pause, leased_until from ${mailsWithTexts()} where id = ${id}`;
  expect(row!.leased_until).toBeNull();
  expect(row!.pause).toBeGreaterThan(595);
  await sql`delete from mails where id = ${id}`;
});

test("after the provider has forgotten the idempotency key nothing is sent a second time", async () => {
  const id = await abandoned({ age: "25 hours" });
  expect(await attempt(id)).toBe("done");
  expect(await mailRow(id)).toMatchObject({
    status: "failed",
    error: expect.stringContaining("pode ter chegado"),
  });
  expect(await arrived(id)).toHaveLength(1);
});

test("a mail left in the middle is not handed to another account, which could make a second copy", async () => {
  const seller = await makeSeller();
  await makeOwnSender(seller);
  const id = await abandoned({
    via: { sellerId: seller.id, via: "seller", from: "Loja <loja@exemplo.com.br>" },
  });
  await app.sandbox.fault({ service: "resend", mode: "status-401" });
  await attempt(id);
  expect(await mailRow(id)).toMatchObject({ via: "seller", uncertain_since: expect.any(Date) });
});

test("nor is it sent by the account whose key its seller saves after that; one whose worker lives stays with it", async () => {
  const seller = await makeSeller();
  await makeOwnSender(seller);
  const via = { sellerId: seller.id, via: "seller", from: "Loja <loja@exemplo.com.br>" };
  const [dead, living] = [await abandoned({ via }), await abandoned({ via })];
  await sql`update queued_mails set leased_until = date_trunc('milliseconds', now()) + interval '1 minute' where id = ${living}`;
  const newKey = await checkResendKey(seller.id, "re_sandbox-other");
  await db.transaction((tx) => storeResendKey(tx, seller.id, newKey));
  expect((await mailRow(living)).status).toBe("attempting");
  await sql`delete from mails where id = ${living}`;
  expect(await attempt(dead)).toBe("done");
  expect(await arrived(dead)).toHaveLength(1);
  expect(await mailRow(dead)).toMatchObject({
    ...{ status: "failed", failure: "dropped" },
    error: "O provedor não confirmou o envio: o e-mail pode ter chegado.",
  });
});

test("a mail that was left in the middle for days ends as failed", async () => {
  const id = await abandoned({ age: "4 days", lost: false });
  expect(await attempt(id)).toBe("done");
  expect(await mailRow(id)).toMatchObject({
    status: "failed",
    error: expect.stringContaining("interrompido"),
  });
});

longTest("a worker that is killed between claim and answer leaves no mail behind", async () => {
  // The fault is for this mail's call, not for one that another test left.
  await sql`delete from mails`;
  const living = await startApp({ web: 0, worker: 1 });
  await living.sandbox.fault({ service: "resend", route: "emails", mode: "timeout" });
  const id = await makeMail();
  // Not before the call is out: the fault is for this attempt, the next one must be answered.
  await until(async () => (await living.sandbox.calls()).resend.emails > 0);
  await living.worker[0]!.kill();
  await living.worker[0]!.start();
  await until(async () => (await mailRow(id)).status === "sent", {
    what: "the mail to be sent",
  });
  const sent = await mailRow(id);
  expect(sent.attempts, "more than two where the machine is too busy to answer in time").toBeGreaterThan(1);
  expect(await living.sandbox.emails(sent.recipient)).toHaveLength(1);
});
