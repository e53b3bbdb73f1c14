import { expect, test } from "vitest";
import { claimReminders, reminderQueue } from "#app/domain/reminder/remind-buyer.server.ts";
import { saveReminderTimes } from "#app/domain/reminder/schedule/save-reminder-times.server.ts";
import { stopReminders } from "#app/domain/reminder/stop-reminders.server.ts";
import { buy, openShop } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { reminderOf, stopLinkTo } from "#tests/support/rows/make-mail.ts";

const app = await startApp({ web: 0, worker: 0 });

/** An order whose first PIX was created `age` ago and can be paid. */
async function order(age: string, times?: number[]) {
  const { seller, product } = await openShop();
  if (times) await saveReminderTimes(seller.id, times);
  const bought = await buy(product.id);
  await sql`update reminders set since = now() - ${age}::interval, scheduled_at = now() - interval '1 second'
    where sale_id = ${bought.saleId}`;
  await sql`update charges set expires_at = now() + interval '1 hour' where id = ${bought.chargeId}`;
  return bought;
}

async function work() {
  for (const reminder of await claimReminders(10)) await reminderQueue.handle(reminder);
}

const remindersOf = async (saleId: string) =>
  (await sql`select from mails where sale_id = ${saleId} and kind = 'reminder'`).length;

async function minutesUntilNext(saleId: string) {
  const { number, scheduledAt } = (await reminderOf(saleId))!;
  return [number, Math.round((scheduledAt.getTime() - Date.now()) / 60_000)];
}

test("after an outage an order's reminders do not come all at once, but as far apart as usual", async () => {
  const { saleId } = await order("3 days");
  await work();
  await work();
  expect(await remindersOf(saleId)).toBe(1);
  expect(await minutesUntilNext(saleId)).toEqual([2, 120 - 15]);
  await sql`update reminders set scheduled_at = now() where sale_id = ${saleId}`;
  await work();
  expect(await minutesUntilNext(saleId)).toEqual([3, 1440 - 120]);
});

test("a provider that is away for a moment postpones a reminder, which brings its code once it is back", async () => {
  const { saleId, chargeId } = await order("20 minutes");
  await sql`update charges set expires_at = now() - interval '1 minute' where id = ${chargeId}`;
  await app.sandbox.fault({ service: "pushinpay", route: "cashIn", mode: "http-500", times: 10 });
  await work();
  expect(await remindersOf(saleId)).toBe(0);
  expect(await minutesUntilNext(saleId)).toEqual([1, 20]);
  await app.sandbox.endFaults("pushinpay");
  await sql`update reminders set scheduled_at = now() where sale_id = ${saleId}`;
  await sql`update charges set last_checked_at = last_checked_at - interval '2 minutes' where sale_id = ${saleId}`;
  await app.sandbox.advance(61);
  await work();
  expect(await remindersOf(saleId)).toBe(1);
});

test("the reminder of the third day is postponed, too, where its provider is away for a moment", async () => {
  const { saleId, chargeId } = await order("73 hours", [4320]);
  await sql`update charges set expires_at = now() - interval '1 minute' where id = ${chargeId}`;
  await app.sandbox.fault({ service: "pushinpay", route: "cashIn", mode: "http-500", times: 10 });
  await work();
  await app.sandbox.endFaults("pushinpay");
  expect(await minutesUntilNext(saleId)).toEqual([1, 360]);
});

test("reminders end where the seller takes no payments any more", async () => {
  const { saleId, chargeId } = await order("20 minutes");
  await sql`update charges set expires_at = now() - interval '1 minute' where id = ${chargeId}`;
  await sql`update gateway_accounts set enabled_at = null
    where seller_id = (select seller_id from sales where id = ${saleId})`;
  await work();
  expect(await remindersOf(saleId)).toBe(0);
  expect(await reminderOf(saleId)).toBeNull();
});

test("reminders end where the provider is away for three days", async () => {
  const { saleId, chargeId } = await order("73 hours");
  await sql`update charges set expires_at = now() - interval '1 minute' where id = ${chargeId}`;
  await app.sandbox.fault({ service: "pushinpay", route: "cashIn", mode: "http-500", times: 10 });
  await work();
  await app.sandbox.endFaults("pushinpay");
  expect(await remindersOf(saleId)).toBe(0);
  expect(await reminderOf(saleId)).toBeNull();
});

test("a stop that is pressed while a reminder gets its code stops that reminder, too", async () => {
  const { saleId, chargeId } = await order("20 minutes");
  const [{ email } = {}] = await sql`select customer_email as email from sales where id = ${saleId}`;
  await sql`update charges set expires_at = now() - interval '1 hour' where id = ${chargeId}`;
  const { release } = await holdLock((tx) => tx`select from sales where id = ${saleId} for no key update`);
  const reminding = work();
  await untilLockedOut();
  await stopReminders(stopLinkTo(saleId, email!));
  await release();
  await reminding;
  expect(await remindersOf(saleId)).toBe(0);
  expect(await reminderOf(saleId)).toBeNull();
});
