import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { hasOtherPayable } from "#app/domain/charge/conditions.server.ts";
import { endCharge } from "#app/domain/charge/end-charge.server.ts";
import { MINUTE } from "#app/kit/duration.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";

type Fields = NonNullable<Parameters<typeof makeCharge>[1]>;

const CARD: Fields = { method: "card", instalments: 1 };
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * MINUTE);

/** An order with a code that can be paid; its seller wants mails about failed payments. */
async function orderWithCode() {
  const sale = await makeSale(await makeProduct(await makeSeller({ notifyFailedPayment: true })));
  const { id: chargeId } = await makeCharge(sale, { expiresAt: inMinutes(30) });
  return { sale, chargeId };
}

async function stateOf({ sale, chargeId }: Awaited<ReturnType<typeof orderWithCode>>) {
  const [row] = await sql`select s.status as sale, c.status as code from charges c
    inner join sales s on s.id = c.sale_id where c.id = ${chargeId}`;
  const mails = await sql`select kind from mails where sale_id = ${sale.id}`;
  const events = await sql`select kind from charge_events where charge_id = ${chargeId} order by id`;
  return {
    ...{ sale: row!.sale, code: row!.code },
    ...{ mails: mails.map(({ kind }) => kind), events: events.map(({ kind }) => kind) },
  };
}

test("an order fails with its only code where that was cancelled, and waits where it expired", async () => {
  const [cancelled, expired] = [await orderWithCode(), await orderWithCode()];
  await endCharge(cancelled.chargeId, "cancelled");
  await endCharge(expired.chargeId, "expired");
  expect(await stateOf(cancelled)).toEqual({
    ...{ sale: "failed", code: "cancelled", mails: ["failed-payment"], events: ["cancelled"] },
  });
  expect(await stateOf(expired)).toEqual({
    ...{ sale: "pending", code: "expired", mails: [], events: ["expired"] },
  });
});

test("an end that is reported again, of a paid code, or of a paid order changes no sale", async () => {
  const order = await orderWithCode();
  for (let times = 0; times < 2; times++) await endCharge(order.chargeId, "expired");
  expect(await stateOf(order)).toMatchObject({ sale: "pending", events: ["expired"] });
  await sql`update charges set status = 'paid', paid_at = now(), paid_cents = amount_cents where id = ${order.chargeId}`;
  await endCharge(order.chargeId, "cancelled");
  expect(await stateOf(order)).toMatchObject({ sale: "pending", code: "paid", events: ["expired"] });
  const paid = await orderWithCode();
  await sql`update sales set status = 'completed', completed_at = now() where id = ${paid.sale.id}`;
  await endCharge(paid.chargeId, "cancelled");
  expect(await stateOf(paid)).toMatchObject({ sale: "completed", code: "cancelled", mails: [] });
  await expect(endCharge(crypto.randomUUID(), "cancelled")).resolves.toBeUndefined();
});

test.each<[string, Fields, boolean]>([
  ["a code that can be paid", { expiresAt: inMinutes(30) }, true],
  ["a code that has expired", { expiresAt: inMinutes(-1) }, false],
  ["a code that is being created", { status: "creating", creatingUntil: inMinutes(1) }, true],
  ["a code that a dead process was creating", { status: "creating", creatingUntil: inMinutes(-1) }, false],
  ["a card that is being charged", { ...CARD, status: "creating" }, true],
  ["a card whose answer is missing", { ...CARD, status: "unknown" }, true],
  ["a card in review", { ...CARD, status: "in_review" }, true],
  ["a card that was declined", { ...CARD, status: "declined", declineReason: "limit" }, false],
  ["a code that was cancelled", { status: "cancelled" }, false],
])("whether an order whose code was cancelled can be paid beside %s", async (_, fields, isPayable) => {
  const order = await orderWithCode();
  await makeCharge(order.sale, fields);
  const read = await db
    .select({ isPayable: hasOtherPayable(order.chargeId) })
    .from(sales)
    .where(eq(sales.id, order.sale.id));
  expect(read).toEqual([{ isPayable }]);
  await endCharge(order.chargeId, "cancelled");
  expect((await stateOf(order)).sale).toBe(isPayable ? "pending" : "failed");
});
