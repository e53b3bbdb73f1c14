import { randomUUID } from "node:crypto";
import type { TransactionSql } from "postgres";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Carrier, SendError } from "#app/domain/mail/message/mail-carrier.ts";
import { freezeMail } from "#app/domain/mail/queue/freeze-mail.server.ts";
import { clearPauseCache } from "#app/domain/mail/sending/account-pause.server.ts";
import { attemptMail, type BegunMail } from "#app/domain/mail/sending/attempt-mail.server.ts";
import { beginAttempt } from "#app/domain/mail/sending/begin-attempt.server.ts";
import { type ClaimedMail, claimMails, MAX_SEND_DELAY } from "#app/domain/mail/sending/claim-mails.server.ts";
import { sendMail } from "#app/domain/mail/sending/send-mail.server.ts";
import { platformCarrier } from "#app/domain/mail/sending/senders/platform.server.ts";
import { smtpSender } from "#app/domain/mail/sending/senders/smtp.server.ts";
import { renderMail } from "#app/domain/sale/mails/render-mail.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";
import { hashToken } from "#app/platform/secrets.server.ts";
import { HELD_UP, heldUp } from "#tests/integration/gateways/held-up.ts";
import { type SmtpAnswers, startSmtpServer } from "#tests/integration/mail/smtp-server.ts";
import { startApp } from "#tests/support/app.ts";
import { holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { makeSeller } from "#tests/support/make.ts";
import { attempt, mailRow, makeMail, makeOwnSender, scheduleNow } from "#tests/support/rows/make-mail.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ web: 0, worker: 0 });

beforeEach(async () => {
  await sql`truncate mails, mail_paces, mail_account_pauses cascade`;
  clearPauseCache();
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const OWN = { via: "seller", from: "Loja <loja@exemplo.com.br>" } as const;
const calls = async () => (await app.sandbox.calls()).resend.emails;
const arrived = async (id: string) => app.sandbox.emails((await mailRow(id)).recipient);

/** What is logged at a level from now on. */
function logged(level: "info" | "warn" | "error"): unknown[][] {
  const lines: unknown[][] = [];
  vi.spyOn(log, level).mockImplementation((...line: unknown[]) => void lines.push(line));
  return lines;
}

async function claim(id: string): Promise<ClaimedMail> {
  await scheduleNow(id);
  const [claimed] = await claimMails(1);
  expect(claimed!.id).toBe(id);
  return claimed!;
}

/** A mail whose attempt has begun. */
async function begun(id: string): Promise<BegunMail> {
  const claimed = await claim(id);
  const frozen = await freezeMail(claimed, renderMail);
  return { ...claimed, ...frozen, ...(await beginAttempt({ claimed, frozen }))! };
}

/** The platform's account or another, which does something before each call. */
const carrierThat = (before: () => Promise<unknown>, more: Partial<Carrier> = {}): Carrier => ({
  ...platformCarrier,
  ...more,
  async send(outgoing) {
    await before();
    return platformCarrier.send(outgoing);
  },
});

test("while a provider is called the lease of fifteen seconds is renewed, and not after its answer", async () => {
  const id = await makeMail();
  const remaining = async () => {
    const [row] =
      await sql`select extract(epoch from leased_until - now())::float8 as s from queued_mails where id = ${id}`;
    return row!.s as number;
  };
  const mail = await begun(id);
  expect(await remaining()).toBeGreaterThan(0);
  expect(await remaining()).toBeLessThanOrEqual(15);
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const sending = attemptMail(
    mail,
    carrierThat(() => answered),
    "free",
    () => {},
  );
  await sql`update queued_mails set leased_until = now() where id = ${id}`;
  vi.advanceTimersByTime(5 * SECOND);
  await until(async () => (await remaining()) > 0, { what: "a renewed lease", seconds: 30 });
  answer();
  expect(await sending).toMatchObject({ id });
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  ["that may be retried", { isRetryable: true }],
  ["for good", { isRetryable: false }],
])("a refusal %s changes nothing of a mail that was taken or ended meanwhile", async (_, refusal) => {
  const warnings = logged("warn");
  for (const change of [{ attempts: 2 }, { scheduled_at: null }]) {
    const id = await makeMail();
    const refusing = carrierThat(async () => {
      await sql`update queued_mails set ${sql(change)} where id = ${id}`;
      throw new SendError("não", refusal);
    });
    expect(await attemptMail(await begun(id), refusing, "free", () => {})).toBeNull();
    expect(await mailRow(id)).toMatchObject({
      ...{ status: "attempting", error: null, claimed_at: expect.any(Date) },
      ...change,
    });
  }
  expect(warnings).toEqual([]);
});

test("a mail that another worker took while its seller's account refused it is not sent by the platform", async () => {
  const warnings = logged("warn");
  const seller = await makeSeller();
  const id = await makeMail({ ...OWN, sellerId: seller.id });
  const refusing = carrierThat(
    async () => {
      await sql`update queued_mails set attempts = 2 where id = ${id}`;
      throw new SendError("401 invalid_api_key: não", { isRetryable: false, isAccountError: true });
    },
    { account: "own", isPaced: false },
  );
  const before = await calls();
  expect(await attemptMail(await begun(id), refusing, "free", () => {})).toBeNull();
  expect(await calls()).toBe(before);
  expect(await mailRow(id)).toMatchObject({ status: "attempting", via: "seller", attempts: 2, error: null });
  expect(warnings).toEqual([
    [
      { mailId: id, sellerId: seller.id, error: "401 invalid_api_key: não" },
      "seller's account refused a mail",
    ],
  ]);
});

test.each(HELD_UP)("a mail whose process %s before the platform's call is not sent", async (_, clock) => {
  logged("warn");
  const seller = await makeSeller();
  const id = await makeMail({ ...OWN, sellerId: seller.id });
  const mail = await begun(id);
  const refusal = new SendError("401 invalid_api_key: não", { isRetryable: false, isAccountError: true });
  const refusing = carrierThat(() => Promise.reject(refusal), { account: "own", isPaced: false });
  const before = await calls();
  const lock = (tx: TransactionSql) => tx`select from queued_mails where id = ${id} for update`;
  expect(await heldUp(clock, lock, () => attemptMail(mail, refusing, "free", () => {}))).toBeNull();
  expect(await calls()).toBe(before);
  expect(await mailRow(id)).toMatchObject({
    ...{ status: "attempting", via: "platform", attempts: 1, claimed_at: null, uncertain_since: null },
  });
  expect(await attempt(id)).toBe("done");
  expect(await arrived(id)).toHaveLength(1);
});

test("an attempt that is taken back leaves the lease to a worker that took the mail over meanwhile", async () => {
  const id = await makeMail();
  const claimed = await claim(id);
  const frozen = await freezeMail(claimed, renderMail);
  vi.useFakeTimers({ toFake: ["performance"] });
  const { release } = await holdLock((tx) => tx`select from queued_mails where id = ${id} for update`);
  try {
    const beginning = beginAttempt({ claimed, frozen });
    await untilLockedOut();
    const taking =
      sql`update queued_mails set leased_until = date_trunc('milliseconds', now()) + interval '20 seconds'
      where id = ${id} returning leased_until`.execute();
    await untilLockedOut(2);
    vi.advanceTimersByTime(MAX_SEND_DELAY);
    await release();
    expect(await beginning).toBeNull();
    const [taken] = await taking;
    expect(await mailRow(id)).toMatchObject({
      ...{ status: "attempting", attempts: 0, claimed_at: null, leased_until: taken!.leased_until },
    });
  } finally {
    await release();
  }
});

test("the log keeps no address that a mail server repeats; the list of mails does", async () => {
  const recipient = `bia-${randomUUID()}@exemplo.com.br`;
  const reason = `<${recipient.toUpperCase()}>: Recipient address rejected`;
  const [warnings, errors] = [logged("warn"), logged("error")];
  const refusedBy = async (answers: SmtpAnswers) => {
    const id = await makeMail({ recipient });
    const { url } = await startSmtpServer(answers);
    const carrier: Carrier = { account: hashToken(url), isPaced: false, send: smtpSender(url) };
    await attemptMail(await begun(id), carrier, "free", () => {});
    return (await mailRow(id)).error;
  };
  expect(await refusedBy({ RCPT: `550 5.1.1 ${reason}` })).toContain(reason);
  expect(await refusedBy({ MAIL: `553 5.7.1 ${reason}` })).toContain(reason);
  expect([warnings.length, errors.length]).toEqual([2, 1]);
  for (const [fields] of [...warnings, ...errors]) {
    expect(JSON.stringify(fields)).not.toContain("@");
    expect(fields).toMatchObject({ error: expect.stringContaining("[oculto] Recipient address rejected") });
  }
});

test("each result is logged with its mail, and an account's first refusal as an error", async () => {
  const [infos, warnings, errors] = [logged("info"), logged("warn"), logged("error")];
  const id = await makeMail();
  const body = { statusCode: 401, name: "invalid_api_key", message: "API key is invalid" };
  const error = "401 invalid_api_key: API key is invalid";
  await app.sandbox.fault({ service: "resend", mode: "status-401", body, times: 2 });
  for (const again of [id, id]) await sendMail(await claim(again), renderMail);
  // The account is paused since the first.
  const told = [{ mailId: id, kind: "purchase", via: "platform", error, again: true }, "mail not accepted"];
  expect(warnings).toEqual([told]);
  expect(errors).toEqual([[{ via: "platform", error }, "an account refuses every mail: it is paused"]]);
  await attempt(id);
  expect(warnings).toEqual([told, told]);
  expect(errors).toHaveLength(2);
  expect(infos).toEqual([]);
  await attempt(id);
  expect(infos).toEqual([[{ mailId: id, kind: "purchase", providerId: expect.any(String) }, "mail sent"]]);
  await makeMail();
  const [trying] = await claimMails(1);
  const refusing = carrierThat(async () => {
    throw new SendError(error, { isRetryable: false, isAccountError: true });
  });
  const frozen = await freezeMail(trying!, renderMail);
  const begunAttempt = await beginAttempt({ claimed: trying!, frozen });
  await sql`insert into mail_account_pauses (account, via, refusals, paused_until)
    values (${platformCarrier.account}, 'platform', 1, now())`;
  await attemptMail({ ...trying!, ...frozen, ...begunAttempt! }, refusing, "trial", () => {});
  expect(errors).toHaveLength(2);
});

test("of a long refusal the first 500 characters are stored", async () => {
  const refuse = (times: number) =>
    app.sandbox.fault({
      ...{ service: "resend", mode: "status-401", times },
      body: { statusCode: 401, name: "invalid_api_key", message: "x".repeat(600) },
    });
  const [waiting, ended] = [await makeMail(), await makeMail()];
  await sql`update queued_mails set created_at = now() - interval '4 days' where id = ${ended}`;
  await refuse(2);
  expect([await attempt(waiting), await attempt(ended)]).toEqual(["again", "done"]);
  const seller = await makeSeller();
  await makeOwnSender(seller);
  const sent = await makeMail({ ...OWN, sellerId: seller.id });
  await refuse(1);
  await attempt(sent);
  expect(await mailRow(sent)).toMatchObject({ status: "sent", via: "platform" });
  for (const id of [waiting, ended, sent]) expect((await mailRow(id)).error).toMatch(/^.{499}x$/);
});

test("a mail that is not accepted is attempted for three days, the last times six hours apart", async () => {
  const id = await makeMail();
  const { url } = await startSmtpServer({ DATA: "451 4.3.0 later" });
  const carrier: Carrier = { account: hashToken(url), isPaced: false, send: smtpSender(url) };
  for (const [attempts, hours] of [
    [10, 4],
    [12, 16],
    [21, 71],
    [22, 73],
  ] as const) {
    await sql`update queued_mails set attempts = ${attempts - 1}, created_at = now() - make_interval(hours => ${hours})
      where id = ${id}`;
    await attemptMail(await begun(id), carrier, "free", () => {});
    const [row] = await sql`select extract(epoch from scheduled_at - now())::float8 / 3600 as hours
      from queued_mails where id = ${id}`;
    if (attempts < 22) expect(row!.hours).toBeCloseTo(6.1, 1);
    else expect(row!.hours).toBeNull();
  }
  expect(await mailRow(id)).toMatchObject({ status: "failed", failure: "gave-up" });
});

test("an account is called as often as its answers say", async () => {
  const seller = await makeSeller();
  const key = `re_ritmo-${randomUUID()}`;
  await makeOwnSender(seller, { key });
  expect(await attempt(await makeMail({ ...OWN, sellerId: seller.id }))).toBe("done");
  const interval = () => sql`select interval_ms from mail_paces where account = ${hashToken(key)}`;
  expect(await until(async () => (await interval())[0], { seconds: 30 })).toEqual({ interval_ms: 250 });
});

test("a seller without a working key needs no slot, is mailed about it, and the operator learns why", async () => {
  const seller = await makeSeller();
  await makeOwnSender(seller);
  await sql`update mail_settings set resend_key_sealed = 'v1.x.y' where seller_id = ${seller.id}`;
  const id = await makeMail({ ...OWN, sellerId: seller.id });
  const errors = logged("error");
  expect(await sendMail({ ...(await claim(id)), slotAt: null }, renderMail)).toMatchObject({ id });
  expect(await mailRow(id)).toMatchObject({ status: "sent", via: "platform" });
  expect(await sql`select from mail_paces where account = ${seller.id}`).toEqual([]);
  expect(await sql`select seller_id from mails where kind = 'mail-account-refused'`).toEqual([
    { seller_id: seller.id },
  ]);
  expect(errors.map(([, text]) => text)).toEqual([
    "a Resend key cannot be unsealed: was APP_SECRET changed?",
  ]);
});

test("a mail that is rendered to be sent is stored before the call, and stays so while it waits", async () => {
  const seller = await makeSeller();
  const id = await makeMail({ sellerId: seller.id });
  await sql`update queued_mails set body_sealed = null, data = '{}' where id = ${id}`;
  const claimed = await claim(id);
  const render = async () => ({
    mail: { ...OWN, subject: "Oi", html: "<p>Oi</p>" },
    templateFailed: true,
  });
  const frozen = await freezeMail({ ...claimed, saleId: randomUUID() }, render);
  expect(await beginAttempt({ claimed, frozen })).toEqual({ attempts: 1, uncertainSince: null });
  expect(await mailRow(id)).toMatchObject({
    ...{ via: "seller", payload: { subject: "Oi" }, template_failed_at: expect.any(Date) },
  });
  const without = await freezeMail({ ...claimed, saleId: randomUUID() }, async () => ({
    ...(await render()),
    templateFailed: false,
  }));
  expect(without.templateFailedAt).toBeNull();
});
