import { expect, test, vi } from "vitest";
import {
  beginTrial,
  clearPauseCache,
  endPause,
  findPause,
  pauseAccount,
} from "#app/domain/mail/sending/account-pause.server.ts";
import { retryPausedMails } from "#app/domain/mail/sending/retry-mails.server.ts";
import { platformCarrier } from "#app/domain/mail/sending/senders/platform.server.ts";
import { HOUR, MINUTE, SECOND } from "#app/kit/duration.ts";
import { refusedMailAccounts } from "#app/metrics/refused-mail-accounts.server.ts";
import { countStatements, sql } from "#tests/support/database.ts";
import { makeMail } from "#tests/support/rows/make-mail.ts";

/** For how many milliseconds an account is paused, null where it is free, and how many statements it took to learn that. */
async function lookAt(account: string): Promise<{ ms: number | null; statements: number }> {
  const { result, count } = await countStatements(() => findPause(account));
  return { ms: result === "free" ? null : result.pausedForMs, statements: count };
}

test("an account's state is read once a second, and counted down in between", async () => {
  clearPauseCache();
  vi.useFakeTimers({ toFake: ["performance"] });
  // The clock does not begin at zero.
  vi.advanceTimersByTime(10 * SECOND);
  try {
    expect(await lookAt("read-free")).toEqual({ ms: null, statements: 1 });
    await pauseAccount("read-paused", "platform", false);
    const first = await lookAt("read-paused");
    expect(first.statements).toBe(1);
    expect(await lookAt("read-free")).toEqual({ ms: null, statements: 0 });
    vi.advanceTimersByTime(900);
    const second = await lookAt("read-paused");
    expect(second.statements).toBe(0);
    expect(second.ms).toBeCloseTo(first.ms! - 900, 0);
    vi.advanceTimersByTime(100);
    expect((await lookAt("read-paused")).statements).toBe(1);
  } finally {
    vi.useRealTimers();
  }
});

test("a process remembers the states of a thousand accounts, and reads fifty in a statement", async () => {
  clearPauseCache();
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const accounts = Array.from({ length: 1001 }, (_, n) => `one-of-many-${n}`);
    const { count } = await countStatements(() => Promise.all(accounts.map((account) => findPause(account))));
    expect(count).toBe(21);
    expect((await lookAt("one-of-many-0")).statements).toBe(0);
    await findPause("one too many");
    expect((await lookAt("one-of-many-0")).statements).toBe(1);
  } finally {
    vi.useRealTimers();
  }
});

test("a process sees at once what it changed itself, and only the first refusal is new", async () => {
  clearPauseCache();
  expect(await findPause("changed")).toBe("free");
  expect(await pauseAccount("changed", "platform", false)).toMatchObject({ isNew: true });
  expect(await findPause("changed")).not.toBe("free");
  expect(await pauseAccount("changed", "platform", false)).toMatchObject({ isNew: false });
  // It came from a call in flight: only the trial after a pause makes the next one longer.
  const refusals = () => sql`select refusals from mail_account_pauses where account = 'changed'`;
  expect(await refusals()).toEqual([{ refusals: 1 }]);
  await pauseAccount("changed", "platform", true);
  expect(await refusals()).toEqual([{ refusals: 2 }]);
  expect(await findPause("changed")).not.toBe("free");
  await endPause("changed");
  expect(await findPause("changed")).toBe("free");
});

test("after a pause one mail tries the account, for a minute at most", async () => {
  await pauseAccount("tried", "platform", false);
  expect(await beginTrial("tried")).toBe(false);
  expect((await lookAt("tried")).ms).toBeGreaterThan(0);
  await sql`update mail_account_pauses set paused_until = now() where account = 'tried'`;
  clearPauseCache();
  expect((await lookAt("tried")).ms).toBeLessThanOrEqual(0);
  expect(await beginTrial("tried")).toBe(true);
  const { ms } = await lookAt("tried");
  expect(ms).toBeGreaterThan(30 * SECOND);
  // Clocks of two cores differ by microseconds.
  expect(ms).toBeLessThan(MINUTE + SECOND);
  expect(await beginTrial("tried")).toBe(false);
});

test("the end of a pause makes the mails due that wait for that account without a slot", async () => {
  const later = new Date(Date.now() + HOUR);
  const waiting = async (account: string, slotAt: Date | null) => {
    const id = await makeMail();
    await sql`update queued_mails set account = ${account}, scheduled_at = ${later}, slot_at = ${slotAt} where id = ${id}`;
    return id;
  };
  const freed = await waiting("freed", null);
  const others = [await waiting("freed", later), await waiting("busy", null)];
  await endPause("freed");
  const due =
    await sql`select id from queued_mails where id in ${sql([freed, ...others])} and scheduled_at <= now()`;
  expect(due.map(({ id }) => id)).toEqual([freed]);
});

test("workers are woken only if a mail waits for an account", async () => {
  const id = await makeMail();
  await sql`update queued_mails set account = 'empty', scheduled_at = now() + interval '1 hour' where id = ${id}`;
  const statements = async () => (await countStatements(retryPausedMails)).count;
  expect([await statements(), await statements()]).toEqual([3, 2]);
});

test("once the platform has another account, no alert names the refused one, however often a worker starts", async () => {
  await sql`delete from mail_account_pauses`;
  const refused = async () => (await refusedMailAccounts())[0]!.values.map(([, count]) => count);
  for (const account of ["former", platformCarrier.account]) await pauseAccount(account, "platform", false);
  await pauseAccount("of a seller", "seller", false);
  expect(await refused()).toEqual([2, 1]);
  await retryPausedMails();
  expect(await refused()).toEqual([1, 1]);
  await endPause(platformCarrier.account);
  await retryPausedMails();
  expect(await refused()).toEqual([0, 1]);
});
