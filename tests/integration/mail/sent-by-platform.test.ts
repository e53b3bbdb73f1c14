import { beforeEach, expect, test } from "vitest";
import { clearPauseCache } from "#app/domain/mail/sending/account-pause.server.ts";
import { claimMails } from "#app/domain/mail/sending/claim-mails.server.ts";
import { sendMail } from "#app/domain/mail/sending/send-mail.server.ts";
import { platformCarrier } from "#app/domain/mail/sending/senders/platform.server.ts";
import { renderMail } from "#app/domain/sale/mails/render-mail.server.ts";
import { MINUTE } from "#app/kit/duration.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeSeller } from "#tests/support/make.ts";
import { attempt, mailRow, makeMail, makeOwnSender, scheduleNow } from "#tests/support/rows/make-mail.ts";

const app = await startApp({ web: 0, worker: 0 });
const { account } = platformCarrier;

beforeEach(async () => {
  await sql`truncate mails, mail_paces, mail_account_pauses cascade`;
  clearPauseCache();
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

test("what a seller's account refused waits for the platform's while that is paused", async () => {
  await sql`insert into mail_account_pauses (account, via, refusals, paused_until)
    values (${account}, 'platform', 1, now() + interval '10 minutes')`;
  const id = await refusedMail();
  expect(await sendNext()).toEqual({ retryInMs: expect.any(Number) });
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
  expect(await sendNext()).toEqual({ retryInMs: expect.any(Number) });
  const row = await mailRow(id);
  expect(row).toMatchObject({ status: "attempting", via: "platform", account, slot_at: expect.any(Date) });
  expect(await dueIn(id)).toBeGreaterThan(5 * MINUTE);
  expect(await attempt(id)).toBe("done");
  const [mail, ...more] = await app.sandbox.emails(row.recipient);
  expect(more).toEqual([]);
  expect(mail!.body.from).toBe("Loja <nao-responda@checkintelli.local>");
});

test("a mail uses the slot it waited for; for another account's, or one long past, it gets a new one", async () => {
  await slotsAreFarOff();
  const sendWith = async (slotAccount: string | null, slotInMs: number) => {
    const id = await makeMail();
    await scheduleNow(id);
    const [claimed] = await claimMails(1);
    const slot = { slotAccount, slotInMs, slotAt: new Date(), claimedTime: performance.now() };
    return { id, result: await sendMail({ ...claimed!, ...slot }, renderMail) };
  };
  for (const slotAccount of [null, account]) {
    const { id, result } = await sendWith(slotAccount, 100);
    expect(result).toMatchObject({ id });
  }
  for (const { id, result } of [await sendWith("another account", 100), await sendWith(account, -5_000)]) {
    expect(result).toEqual({ retryInMs: expect.any(Number) });
    expect(await mailRow(id)).toMatchObject({ status: "attempting", account, attempts: 0 });
    expect(await dueIn(id)).toBeGreaterThan(5 * MINUTE);
    expect(await dueIn(id)).toBeLessThan(11 * MINUTE);
  }
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
