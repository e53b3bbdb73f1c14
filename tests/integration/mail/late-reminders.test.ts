import { expect, test } from "vitest";
import { claimReminders, reminderQueue } from "#app/domain/reminder/remind-buyer.server.ts";
import { buy, openShop } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { reminderOf } from "#tests/support/rows/make-mail.ts";

await startApp({ web: 0, worker: 0 });

/** An order whose first PIX was created `age` ago and can be paid. */
async function order(age: string) {
  const bought = await buy((await openShop()).product.id);
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
