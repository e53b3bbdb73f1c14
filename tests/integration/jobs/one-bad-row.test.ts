import { expect, test } from "vitest";
import { anonymizeUnpaidOrders } from "#app/domain/erasure/anonymize-unpaid-orders.server.ts";
import { cleanUp } from "#app/domain/maintenance/clean-up.server.ts";
import { closeOrders } from "#app/domain/pix/close-orders.server.ts";
import { sendAutomaticRefunds } from "#app/domain/refund/send-automatic-refunds.server.ts";
import { refreshReports } from "#app/domain/reports/figures/refresh-reports.server.ts";
import { DAY, MINUTE } from "#app/kit/duration.ts";
import { runEach } from "#app/queue/run-each.server.ts";
import { withBrokenRow } from "#tests/integration/jobs/broken-row.ts";
import { makeDueRefund } from "#tests/integration/jobs/make-due-refund.ts";
import { sql } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";

const attempt = { number: 1, last: false };

test("each is handled, and the failures are thrown at the end; a hundred in a row end it", async () => {
  const handled: number[] = [];
  const handle = async (n: number) => {
    handled.push(n);
    if (n < 3) throw new Error(`no ${n}`);
  };
  const failed = await runEach([1, 2, 3, 4], handle, "not all").catch((error: AggregateError) => error);
  expect(handled).toEqual([1, 2, 3, 4]);
  expect(failed).toMatchObject({ message: "not all", errors: [{ message: "no 1" }, { message: "no 2" }] });
  let calls = 0;
  const fail = async () => {
    calls += 1;
    throw new Error("away");
  };
  await expect(runEach(Array(1000).fill(0), fail, "away")).rejects.toThrow("away");
  expect(calls).toBe(100);
});

test("where the items cannot be listed to the end, the failures before are thrown with that", async () => {
  async function* items() {
    yield 1;
    throw new Error("not listed");
  }
  const fail = async (n: number) => {
    throw new Error(`no ${n}`);
  };
  await expect(runEach(items(), fail, "not all")).rejects.toMatchObject({
    message: "not all",
    errors: [{ message: "no 1" }, { message: "not listed" }],
  });
});

test("a kind that cannot be cleaned up does not keep the others, and its failure is reported", async () => {
  const seller = await makeSeller();
  await sql`insert into email_tokens (seller_id, purpose, email, token_hash, expires_at)
    values (${seller.id}, 'reset', 'x', 'stuck', now() - interval '8 days')`;
  await sql`insert into throttles (key, points, expire) values ('over', 1, 1)`;
  await withBrokenRow("email_tokens", "delete", "old.token_hash = 'stuck'", () =>
    expect(cleanUp.handle({}, attempt)).rejects.toThrow("not everything cleaned up"),
  );
  expect(await sql`select key from throttles where key = 'over'`).toHaveLength(0);
  await cleanUp.handle({}, attempt);
  expect(await sql`select 1 from email_tokens where token_hash = 'stuck'`).toHaveLength(0);
});

test("a seller whose figures cannot be counted keeps neither those of others nor any funnel", async () => {
  const sellers = [await makeSeller(), await makeSeller(), await makeSeller()];
  for (const seller of sellers) await makeSale(await makeProduct(seller), { status: "completed" });
  // Whichever comes first.
  const [first] = await sql`select distinct seller_id as id from report_marks limit 1`;
  await withBrokenRow("report_days", "insert", `new.seller_id = '${first!.id}'`, () =>
    expect(refreshReports.handle({}, attempt)).rejects.toThrow("reports not refreshed"),
  );
  expect(await sql`select distinct seller_id as id from report_marks`).toEqual([{ id: first!.id }]);
  expect(await sql`select 1 from funnel_marks`).toHaveLength(0);
});

test("an order that cannot be anonymized keeps neither those beside it nor those after it", async () => {
  const product = await makeProduct(await makeSeller());
  const orders: string[] = [];
  for (let n = 0; n < 60; n++) {
    const createdAt = new Date(Date.now() - (100 - n) * DAY);
    orders.push((await makeSale(product, { status: "cancelled", createdAt })).id);
  }
  await withBrokenRow("sales", "update", `new.id = '${orders[0]}'`, () =>
    expect(anonymizeUnpaidOrders.handle({}, attempt)).rejects.toThrow("unpaid orders not anonymized"),
  );
  expect(await sql`select id from sales where anonymized_at is null and id in ${sql(orders)}`).toEqual([
    { id: orders[0] },
  ]);
});

test("an order that cannot be closed keeps neither those beside it nor those after it", async () => {
  const product = await makeProduct(await makeSeller());
  const stuck = await makeSale(product, { createdAt: new Date(Date.now() - 300 * DAY) });
  await sql`insert into sales (seller_id, product_id, amount_cents, order_key, created_at)
    select ${product.sellerId}, ${product.id}, 100, n, now() - interval '200 days' from generate_series(1, 205) n`;
  await withBrokenRow("sales", "update", `new.id = '${stuck.id}'`, () =>
    expect(closeOrders.handle({}, attempt)).rejects.toThrow("unpaid orders not closed"),
  );
  expect(
    await sql`select id from sales where status = 'pending' and seller_id = ${product.sellerId}`,
  ).toEqual([{ id: stuck.id }]);
});

test("automatic refunds that cannot be claimed, however many, do not keep a later one", async () => {
  const product = await makeProduct(await makeSeller());
  const stuck: string[] = [];
  for (let n = 0; n < 55; n++) stuck.push(await makeDueRefund(product));
  const later = await makeDueRefund(product);
  await sql`update refunds set send_at = now() - interval '2 minutes' where id in ${sql(stuck)}`;
  await sql`update refunds set send_at = ${new Date(Date.now() - MINUTE)} where id = ${later}`;
  await withBrokenRow("refunds", "update", `new.id <> '${later}'`, () =>
    sendAutomaticRefunds.handle({}, attempt),
  );
  const due = await sql`select id from refunds where send_at is not null`;
  expect(due.map(({ id }) => id).sort()).toEqual(stuck.sort());
});
