import { expect, test } from "vitest";
import { recordPace, reserveSlot, type Slot } from "#app/domain/mail/sending/senders/reserve-slot.server.ts";
import { HOUR, MINUTE } from "#app/kit/duration.ts";
import { countStatements, sql } from "#tests/support/database.ts";
import { makeMail } from "#tests/support/rows/make-mail.ts";

/** Several slots reserved at once, the next first. */
async function slotsOf(account: string, count: number): Promise<Slot[]> {
  const slots = await Promise.all(Array.from({ length: count }, () => reserveSlot(account)));
  return slots.sort((a, b) => a.at.getTime() - b.at.getTime());
}

/** How far apart they are, in milliseconds: a column of milliseconds rounds. */
const apart = (slots: Slot[]) =>
  slots.slice(1).map(({ at }, i) => Math.round((at.getTime() - slots[i]!.at.getTime()) / 5) * 5);

const limits = (limit: number, remaining: number, reset = 1) => ({
  "ratelimit-limit": String(limit),
  "ratelimit-remaining": String(remaining),
  "ratelimit-reset": String(reset),
});

/** How far apart an account's calls are stored to be, in milliseconds. */
async function intervalOf(account: string): Promise<number> {
  const [row] = await sql`select interval_ms from mail_paces where account = ${account}`;
  return row!.interval_ms;
}

test("before an account's first answer mails leave three a second", async () => {
  const slots = await slotsOf("new", 4);
  expect(slots[0]!.waitMs).toBeLessThan(5);
  expect(apart(slots)).toEqual([300, 300, 300]);
});

test("an account with a higher limit is called more often, and always below its stated limit", async () => {
  await recordPace("paid", limits(5, 4));
  const slots = await slotsOf("paid", 4);
  expect(apart(slots)).toEqual([250, 250, 250]);
  expect(slots[0]!.waitMs).toBeLessThan(5);
  await recordPace("paid", limits(50, 49));
  expect(apart(await slotsOf("paid", 4))).toEqual([20, 20, 20]);
  expect(await intervalOf("paid")).toBe(22);
  await recordPace("paid", limits(1000, 999));
  expect(await intervalOf("paid")).toBe(5);
});

test("where nothing is left of this second the next one is waited for, of this account alone", async () => {
  // Its next slot before that is not used.
  await reserveSlot("used-up");
  await recordPace("used-up", limits(5, 0));
  const slots = await slotsOf("used-up", 2);
  expect(slots[0]!.waitMs).toBeGreaterThan(800);
  expect(slots[0]!.waitMs).toBeLessThanOrEqual(1001);
  expect(apart(slots)).toEqual([250]);
  expect((await reserveSlot("other")).waitMs).toBeLessThan(5);
});

test("a slot that is hours ahead is kept only as far as the mails that wait for the account explain it", async () => {
  await reserveSlot("ahead");
  const reserveAhead = async () => {
    await sql`update mail_paces set next_slot_at = now() + interval '5 hours', interval_ms = 3600000 where account = 'ahead'`;
    return (await reserveSlot("ahead")).waitMs;
  };
  expect(await reserveAhead()).toBeLessThanOrEqual(MINUTE + 1);
  for (const _ of [1, 2, 3]) {
    const id = await makeMail();
    await sql`update queued_mails set account = 'ahead' where id = ${id}`;
  }
  expect(await reserveAhead()).toBeGreaterThan(4 * HOUR);
});

test("answers without limits, and absurd ones, change nothing much", async () => {
  await recordPace("odd", null);
  await recordPace("odd", { "ratelimit-limit": "muitos" });
  await recordPace("odd", limits(0, 0));
  expect(apart(await slotsOf("odd", 2))).toEqual([300]);
  await recordPace("slow", limits(5, 0, 86_400));
  const { waitMs: wait } = await reserveSlot("slow");
  expect(wait).toBeGreaterThan(9_000);
  expect(wait).toBeLessThanOrEqual(10_001);
});

test("hundreds of slots reserved at once are all different, and fifty share a statement", async () => {
  const { result: slots, count } = await countStatements(() => slotsOf("busy", 204));
  expect(apart(slots)).toEqual(Array(203).fill(300));
  expect(count).toBe(5);
});

/** How many statements it takes to record an answer of an account that allows five calls a second. */
const statementsFor = async (account: string, remaining = 4) =>
  (await countStatements(() => recordPace(account, limits(5, remaining)))).count;

test("a pace is stored once, whichever process learned it, and each end of a second's calls", async () => {
  expect([await statementsFor("same"), await statementsFor("same")]).toEqual([1, 0]);
  expect([await statementsFor("same", 0), await statementsFor("same", 0)]).toEqual([1, 1]);
  await sql`insert into mail_paces (account, next_slot_at, interval_ms) values ('of another', now(), 250)`;
  await reserveSlot("of another");
  expect(await statementsFor("of another")).toBe(0);
});

test("a process remembers the paces of a thousand accounts", async () => {
  let others = 0;
  const reserve = (count: number) =>
    Promise.all(Array.from({ length: count }, () => reserveSlot(`other-${others++}`)));
  const isKnown = async () => (await statementsFor("remembered")) === 0;
  await isKnown();
  // Until it forgets those of before: then it knows this one alone.
  for (let at = 0; at < 21 && (await isKnown()); at++) await reserve(50);
  await reserve(999);
  expect(await isKnown()).toBe(true);
  await reserve(1);
  expect(await isKnown()).toBe(false);
});
