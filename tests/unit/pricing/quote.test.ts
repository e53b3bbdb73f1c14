import { expect, test } from "vitest";
import {
  type Discount,
  discountPrices,
  formatSeenPrices,
  parseSeenTotal,
  quote,
} from "#app/domain/pricing/quote.ts";
import { fc } from "#tests/support/random.ts";
import { EVERY_WAY } from "#tests/support/run/ways.ts";

/** Each is compared in nine ways. */
const CARTS = EVERY_WAY ? 10_000 : 2_000;

const cents = fc.integer({ min: 50, max: 100_000_000 });
const original = fc.option(cents, { nil: null });
const percent = fc
  .record({ percent: fc.integer({ min: 1, max: 100 }), includesBumps: fc.boolean() })
  .map((one): Discount => ({ ...one, amountCents: null }));
const amount = cents.map((amountCents): Discount => ({ percent: null, amountCents, includesBumps: false }));
const cart = fc.record({
  product: fc.record({
    priceCents: cents,
    originalPriceCents: original,
    bumps: fc.uniqueArray(
      fc.record({ id: fc.integer({ min: 1, max: 999 }), priceCents: cents, originalPriceCents: original }),
      { selector: ({ id }) => id, maxLength: 6 },
    ),
  }),
  chosen: fc.array(fc.integer({ min: 1, max: 999 }), { maxLength: 6 }),
  discount: fc.oneof(fc.constant(null), percent, amount),
  quantity: fc.integer({ min: 1, max: 1000 }),
  pixPercent: fc.integer({ min: 0, max: 100 }),
});

test("for any cart the lines add up, and what the page shows is what is charged", () => {
  fc.assert(
    fc.property(cart, ({ product, chosen, discount, quantity, pixPercent }) => {
      const bumpIds = [...chosen, ...product.bumps.slice(0, 2).map(({ id }) => id)];
      const { lines, listCents, discountCents, totalCents } = quote(product, bumpIds, discount, { quantity });
      const sum = (of: (line: (typeof lines)[number]) => number) =>
        lines.reduce((total, line) => total + of(line), 0);
      expect([listCents, discountCents, totalCents]).toEqual([
        sum((line) => line.listCents),
        sum((line) => line.discountCents),
        sum((line) => line.cents),
      ]);
      for (const line of lines) {
        expect(line.cents + line.discountCents).toBe(line.listCents);
        expect(line.cents).toBeGreaterThanOrEqual(0);
        expect(line.discountCents).toBeGreaterThanOrEqual(0);
      }
      expect(lines).toHaveLength(
        1 + new Set(bumpIds.filter((id) => product.bumps.some((b) => b.id === id))).size,
      );
      const shown = discountPrices(product, discount);
      expect(quote(shown, bumpIds, null, { quantity }).totalCents).toBe(totalCents);
      const known = bumpIds.filter((id) => product.bumps.some((bump) => bump.id === id));
      expect(parseSeenTotal(formatSeenPrices(shown), known, { quantity })).toBe(totalCents);
      const ofPix = quote(product, bumpIds, discount, { quantity, pixPercent });
      expect(parseSeenTotal(formatSeenPrices(shown), known, { quantity, pixPercent })).toBe(ofPix.totalCents);
      // A card costs what it costs without the discount, and both know by how much a PIX is cheaper.
      const ofCard = quote(product, bumpIds, discount, { quantity, pixPercent, isCard: true });
      expect([ofCard.totalCents, ofCard.methodDiscountCents]).toEqual([totalCents, 0]);
      expect(ofCard.pixDiscountCents).toBe(ofPix.pixDiscountCents);
      expect(ofCard.totalCents - ofCard.pixDiscountCents).toBe(ofPix.totalCents);
      if (discount) expect(shown.originalPriceCents).toBeGreaterThanOrEqual(product.priceCents);
    }),
    { numRuns: CARTS },
  );
});

test.each([
  [9700, { percent: 10, amountCents: null, includesBumps: false }, 8730],
  // Half a cent is the buyer's.
  [1990, { percent: 15, amountCents: null, includesBumps: false }, 1691],
  [1990, { percent: 100, amountCents: null, includesBumps: false }, 0],
  [1990, { percent: null, amountCents: 500, includesBumps: false }, 1490],
  [1990, { percent: null, amountCents: 5000, includesBumps: false }, 0],
])("%i with %o costs %i", (priceCents, discount, totalCents) => {
  expect(quote({ priceCents, bumps: [] }, [], discount).totalCents).toBe(totalCents);
});

test("order bumps are discounted only with a coupon that includes them", () => {
  const product = { priceCents: 10_000, bumps: [{ id: 1, priceCents: 1000 }] };
  const discount = { percent: 50, amountCents: null };
  expect(quote(product, [1], { ...discount, includesBumps: false }).totalCents).toBe(6000);
  expect(quote(product, [1], { ...discount, includesBumps: true }).totalCents).toBe(5500);
});

test("a payment method's discount is taken off what the coupon leaves of each line", () => {
  fc.assert(
    fc.property(cart, ({ product, discount, pixPercent }) => {
      const bumpIds = product.bumps.map(({ id }) => id);
      const without = quote(product, bumpIds, discount);
      const priced = quote(product, bumpIds, discount, { pixPercent });
      for (const [at, line] of priced.lines.entries()) {
        const left = without.lines[at]!.cents;
        expect(line.discountCents).toBe(without.lines[at]!.discountCents);
        expect(line.listCents - line.discountCents - line.methodDiscountCents).toBe(line.cents);
        // Rounded to the cent.
        expect(Math.abs(line.cents * 100 - left * (100 - pixPercent))).toBeLessThanOrEqual(50);
        expect(line.cents).toBeGreaterThanOrEqual(0);
      }
      const { listCents, discountCents, methodDiscountCents, totalCents } = priced;
      expect(listCents - discountCents - methodDiscountCents).toBe(totalCents);
      expect(totalCents).toBe(priced.lines.reduce((sum, { cents }) => sum + cents, 0));
      if (pixPercent === 0) expect(priced).toEqual(without);
    }),
    { numRuns: CARTS },
  );
});

test.each([
  // 10% of R$ 97,00, then 5% of the R$ 87,30 left: half a cent is the buyer's.
  [9700, { percent: 10, amountCents: null, includesBumps: false }, 5, 8293],
  [9700, null, 5, 9215],
  [9700, { percent: null, amountCents: 9700, includesBumps: false }, 5, 0],
  [10, null, 5, 9],
])("%i with %o and a method's %i%% costs %i", (priceCents, discount, pixPercent, totalCents) => {
  expect(quote({ priceCents, bumps: [] }, [], discount, { pixPercent }).totalCents).toBe(totalCents);
});
