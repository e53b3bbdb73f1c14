import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { readSaleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";
import { bookAnswer } from "#app/domain/settlement/book-answer.server.ts";
import { findSnapshot } from "#app/domain/settlement/charge-snapshot.server.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";

/** A paid sale whose provider calls its payment cancelled, and whose seller may have found that it was not refunded. */
async function cancelledSale(isChecked: boolean, status: "completed" | "disputed" = "completed") {
  const sale = await makeSale(await makeProduct(await makeSeller()), { status });
  await sql`update sales set cancelled_since = now(), cancelled_checked_at = ${isChecked ? new Date() : null}
    where id = ${sale.id}`;
  return sale;
}

/** What is booked of a charge that its provider calls cancelled. */
async function bookCancelled({ id, providerId }: Awaited<ReturnType<typeof makeCharge>>) {
  const { charge, sale } = (await findSnapshot(id))!;
  const contacts = (await readSaleContacts(db, sale.id))!;
  return bookAnswer({ id, sellerId: sale.sellerId, ...charge }, contacts, null, {
    ...{ providerId: providerId!, state: "cancelled", providerStatus: "canceled", amountCents: 9700 },
    ...{ feeCents: null, refundedCents: null, webhookUrl: null },
  });
}

test.each([
  [true, "refused", false, "not-refunded"],
  [true, "refused", true, "not-refunded"],
  [true, "unconfirmed", false, "not-refunded"],
  [true, "pending", false, "not-refunded"],
  [true, "pending", true, "refunded"],
  [false, "refused", false, "refunded"],
  [false, "pending", false, "refunded"],
] as const)(
  "cancelled (its seller looked: %s), with a refund that is %s (accepted: %s), it is %s",
  async (isChecked, status, isAccepted, outcome) => {
    const sale = await cancelledSale(isChecked);
    const charge = await makeCharge(sale, { status: "paid" });
    await sql`insert into refunds (charge_id, seller_id, amount_cents, status, origin, accepted_at, ended_at)
      values (${charge.id}, ${charge.sellerId}, 9700, ${status}, 'requested', ${isAccepted ? new Date() : null},
        ${status === "pending" ? null : new Date()})`;
    expect(await bookCancelled(charge)).toBe(outcome);
    const [row] = await sql`select status from sales where id = ${sale.id}`;
    expect(row!.status).toBe(outcome === "refunded" ? "refunded" : "completed");
  },
);

test("a dispute is not lost by a cancellation that its seller had looked into", async () => {
  const [known, news] = [await cancelledSale(true, "disputed"), await cancelledSale(false, "disputed")];
  for (const sale of [known, news])
    await sql`insert into disputes (seller_id, sale_id, amount_cents, origin, status)
      values (${sale.sellerId}, ${sale.id}, 9700, 'seller', 'open')`;
  expect(await bookCancelled(await makeCharge(known, { status: "paid" }))).toBe("not-refunded");
  expect(await bookCancelled(await makeCharge(news, { status: "paid" }))).toBe("refunded");
});

test("what its seller found of a sale's payment says nothing of another payment of that sale", async () => {
  const sale = await cancelledSale(true);
  const charge = await makeCharge(sale, { status: "paid", overpaidAt: new Date() });
  await sql`insert into refunds (charge_id, seller_id, amount_cents, status, origin)
    values (${charge.id}, ${charge.sellerId}, 9700, 'pending', 'requested')`;
  expect(await bookCancelled(charge)).toBe("refunded");
});
