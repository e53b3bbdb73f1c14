import type { SQL } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import {
  ofCharge,
  ofSale,
  ofSaleId,
  ofSaleIds,
  ownById,
  ownByIds,
  ownOfCharge,
  ownOfSale,
  saleOfCharge,
} from "#app/db/conditions.server.ts";
import { charges, refunds } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { makeCharge, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";

/** Two sales of a seller, each with two charges of which each has a refund. */
async function shop() {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const sold = [];
  for (let nth = 0; nth < 2; nth++) {
    const sale = await makeSale(product, { status: "completed" });
    const paid = [
      await makeCharge(sale, { status: "paid" }),
      await makeCharge(sale, { status: "paid", overpaidAt: new Date() }),
    ];
    for (const { id } of paid)
      await db.insert(refunds).values({
        ...{ sellerId: seller.id, chargeId: id, amountCents: 100, status: "done", origin: "requested" },
        endedAt: new Date(),
      });
    sold.push({ id: sale.id, charges: paid.map(({ id }) => id) });
  }
  return { id: seller.id, sold };
}

const chargesWhere = async (where: SQL) =>
  (await db.select({ id: charges.id }).from(charges).where(where)).map(({ id }) => id).sort();
const refundedWhere = async (where: SQL) =>
  (await db.select({ id: refunds.chargeId }).from(refunds).where(where)).map(({ id }) => id).sort();

test("a seller's rows are those of that seller, sale or charge alone", async () => {
  const [one, other] = [await shop(), await shop()];
  const [first, second] = one.sold;
  const [charge] = first!.charges;
  const theirs = other.sold[0]!;
  expect(await chargesWhere(ownById(charges, one.id, charge!))).toEqual([charge]);
  expect(await chargesWhere(ownById(charges, other.id, charge!))).toEqual([]);
  const some = [charge!, second!.charges[0]!].sort();
  expect(await chargesWhere(ownByIds(charges, one.id, [...some, theirs.charges[0]!]))).toEqual(some);
  expect(await chargesWhere(ownOfSale(charges, one.id, first!.id))).toEqual(first!.charges.toSorted());
  expect(await chargesWhere(ownOfSale(charges, other.id, first!.id))).toEqual([]);
  expect(await refundedWhere(ownOfCharge(refunds, one.id, charge!))).toEqual([charge]);
  expect(await refundedWhere(ownOfCharge(refunds, other.id, charge!))).toEqual([]);
  expect(await chargesWhere(ofSaleId(charges, first!.id))).toEqual(first!.charges.toSorted());
  const ofBoth = [...first!.charges, ...theirs.charges].sort();
  expect(await chargesWhere(ofSaleIds(charges, [first!.id, theirs.id]))).toEqual(ofBoth);
});

test("rows are joined with the sale and the charge that they are of, and with no other", async () => {
  const { sold } = await shop();
  for (const { id, charges: paid } of sold) {
    const ofThis = await db
      .select({ charge: charges.id, refund: refunds.chargeId })
      .from(sales)
      .innerJoin(charges, ofSale(charges))
      .innerJoin(refunds, ofCharge(refunds))
      .where(ownById(sales, sales.sellerId, id));
    expect(ofThis.map(({ charge }) => charge).sort()).toEqual(paid.toSorted());
    for (const { charge, refund } of ofThis) expect(refund).toBe(charge);
    const found = await db
      .select({ id: sales.id })
      .from(charges)
      .innerJoin(sales, saleOfCharge)
      .where(ownById(charges, charges.sellerId, paid[0]!));
    expect(found).toEqual([{ id }]);
  }
});
