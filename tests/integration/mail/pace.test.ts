import { expect, test } from "vitest";
import { recordPace, reserveSlot, type Slot } from "#app/domain/mail/sending/senders/reserve-slot.server.ts";

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

test("before an account's first answer mails leave three a second", async () => {
  const slots = await slotsOf("new", 4);
  expect(slots[0]!.waitMs).toBeLessThan(5);
  expect(apart(slots)).toEqual([300, 300, 300]);
});

test("an account with a higher limit is called more often, and always below its stated limit", async () => {
  await recordPace("paid", limits(5, 4));
  expect(apart(await slotsOf("paid", 4))).toEqual([250, 250, 250]);
  await recordPace("paid", limits(50, 49));
  expect(apart(await slotsOf("paid", 4))).toEqual([20, 20, 20]);
});

test("where nothing is left of this second the next one is waited for, of this account alone", async () => {
  await recordPace("used-up", limits(5, 0));
  const slots = await slotsOf("used-up", 2);
  expect(slots[0]!.waitMs).toBeGreaterThan(800);
  expect(slots[0]!.waitMs).toBeLessThanOrEqual(1001);
  expect(apart(slots)).toEqual([250]);
  expect((await reserveSlot("other")).waitMs).toBeLessThan(5);
});

test("answers without limits, and absurd ones, change nothing much", async () => {
  await recordPace("odd", null);
  await recordPace("odd", { "ratelimit-limit": "muitos" });
  expect(apart(await slotsOf("odd", 2))).toEqual([300]);
  await recordPace("slow", limits(5, 0, 86_400));
  const { waitMs: wait } = await reserveSlot("slow");
  expect(wait).toBeGreaterThan(9_000);
  expect(wait).toBeLessThanOrEqual(10_001);
});

test("hundreds of slots reserved at once are all different", async () => {
  expect(apart(await slotsOf("busy", 200))).toEqual(Array(199).fill(300));
});
