import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { enterAccount } from "#app/domain/mail/sending/account-concurrency.ts";
import { clearPauseCache } from "#app/domain/mail/sending/account-pause.server.ts";
import { claimMails } from "#app/domain/mail/sending/claim-mails.server.ts";
import { explainMailError } from "#app/domain/mail/sending/explain-mail-error.ts";
import { sendMail } from "#app/domain/mail/sending/send-mail.server.ts";
import { platformCarrier } from "#app/domain/mail/sending/senders/platform.server.ts";
import { renderMail } from "#app/domain/sale/mails/render-mail.server.ts";
import { MINUTE, SECOND } from "#app/kit/duration.ts";
import { hashToken } from "#app/platform/secrets.server.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeSeller } from "#tests/support/make.ts";
import { attempt, mailRow, makeMail, makeOwnSender, scheduleNow } from "#tests/support/rows/make-mail.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ web: 0, worker: 0 });
const { account } = platformCarrier;

beforeEach(async () => {
  await sql`truncate mails, mail_paces, mail_account_pauses cascade`;
  clearPauseCache();
});

afterEach(() => {
  vi.useRealTimers();
});

/** Claims the one mail that is due, and sends it. */
async function sendNext() {
  const [claimed] = await claimMails(1);
  return sendMail(claimed!, renderMail);
}

/** A mail of a seller whose key Resend refuses, due now. */
async function refusedMail(): Promise<string> {
  const seller = await makeSeller();
  await makeOwnSender(seller, { key: "re_invalid-own" });
  const id = await makeMail({ sellerId: seller.id, via: "seller", from: "Loja <loja@exemplo.com.br>" });
  await scheduleNow(id);
  return id;
}

/** The platform's account has no slot for ten minutes. */
const slotsAreFarOff = () => sql`insert into mail_paces (account, next_slot_at, interval_ms)
  values (${account}, now() + interval '10 minutes', 300)`;

/** In how many milliseconds a mail is claimed again. */
const dueIn = async (id: string) => ((await mailRow(id)).scheduled_at as Date).getTime() - Date.now();

/** By how many milliseconds a mail is claimed before its slot. */
async function claimedAhead(id: string): Promise<number> {
  const row = (await mailRow(id)) as unknown as { slot_at: Date; scheduled_at: Date };
  return row.slot_at.getTime() - row.scheduled_at.getTime();
}

/** Sends a new mail of the platform that had a slot, `elapsed` milliseconds after its claim. */
async function sendInSlot({ slotInMs = 100, slotAccount = account as string | null, elapsed = 0 }) {
  const id = await makeMail();
  await scheduleNow(id);
  const [claimed] = await claimMails(1);
  const slotAt = new Date(Date.now() + slotInMs);
  const claimedTime = performance.now() - elapsed;
  const slot = { slotAccount, slotInMs: slotInMs + elapsed, slotAt, claimedTime };
  return { id, slotAt, result: await sendMail({ ...claimed!, ...slot }, renderMail) };
}

/** An account is paused for ten minutes. */
const pauseFor = (paused: string, via: string) => sql`
  insert into mail_account_pauses (account, via, refusals, paused_until)
  values (${paused}, ${via}, 1, now() + interval '10 minutes')`;

test("what a seller's account refused waits for the platform's while that is paused", async () => {
  await pauseFor(account, "platform");
  const id = await refusedMail();
  expect(await sendNext()).toEqual({ dueInMs: expect.any(Number) });
  expect(await mailRow(id)).toMatchObject({
    ...{ status: "attempting", via: "platform", account },
    ...{ slot_at: null, leased_until: null, claimed_at: null },
  });
  expect(await dueIn(id)).toBeGreaterThan(5 * MINUTE);
  expect(await dueIn(id)).toBeLessThanOrEqual(10 * MINUTE);
  expect(await app.sandbox.emails((await mailRow(id)).recipient)).toEqual([]);
});

test("it waits for a slot of the platform's account, and is sent in it", async () => {
  await slotsAreFarOff();
  const id = await refusedMail();
  expect(await sendNext()).toEqual({ dueInMs: expect.any(Number) });
  const row = await mailRow(id);
  expect(row).toMatchObject({ status: "attempting", via: "platform", account, slot_at: expect.any(Date) });
  expect(await dueIn(id)).toBeGreaterThan(5 * MINUTE);
  expect(await attempt(id)).toBe("done");
  const [mail, ...more] = await app.sandbox.emails(row.recipient);
  expect(more).toEqual([]);
  expect(mail!.body.from).toBe("Loja <nao-responda@checkintelli.local>");
  expect(mail!.body).not.toHaveProperty("note");
  const sent = await mailRow(id);
  expect(sent).toMatchObject({ status: "sent", via: "platform" });
  expect(explainMailError(sent.error!)).toMatch(/^Saiu pela plataforma, .* O Resend não reconheceu a chave/);
});

test("what is noted of the refusal outlasts attempts of the platform's that fail, and its pause ends with the mail", async () => {
  const id = await refusedMail();
  const body = { statusCode: 401, name: "invalid_api_key", message: "API key is invalid" };
  await slotsAreFarOff();
  await sendNext();
  await app.sandbox.fault({ service: "resend", mode: "status-401", body });
  expect(await attempt(id)).toBe("again");
  expect(explainMailError((await mailRow(id)).error!)).toBe(
    "A plataforma não está conseguindo enviar e-mails.",
  );
  await scheduleNow(id);
  await sql`update mail_account_pauses set paused_until = now() - interval '1 second'`;
  clearPauseCache();
  await sendNext();
  const sent = await mailRow(id);
  expect(sent).toMatchObject({ status: "sent", via: "platform" });
  expect(explainMailError(sent.error!)).toMatch(/^Saiu pela plataforma, /);
  expect(await sql`select from mail_account_pauses where account = ${account}`).toEqual([]);
});

test("a mail uses the slot it waited for; for another account's, or one long past, it gets a new one", async () => {
  await slotsAreFarOff();
  for (const slotAccount of [null, account]) {
    const { id, result } = await sendInSlot({ slotAccount });
    expect(result).toMatchObject({ id });
  }
  for (const { id, result } of [
    await sendInSlot({ slotAccount: "another account" }),
    await sendInSlot({ slotInMs: -5_000 }),
  ]) {
    expect(result).toEqual({ dueInMs: expect.any(Number) });
    expect(await mailRow(id)).toMatchObject({ status: "attempting", account, attempts: 0 });
    expect(await dueIn(id)).toBeGreaterThan(5 * MINUTE);
    expect(await dueIn(id)).toBeLessThan(11 * MINUTE);
  }
});

test("a slot within 300 ms is waited for, a later one elsewhere, and one half a second ago is lost", async () => {
  await slotsAreFarOff();
  vi.useFakeTimers({ toFake: ["performance"] });
  vi.advanceTimersByTime(20 * SECOND);
  const near = await sendInSlot({ slotInMs: 300 });
  expect(near.result).toMatchObject({ id: near.id });
  const sentAt = (await mailRow(near.id)).sent_at as Date;
  expect(sentAt.getTime(), "not before its slot").toBeGreaterThanOrEqual(near.slotAt.getTime() - 5);
  const later = await sendInSlot({ slotInMs: 301 });
  expect(later.result).toEqual({ dueInMs: expect.closeTo(151, 3) });
  const recent = await sendInSlot({ slotInMs: -499, elapsed: 5 * SECOND });
  expect(recent.result).toMatchObject({ id: recent.id });
  const lost = await sendInSlot({ slotInMs: -500 });
  expect(await dueIn(lost.id)).toBeGreaterThan(5 * MINUTE);
});

test("without a place at its account a mail is due before a new slot, for a process that has one", async () => {
  await slotsAreFarOff();
  const places = Array.from({ length: 10 }, () => enterAccount(account));
  onTestFinished(() => {
    for (const leave of places) leave?.();
  });
  const { id, result } = await sendInSlot({});
  expect(result).toBeNull();
  expect(await mailRow(id)).toMatchObject({ account, attempts: 0, leased_until: null });
  expect(await claimedAhead(id)).toBeGreaterThan(500);
  expect(await claimedAhead(id)).toBeLessThanOrEqual(1_500);
});

test("a mail of a paused account waits until its pause ends", async () => {
  await pauseFor(account, "platform");
  const id = await makeMail();
  const { dueInMs } = (await sendNext()) as { dueInMs: number };
  expect(dueInMs).toBeGreaterThan(9 * MINUTE);
  expect(dueInMs).toBeLessThanOrEqual(10 * MINUTE);
  expect(await dueIn(id)).toBeGreaterThan(9 * MINUTE);
  expect(await mailRow(id)).toMatchObject({ account, slot_at: null, attempts: 0 });
});

test("what a seller's account refused is sent in the platform's next slot, and claimed 150 ms before a far one", async () => {
  const id = await refusedMail();
  const [claimed] = await claimMails(1);
  const [pace] = await sql`insert into mail_paces (account, next_slot_at, interval_ms)
    values (${account}, now() + interval '280 ms', 300) returning next_slot_at`;
  expect(await sendMail({ ...claimed!, slotInMs: 0 }, renderMail)).toMatchObject({ id });
  const sentAt = (await mailRow(id)).sent_at as Date;
  expect(sentAt.getTime(), "not before its slot").toBeGreaterThanOrEqual(pace!.next_slot_at.getTime() - 5);
  // The time between two statements is missing, which may be long on a busy machine.
  await until(
    async () => {
      await sql`update mail_paces set next_slot_at = now() + interval '10 minutes' where account = ${account}`;
      const far = await refusedMail();
      await sendNext();
      const ahead = await claimedAhead(far);
      return ahead > 100 && ahead <= 150;
    },
    { what: "a mail that is claimed shortly before its slot", seconds: 20 },
  );
});

test("a seller's paused account stays so while the platform sends for it, and is free once it accepts a mail", async () => {
  const seller = await makeSeller();
  await makeOwnSender(seller);
  await pauseFor(hashToken("re_sandbox-demo"), "seller");
  const own = { sellerId: seller.id, via: "seller", from: "Loja <loja@exemplo.com.br>" } as const;
  const body = { statusCode: 401, name: "invalid_api_key", message: "API key is invalid" };
  await app.sandbox.fault({ service: "resend", mode: "status-401", body });
  const pauses = () => sql`select via from mail_account_pauses`;
  for (const [via, left] of [
    ["platform", [{ via: "seller" }]],
    ["seller", []],
  ] as const) {
    const id = await makeMail(own);
    await scheduleNow(id);
    await sendNext();
    // The notification for the seller waits as well.
    await sql`delete from mails where kind = 'mail-account-refused'`;
    expect(await mailRow(id)).toMatchObject({ status: "sent", via });
    expect(await pauses()).toEqual(left);
  }
});

test("a mail of no seller is the platform's, whose account is called once", async () => {
  const id = await makeMail({ via: "seller" });
  const body = { statusCode: 401, name: "invalid_api_key", message: "API key is invalid" };
  await app.sandbox.fault({ service: "resend", mode: "status-401", body });
  expect(await attempt(id)).toBe("again");
  expect(await sql`select account from mail_account_pauses`).toEqual([{ account }]);
});

test("an account that is only too busy for the mail that tries it stays paused", async () => {
  const id = await makeMail();
  await scheduleNow(id);
  await sql`insert into mail_account_pauses (account, via, refusals, paused_until)
    values (${account}, 'platform', 1, date_trunc('milliseconds', now()) - interval '1 second')`;
  await app.sandbox.fault({ service: "resend", mode: "http-429" });
  await sendNext();
  expect(await mailRow(id)).toMatchObject({ status: "attempting", attempts: 1 });
  expect(await sql`select account from mail_account_pauses`).toEqual([{ account }]);
});

test("no seller is mailed about their account for a moment's failure, or for a refusal of the platform's", async () => {
  const seller = await makeSeller();
  await makeOwnSender(seller);
  const id = await makeMail({ sellerId: seller.id, via: "seller", from: "Loja <loja@exemplo.com.br>" });
  await app.sandbox.fault({ service: "resend", mode: "http-500" });
  expect(await attempt(id)).toBe("again");
  const byPlatform = await makeMail({ sellerId: seller.id });
  const body = { statusCode: 401, name: "invalid_api_key", message: "API key is invalid" };
  await app.sandbox.fault({ service: "resend", mode: "status-401", body });
  expect(await attempt(byPlatform)).toBe("again");
  expect(await sql`select from mails where kind = 'mail-account-refused'`).toEqual([]);
});
