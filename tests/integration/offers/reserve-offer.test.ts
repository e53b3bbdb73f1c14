import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { toOffer } from "#app/domain/catalog/offers-for-sale.server.ts";
import { buyerHashes } from "#app/domain/coupon/reserve-coupon.server.ts";
import { OrderRefusal } from "#app/domain/order/order-refusal.ts";
import {
  readQuantity,
  refuseOfferProblem,
  reserveOffer,
  reserveOfferAgain,
} from "#app/domain/order/reserve-offer.server.ts";
import { MINUTE } from "#app/kit/duration.ts";
import { sql } from "#tests/support/database.ts";
import { makeOffer, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";

const BIA = { email: "bia@exemplo.com.br", document: null };
const CAIO = { email: "caio@exemplo.com.br", document: null };
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * MINUTE);

/** An offer of a new shop. */
async function offerWith(fields: Parameters<typeof makeOffer>[1] = {}) {
  const product = await makeProduct(await makeSeller());
  return { product, row: await makeOffer(product, fields) };
}

type Made = Awaited<ReturnType<typeof offerWith>>;

const unitsOf = async ({ row }: Made) =>
  (await sql`select units from offers where id = ${row.id}`)[0]!.units as number;

/** Reserves units, as an order does. @returns how many the offer has then, or why it was refused */
async function reserve(made: Made, { quantity = 1, graceMs = 0, offer = toOffer(made.row) } = {}) {
  const order = { sellerId: made.product.sellerId, quantity, graceMs };
  try {
    await db.transaction((tx) => reserveOffer(tx, offer, order, BIA));
  } catch (error) {
    if (error instanceof OrderRefusal) return `${error.rule}: ${error.message}`;
    throw error;
  }
  return unitsOf(made);
}

/** An order that has units of an offer. @returns its sale's id */
async function ordered(
  { product, row }: Made,
  { quantity = 1, buyer = BIA as { email: string | null; document: string | null }, isReleased = false } = {},
): Promise<string> {
  const { id, sellerId } = await makeSale(product);
  const { email, document } = buyerHashes(sellerId, buyer);
  await sql`insert into offer_uses (sale_id, seller_id, offer_id, quantity, email_hash, document_hash, released_at)
    values (${id}, ${sellerId}, ${row.id}, ${quantity}, ${email[0] ?? null}, ${document[0] ?? null},
      ${isReleased ? new Date() : null})`;
  return id;
}

test.each([
  ["has no period", {}, 0, 1],
  ["has begun", { startsAt: inMinutes(-5) }, 0, 1],
  ["begins later", { startsAt: inMinutes(60) }, 0, /^offer-early: /],
  ["ends later", { endsAt: inMinutes(60) }, 0, 1],
  ["has ended", { endsAt: inMinutes(-5) }, 0, /^offer-ended: .+ terminou em /],
  ["has ended within the seller's grace period", { endsAt: inMinutes(-5) }, 30 * MINUTE, 1],
  ["has ended before it", { endsAt: inMinutes(-5) }, 2 * MINUTE, /^offer-ended: .+ terminou em /],
  ["is paused", { deactivatedAt: new Date() }, 0, /^offer-ended: .+ não está mais disponível/],
  ["was deleted", { archivedAt: new Date() }, 0, /^offer-ended: .+ não está mais disponível/],
] as const)("a unit of an offer that %s", async (_, fields, graceMs, expected) => {
  const result = await reserve(await offerWith(fields), { graceMs });
  if (typeof expected === "number") expect(result).toBe(expected);
  else expect(result).toMatch(expected);
});

test("the last units are reserved, and no more; a buyer of too many learns how many are left", async () => {
  const made = await offerWith({ maxUnits: 5, units: 3 });
  expect(await reserve(made, { quantity: 3 })).toMatch(/^offer-sold-out: Restam só 2 na oferta/);
  expect(await unitsOf(made)).toBe(3);
  expect(await reserve(made, { quantity: 2 })).toBe(5);
  expect(await reserve(made)).toMatch(/^offer-sold-out: As vagas/);
  expect(await unitsOf(made)).toBe(5);
  const last = await offerWith({ maxUnits: 5, units: 4 });
  expect(await reserve(last, { quantity: 2 })).toMatch(/^offer-sold-out: Resta só 1 na oferta/);
});

test("an offer that is gone altogether is refused as one that ended", async () => {
  const made = await offerWith();
  const offer = { ...toOffer(made.row), id: randomUUID() };
  expect(await reserve(made, { offer })).toMatch(/^offer-ended: .+ não está mais disponível/);
  expect(await unitsOf(made)).toBe(0);
});

test("a buyer's own units count: not another's, nor those of an order that ended", async () => {
  const made = await offerWith({ maxUnitsPerBuyer: 3 });
  await ordered(made, { quantity: 3, buyer: CAIO });
  await ordered(made, { quantity: 3, isReleased: true });
  expect(await reserve(made, { quantity: 3 })).toBe(3);
  await ordered(made);
  expect(await reserve(made, { quantity: 3 })).toMatch(/^offer-not-valid: /);
  expect(await reserve(made, { quantity: 2 })).toBe(5);
});

test("who may have no more units is not told how many are left", async () => {
  for (const limits of [{}, { maxUnits: 2 }]) {
    const made = await offerWith({ maxUnitsPerBuyer: 1, ...limits });
    expect(await reserve(made, { quantity: 2 })).toMatch(/^offer-not-valid: .+ não vale para esta compra/);
  }
});

describe("the units of an order whose last code ended", () => {
  const again = ({ product: { sellerId } }: Made, id: string) =>
    db.transaction((tx) => reserveOfferAgain(tx, { id, sellerId }, 0));
  const counted = (saleId: string) =>
    sql`select released_at is null as counts from offer_uses where sale_id = ${saleId}`;

  test("are reserved again, once", async () => {
    const made = await offerWith({ maxUnits: 3, units: 1, endsAt: inMinutes(60) });
    const saleId = await ordered(made, { quantity: 2, isReleased: true });
    for (let times = 0; times < 2; times++) {
      expect(await again(made, saleId)).toBe(true);
      expect(await unitsOf(made)).toBe(3);
      expect(await counted(saleId)).toEqual([{ counts: true }]);
    }
  });

  test.each([
    ["others took them", { maxUnits: 2, units: 1 }],
    ["the offer has ended", { endsAt: inMinutes(-5) }],
    ["the offer is paused", { deactivatedAt: new Date() }],
    ["they are more than one buyer may have", { maxUnitsPerBuyer: 1 }],
  ])("are not where %s", async (_, fields) => {
    const made = await offerWith(fields);
    expect(await again(made, await ordered(made, { quantity: 2, isReleased: true }))).toBe(false);
  });

  test("count with the buyer's others, by e-mail or by document", async () => {
    for (const buyer of [BIA, { email: null, document: "52998224725" }]) {
      const made = await offerWith({ maxUnitsPerBuyer: 3 });
      const saleId = await ordered(made, { quantity: 2, buyer, isReleased: true });
      await ordered(made, { quantity: 2, buyer, isReleased: true });
      await ordered(made, { quantity: 2, buyer: CAIO });
      await ordered(made, { buyer });
      expect(await again(made, saleId)).toBe(true);
      const more = await ordered(made, { buyer, isReleased: true });
      expect(await again(made, more)).toBe(false);
    }
  });
});

/** The rule by which something is refused; null where it is not. */
function ruleOf(check: () => unknown): string | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof OrderRefusal) return error.rule;
    throw error;
  }
}

test("a page refuses an offer that nobody can order; an order may have taken the last unit itself", async () => {
  const offer = toOffer((await offerWith()).row);
  const [soldOut, ended] = [
    { ...offer, unitsLeft: 0 },
    { ...offer, endsAt: Date.now() - 5 * MINUTE },
  ];
  expect(ruleOf(() => refuseOfferProblem({ offer: null }))).toBeNull();
  expect(ruleOf(() => refuseOfferProblem({ offer }))).toBeNull();
  expect(ruleOf(() => refuseOfferProblem({ offer: soldOut }))).toBe("offer-sold-out");
  expect(ruleOf(() => refuseOfferProblem({ offer: soldOut }, { isOrder: true }))).toBeNull();
  expect(ruleOf(() => refuseOfferProblem({ offer: ended }, { isOrder: true }))).toBe("offer-ended");
  const graced = { isOrder: true, graceMs: 10 * MINUTE };
  expect(ruleOf(() => refuseOfferProblem({ offer: ended }, graced))).toBeNull();
});

test("the quantity of a form is one that the offer allows, and its least where none was sent", async () => {
  const offer = toOffer((await offerWith({ minQuantity: 2, maxQuantity: 5 })).row);
  expect([undefined, "", "2", "5"].map((typed) => readQuantity(typed, offer))).toEqual([2, 2, 2, 5]);
  for (const typed of ["1", "6", "x"]) expect(ruleOf(() => readQuantity(typed, offer))).toBe("quantity");
  expect(readQuantity(undefined, null)).toBe(1);
  expect(ruleOf(() => readQuantity("2", null))).toBe("quantity");
});
