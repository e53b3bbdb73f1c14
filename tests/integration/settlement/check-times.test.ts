import { eq, sql as raw, type SQL } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import {
  IN_A_MINUTE,
  isPastReturnWindow,
  lastAnswerSql,
  nextCheckTime,
  nextPacedCheck,
  scheduleDisputedCheck,
} from "#app/domain/charge/check-times.server.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#app/kit/duration.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";

const ago = (ms: number) => raw`now() - make_interval(secs => ${ms / SECOND})`;
const methodSql = (method: "pix" | "card") => raw`${method}::text`;

async function makeNewCharge(fields: Parameters<typeof makeCharge>[1] = {}) {
  return makeCharge(await makeSale(await makeProduct(await makeSeller())), fields);
}

/** In how many hours payments of that age are checked next: the earliest and the latest of many. */
async function hoursUntilCheck(age: number, method: "pix" | "card") {
  const next = nextPacedCheck(ago(age), methodSql(method));
  const [row] = await db.execute<{ min: number; max: number }>(raw`
    select min(hours) as min, max(hours) as max from (
      select extract(epoch from ${next} - now())::float8 / 3600 as hours from generate_series(1, 300)) many`);
  return row!;
}

test.each([
  ["pix", 0, 18, 22],
  ["pix", 7 * DAY - HOUR, 18, 22],
  ["pix", 7 * DAY + HOUR, 60, 68],
  ["pix", 30 * DAY - HOUR, 60, 68],
  ["pix", 30 * DAY + HOUR, 144, 160],
  ["card", 90 * DAY - HOUR, 144, 160],
  ["card", 90 * DAY + HOUR, 300, 324],
] as const)("a payment by %s is checked in pauses that grow with its age", async (method, age, from, to) => {
  const { min, max } = await hoursUntilCheck(age, method);
  expect(min).toBeGreaterThanOrEqual(from);
  expect(min).toBeLessThan(from + (to - from) / 4);
  expect(max).toBeGreaterThan(to - (to - from) / 4);
  expect(max).toBeLessThanOrEqual(to);
});

test.each([
  ["pix", 90 * DAY],
  ["card", 180 * DAY],
] as const)("a payment by %s is checked last when it cannot be refunded any more", async (method, window) => {
  const { min, max } = await hoursUntilCheck(window - DAY, method);
  expect([Math.round(min), Math.round(max)]).toEqual([24, 24]);
  const isPast = async (age: number) => {
    const past = isPastReturnWindow(ago(age), methodSql(method));
    return (await db.execute<{ past: boolean }>(raw`select ${past} as past`))[0]!.past;
  };
  expect(await isPast(window - HOUR)).toBe(false);
  for (const age of [window, window + HOUR]) expect(await isPast(age)).toBe(true);
});

test("the next check of a charge with a webhook that waits is never postponed", async () => {
  const { id, sellerId } = await makeNewCharge();
  /** Whether a check that is due at once stays; null where there is none any more. */
  const staysWith = async (wanted: SQL | null) => {
    await sql`update charges set next_check_at = now() where id = ${id}`;
    const nextCheckAt = nextCheckTime(wanted);
    await db.update(charges).set({ nextCheckAt }).where(eq(charges.id, id));
    const [row] =
      await sql`select next_check_at < now() + interval '30 seconds' as stays from charges where id = ${id}`;
    return row!.stays;
  };
  expect([await staysWith(IN_A_MINUTE), await staysWith(null)]).toEqual([false, null]);
  await sql`insert into payment_webhooks (provider, charge_id, seller_id, dedupe_key, provider_id, state, provider_status)
    values ('pushinpay', ${id}, ${sellerId}, ${id}, ${id}, 'paid', 'paid')`;
  expect([await staysWith(IN_A_MINUTE), await staysWith(null)]).toEqual([true, true]);
  await sql`update payment_webhooks set handled_at = now() where charge_id = ${id}`;
  expect([await staysWith(IN_A_MINUTE), await staysWith(null)]).toEqual([false, null]);
});

test.each([
  ["not at all", null, 6],
  ["in 18 hours", "18 hours", 6],
  ["in two hours", "2 hours", 2],
])(
  "a payment that was to be checked %s is checked within six hours of its dispute",
  async (_, before, hours) => {
    const { id, sellerId } = await makeNewCharge({ status: "paid" });
    if (before)
      await sql`insert into paced_checks (charge_id, seller_id, provider, scheduled_at)
      values (${id}, ${sellerId}, 'pushinpay', now() + ${before}::interval)`;
    await db.transaction((tx) => scheduleDisputedCheck(tx, id));
    const rows =
      await sql`select extract(epoch from scheduled_at - now())::float8 / 3600 as hours from paced_checks where charge_id = ${id}`;
    expect(rows.map((row) => Math.round(row.hours))).toEqual([hours]);
  },
);

test("a payment's last answer is the newest of the checks after it was booked", async () => {
  const paidAt = new Date(Date.now() - HOUR);
  const { id, sellerId } = await makeNewCharge({ status: "paid", paidAt });
  const answer = (after: number, kind: string, state: string) =>
    sql`insert into charge_events (charge_id, seller_id, kind, data, cause, at)
      values (${id}, ${sellerId}, ${kind}, ${sql.json({ state })}, 'system', ${new Date(paidAt.getTime() + after)})`;
  const payment = {
    sellerId: raw`${sellerId}::uuid`,
    chargeId: raw`${id}::uuid`,
    paidAt: raw`${paidAt.toISOString()}::timestamptz`,
  };
  const lastStates = async () => {
    const rows = await db.execute<{ state: string }>(raw`select a.state from ${lastAnswerSql(payment)} a`);
    return rows.map(({ state }) => state);
  };
  await answer(SECOND, "asked", "paid");
  expect(await lastStates()).toEqual([]);
  await answer(MINUTE, "asked", "disputed");
  expect(await lastStates()).toEqual(["disputed"]);
  await answer(2 * MINUTE, "asked", "refunded");
  await answer(3 * MINUTE, "unanswered", "none");
  expect(await lastStates()).toEqual(["refunded"]);
});
