import { expect, test } from "vitest";
import { recordRefund } from "#app/domain/refund/record-reversal.server.ts";
import { holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { makeCharge, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";

test("a refund recorded manually while a payment is being booked waits instead of failing", async () => {
  const seller = await makeSeller();
  const sale = await makeSale(await makeProduct(seller), { status: "completed" });
  const charge = await makeCharge(sale, { status: "paid", paidAt: new Date() });
  let recorded: Promise<void> | undefined;
  const lock = await holdLock(async (tx) => {
    await tx`select 1 from charges where id = ${charge.id} for update`;
    recorded = recordRefund(seller.id, sale.id);
    recorded.catch(() => {});
    await untilLockedOut();
    await tx`select 1 from sales where id = ${sale.id} for update`;
  });
  await lock.release();
  await recorded;
  const [row] = await sql`select status from sales where id = ${sale.id}`;
  expect(row!.status).toBe("refunded");
});
