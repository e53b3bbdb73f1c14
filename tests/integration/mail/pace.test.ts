import { expect, test } from "vitest";
import { notePace, reserveTurn, type Turn } from "#app/domain/mail/outbox/senders/reserve-turn.server.ts";

/** Several turns asked for at once, the next first. */
async function turnsOf(account: string, count: number): Promise<Turn[]> {
  const turns = await Promise.all(Array.from({ length: count }, () => reserveTurn(account)));
  return turns.sort((a, b) => a.at.getTime() - b.at.getTime());
}

/** How far apart they are, in milliseconds: a column of milliseconds rounds. */
const apart = (turns: Turn[]) =>
  turns.slice(1).map(({ at }, i) => Math.round((at.getTime() - turns[i]!.at.getTime()) / 5) * 5);

const limits = (limit: number, remaining: number, reset = 1) => ({
  "ratelimit-limit": String(limit),
  "ratelimit-remaining": String(remaining),
  "ratelimit-reset": String(reset),
});

test("before an account's first answer mails leave three a second", async () => {
  const turns = await turnsOf("new", 4);
  expect(turns[0]!.in).toBeLessThan(5);
  expect(apart(turns)).toEqual([300, 300, 300]);
});

test("an account that allows more is asked more often, and never quite as often as it says", async () => {
  await notePace("paid", limits(5, 4));
  expect(apart(await turnsOf("paid", 4))).toEqual([250, 250, 250]);
  await notePace("paid", limits(50, 49));
  expect(apart(await turnsOf("paid", 4))).toEqual([20, 20, 20]);
});

test("where nothing is left of this second the next one is waited for, of this account alone", async () => {
  await notePace("used-up", limits(5, 0));
  const turns = await turnsOf("used-up", 2);
  expect(turns[0]!.in).toBeGreaterThan(800);
  expect(turns[0]!.in).toBeLessThanOrEqual(1001);
  expect(apart(turns)).toEqual([250]);
  expect((await reserveTurn("other")).in).toBeLessThan(5);
});

test("answers without limits, and absurd ones, change nothing much", async () => {
  await notePace("odd", null);
  await notePace("odd", { "ratelimit-limit": "muitos" });
  expect(apart(await turnsOf("odd", 2))).toEqual([300]);
  await notePace("slow", limits(5, 0, 86_400));
  const { in: wait } = await reserveTurn("slow");
  expect(wait).toBeGreaterThan(9_000);
  expect(wait).toBeLessThanOrEqual(10_001);
});

test("hundreds of turns at once are each another one", async () => {
  expect(apart(await turnsOf("busy", 200))).toEqual(Array(199).fill(300));
});
