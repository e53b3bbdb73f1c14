import { expect, test } from "vitest";
import { closeOrders } from "#app/domain/pix/close-orders.server.ts";
import { holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { makeCharge, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";

/** A lock that only this test knows: the statement waits for it in its middle, after it has begun to read. */
const IN_THE_MIDDLE = 20261128;

test("an order that got a code while overdue ones were being read is not cancelled", async () => {
  const seller = await makeSeller();
  const createdAt = new Date("2026-01-01");
  const sale = await makeSale(await makeProduct(seller), { createdAt });
  await sql`insert into mail_settings (seller_id, reminder_minutes) values (${seller.id}, '{15}')`;
  await sql`create function wait_in_the_middle() returns boolean language plpgsql volatile as $$ begin
    perform pg_advisory_xact_lock_shared(20261128); return true; end $$`;
  await sql`alter table mail_settings rename to mail_settings_kept`;
  await sql`create view mail_settings as select * from mail_settings_kept where wait_in_the_middle()`;
  try {
    const middle = await holdLock((tx) => tx`select pg_advisory_xact_lock(${IN_THE_MIDDLE}::bigint)`);
    const closing = closeOrders.handle({}, { number: 1, last: false });
    await untilLockedOut();
    await makeCharge(sale);
    await middle.release();
    await closing;
  } finally {
    await sql`drop view mail_settings`;
    await sql`alter table mail_settings_kept rename to mail_settings`;
    await sql`drop function wait_in_the_middle`;
  }
  expect(await sql`select status from sales where id = ${sale.id}`).toEqual([{ status: "pending" }]);
});
