import { expect, test } from "vitest";
import { OFFER_KINDS } from "#app/db/schema/lists.ts";
import {
  chooseOffer,
  findOfferProblem,
  listedOffers,
  nextOfferChange,
  type Offer,
} from "#app/domain/pricing/offer.ts";
import { fc } from "#tests/support/random.ts";

const moment = fc.option(fc.integer({ min: 0, max: 100 }), { nil: null });
const offer = (id: number): fc.Arbitrary<Offer> =>
  fc
    .record({
      kind: fc.constantFrom(...OFFER_KINDS),
      startsAt: moment,
      endsAt: moment,
      unitsLeft: fc.option(fc.integer({ min: 0, max: 3 }), { nil: null }),
      minQuantity: fc.integer({ min: 1, max: 3 }),
      isPaused: fc.boolean(),
    })
    .map((one) => ({
      ...one,
      id: String(id),
      name: "Lote",
      slug: `lote-${id}`,
      priceCents: 100,
      originalPriceCents: null,
      bumpIds: null,
      isPerBuyer: false,
      maxQuantity: 3,
    }));
const offers = fc
  .integer({ min: 0, max: 6 })
  .chain((n) => fc.tuple(...Array.from({ length: n }, (_, id) => offer(id))));

test("a product's own address sells the first tier that can be ordered, and none that cannot", () => {
  fc.assert(
    fc.property(offers, fc.integer({ min: 0, max: 100 }), (all, now) => {
      const chosen = chooseOffer(all, null, null, now);
      const open = all.filter((one) => one.kind === "tier" && !findOfferProblem(one, now));
      expect(chosen).toBe(open[0] ?? null);
      for (const one of listedOffers(all, chosen, now)) {
        expect(one.kind).toBe("listed");
        expect(findOfferProblem(one, now)).toBeNull();
      }
    }),
    { numRuns: 2000 },
  );
});

test("nothing changes by the clock before the moment at which a page becomes stale", () => {
  fc.assert(
    fc.property(
      offers,
      fc.integer({ min: 0, max: 100 }),
      fc.integer({ min: 0, max: 100 }),
      (all, now, later) => {
        const until = nextOfferChange(all, now);
        fc.pre(later >= now && later < until);
        expect(chooseOffer(all, null, null, later)).toBe(chooseOffer(all, null, null, now));
        expect(listedOffers(all, null, later)).toEqual(listedOffers(all, null, now));
      },
    ),
    { numRuns: 2000 },
  );
});

test("the tier that a buyer saw counts while it has not ended, or for the grace period, though it may be sold out", () => {
  const [tier] = fc.sample(offer(0), 1);
  const base: Offer = {
    ...tier!,
    kind: "tier",
    startsAt: null,
    endsAt: 50,
    unitsLeft: null,
    isPaused: false,
  };
  const choose = (one: Offer, now: number, graceMs = 0, isOrder = true) =>
    chooseOffer([one], null, { id: "0", graceMs, isOrder }, now);
  expect(choose(base, 49)).toBe(base);
  expect(choose(base, 50)).toBeNull();
  expect(choose(base, 59, 10)).toBe(base);
  expect(choose(base, 60, 10)).toBeNull();
  const soldOut = { ...base, unitsLeft: 0 };
  expect(choose(soldOut, 49)).toBe(soldOut);
  // A form that is shown again has the price that counts instead.
  expect(choose(base, 59, 10, false)).toBe(base);
  expect(choose(soldOut, 49, 0, false)).toBeNull();
  expect(chooseOffer([soldOut], null, null, 49)).toBeNull();
  expect(choose({ ...base, isPaused: true }, 49)).toBeNull();
  // Of an offer with an address of its own, the product's page sells nothing.
  expect(choose({ ...base, kind: "link" }, 49)).toBeNull();
});
