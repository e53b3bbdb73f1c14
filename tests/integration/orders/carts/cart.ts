import { fc } from "#tests/support/random.ts";

/** A price as a seller sets it, and the one that is struck through beside it; cents. */
export type Tag = { cents: number; originalCents: number | null };

/** A coupon of the shop. `isFor`: what it is valid for; `minimum`: whether the order reaches its least price. */
export type CartCoupon = {
  percent: number | null;
  amountCents: number | null;
  withBumps: boolean;
  isFor:
    | "everything"
    | "this product"
    | "another product"
    | "this offer"
    | "another offer"
    | "nothing: unknown";
  minimum: "none" | "reached to the cent" | "missed by a cent";
};

export type CartOffer = Tag & {
  /** `link` and `listed` have an address of their own; a `tier` counts at the product's. */
  kind: "link" | "listed" | "tier";
  state: "open" | "ended" | "paused" | "early";
  /** Which of the bumps are shown with it; null: all. */
  includes: boolean[] | null;
  min: number;
  max: number;
  /** How many units are left: as many as the order has, one less, or no limit. */
  left: "enough" | "one too few" | "unlimited";
};

/** A product with all that decides its price, and one order of it. Money in cents. */
export type Cart = {
  product: Tag;
  bumps: Tag[];
  /** For each bump: whether the buyer chooses it. */
  chosen: boolean[];
  offer: CartOffer | null;
  /** How many units, as typed; empty for the least. */
  quantity: string;
  /** In the form's field, and in the address of the page. */
  typed: CartCoupon | null;
  linked: CartCoupon | null;
  upsell: Tag | null;
  /** What a PIX takes off, in percent; null in a shop that takes no cards. That of a shop's first cart counts. */
  pixPercent: number | null;
  /** Paid with a card; not by programs. */
  isCard: boolean;
  via: "page" | "API" | "function";
};

const ONE_MILLION = 100_000_000;

/** What a product may cost: also what no provider accepts, half a cent after a discount, and the highest price. */
const cents = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(0, 1, 2, 49, 50, 51, 99, 100, 101, 9700) },
  { weight: 1, arbitrary: fc.constantFrom(ONE_MILLION, ONE_MILLION - 1, ONE_MILLION - 50) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 500 }) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 2000 }).map((tens) => tens * 10) },
  { weight: 4, arbitrary: fc.integer({ min: 100, max: 100_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: ONE_MILLION }) },
);
const tag: fc.Arbitrary<Tag> = fc.record({ cents, originalCents: fc.option(cents, { freq: 2 }) });

const coupon: fc.Arbitrary<CartCoupon> = fc
  .record({
    isPercent: fc.boolean(),
    percent: fc.oneof(fc.integer({ min: 1, max: 100 }), fc.constantFrom(1, 5, 15, 50, 99, 100)),
    amountCents: fc.oneof(cents, fc.constantFrom(50, 100)).map((amount) => Math.max(1, amount)),
    withBumps: fc.boolean(),
    isFor: fc.oneof(
      {
        weight: 8,
        arbitrary: fc.constantFrom<CartCoupon["isFor"]>("everything", "this product", "this offer"),
      },
      {
        weight: 1,
        arbitrary: fc.constantFrom<CartCoupon["isFor"]>(
          "another product",
          "another offer",
          "nothing: unknown",
        ),
      },
    ),
    minimum: fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom<CartCoupon["minimum"]>("none", "reached to the cent") },
      { weight: 1, arbitrary: fc.constant<CartCoupon["minimum"]>("missed by a cent") },
    ),
  })
  .map(({ isPercent, percent, amountCents, withBumps, ...rest }) => ({
    ...rest,
    percent: isPercent ? percent : null,
    amountCents: isPercent ? null : amountCents,
    withBumps: isPercent && withBumps,
  }));

const quantities = fc
  .tuple(
    fc.oneof(
      { weight: 3, arbitrary: fc.constant(1) },
      { weight: 2, arbitrary: fc.integer({ min: 2, max: 30 }) },
    ),
    fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 0, max: 9 }) },
      { weight: 1, arbitrary: fc.constant(970) },
    ),
  )
  .map(([min, more]) => ({ min, max: min + more }));

const offer: fc.Arbitrary<CartOffer> = fc
  .record({
    tag,
    limits: quantities,
    kind: fc.constantFrom<CartOffer["kind"]>("link", "listed", "tier"),
    state: fc.oneof(
      { weight: 12, arbitrary: fc.constant<CartOffer["state"]>("open") },
      { weight: 1, arbitrary: fc.constantFrom<CartOffer["state"]>("ended", "paused", "early") },
    ),
    includes: fc.option(fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }), { freq: 2 }),
    left: fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom<CartOffer["left"]>("enough", "unlimited") },
      { weight: 1, arbitrary: fc.constant<CartOffer["left"]>("one too few") },
    ),
  })
  .map(({ tag, limits, ...rest }) => ({ ...tag, ...limits, ...rest }));

/** Mostly what the limits allow; at times one more than the most, or less than one. */
const typedQuantity = fc.oneof(
  { weight: 5, arbitrary: fc.double({ min: 0, max: 1, noNaN: true }) },
  { weight: 2, arbitrary: fc.constant("least" as const) },
  { weight: 1, arbitrary: fc.constantFrom("too many" as const, "none" as const) },
);

export const cart: fc.Arbitrary<Cart> = fc
  .record({
    product: tag,
    bumps: fc.array(tag, { maxLength: 6, size: "max" }),
    choices: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
    /** At times a bump that the offer does not include. */
    isCareless: fc.integer({ min: 0, max: 11 }).map((n) => n === 11),
    offer: fc.option(offer, { freq: 3 }),
    typedQuantity,
    typed: fc.option(coupon, { freq: 3 }),
    linked: fc.option(coupon, { freq: 3 }),
    upsell: fc.option(tag, { freq: 2 }),
    pixPercent: fc.option(fc.constantFrom(0, 1, 5, 10, 15, 33, 50), { freq: 3 }),
    isCard: fc.boolean(),
    via: fc.constantFrom<Cart["via"]>("page", "API", "function"),
  })
  .map(({ choices, isCareless, typedQuantity, ...one }) => {
    const isOpen = one.offer?.state === "open";
    const includes = isOpen ? one.offer!.includes : null;
    const [typed, linked] = [one.typed, one.linked].map((coupon) => coupon && fitting(coupon, isOpen));
    return {
      ...one,
      chosen: one.bumps.map((_, at) => choices[at]! && (isCareless || (includes?.[at] ?? true))),
      quantity: quantityText(one.offer, typedQuantity),
      // A program has no address with a coupon.
      ...(one.via === "API" ? { typed: typed ?? linked!, linked: null } : { typed: typed!, linked: linked! }),
    };
  });

/** Without an offer most coupons of offers would only be refused; those of another offer are refused anyway. */
function fitting(coupon: CartCoupon, isOpen: boolean): CartCoupon {
  return coupon.isFor === "this offer" && !isOpen ? { ...coupon, isFor: "this product" } : coupon;
}

function quantityText(offer: CartOffer | null, typed: number | "least" | "too many" | "none"): string {
  const { min, max } = offer?.state === "open" ? offer : { min: 1, max: 1 };
  if (typed === "least") return "";
  if (typed === "too many") return String(max + 1);
  if (typed === "none") return "0";
  return String(min + Math.round(typed * (max - min)));
}
