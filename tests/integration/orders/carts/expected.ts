import type { Cart, Tag } from "#tests/integration/orders/carts/cart.ts";
import {
  afterCoupon,
  afterPercent,
  bumpAfterCoupon,
  type CartAt,
  type Choice,
  chooseCoupon,
  MOST,
  unitTag,
} from "#tests/integration/orders/carts/expected-coupon.ts";
import { type CartNames, reais } from "#tests/integration/orders/carts/names.ts";

/**
 * What carts cost, computed by itself: nothing here may use the app's own computation. Money in cents.
 */

export type ExpectedLine = {
  kind: "product" | "bump";
  name: string;
  quantity: number;
  list: number;
  discount: number;
  /** What its payment method took off. */
  off: number;
  paid: number;
  /** What it costs with a PIX. */
  byPix: number;
};

/** A price on a page, and the one that may be struck through beside it. */
export type ShownPrice = { cents: number; was: number };

/** What a page shows; `bumps` by their place in the cart. `problem`: why a code does not count. */
export type ShownPage = {
  product: ShownPrice;
  bumps: Map<number, ShownPrice>;
  total: number;
  /** The same with a PIX. */
  pixTotal: number;
  /** The same without promotions and coupon. */
  original: number;
  couponCode: string | null;
  /** Of a coupon that discounts everything. */
  percent: number | null;
  problem: string | null;
};

export type ExpectedOrder =
  | { kind: "refused"; sentence: string }
  | {
      kind: "free" | "paid";
      lines: ExpectedLine[];
      list: number;
      discount: number;
      off: number;
      total: number;
      isCard: boolean;
      quantity: number;
      couponCode: string | null;
      offerName: string | null;
    };

export type Expected = {
  /** The sentence of an address at which nothing can be ordered; null where it shows a page. */
  closed: string | null;
  /** The page as it is opened, and as it is shown again with the order in its form. */
  opened: ShownPage;
  filled: ShownPage;
  /** CartAt the product's own address and the offer's, without a coupon: what programs read. */
  listed: ShownPage;
  order: ExpectedOrder;
  upsell: { kind: "none" } | { kind: "refused"; sentence: string } | { kind: "paid"; cents: number };
};

const LEAST = 50;

export function expectCart(cart: Cart, names: CartNames): Expected {
  const { closed, offer } = countingOffer(cart, names);
  const limits = offer ?? { min: 1, max: 1 };
  const asked = cart.quantity === "" ? limits.min : Number(cart.quantity);
  const isAllowed = asked >= limits.min && asked <= limits.max;
  const shownQuantity = isAllowed ? asked : limits.min;
  const at = { cart, names, offer };
  const filledChoice = chooseCoupon(at, { typed: cart.typed, linked: cart.linked }, shownQuantity);
  const openedChoice = chooseCoupon(at, { typed: null, linked: cart.linked }, limits.min);
  const nothing = cart.bumps.map(() => false);
  return {
    closed,
    listed: showPage(at, { coupon: null, code: null, problem: null }, nothing, limits.min),
    opened: showPage(at, openedChoice, nothing, limits.min),
    filled: showPage(at, filledChoice, cart.chosen, shownQuantity),
    order: closed
      ? { kind: "refused", sentence: closed }
      : expectOrder(at, filledChoice, { asked, isAllowed }),
    upsell: expectUpsell(cart),
  };
}

function countingOffer({ offer }: Cart, { offerName }: CartNames) {
  if (!offer) return { closed: null, offer: null };
  if (offer.state === "open") return { closed: null, offer };
  // The product's own price counts where its tier does not.
  if (offer.kind === "tier") return { closed: null, offer: null };
  const why = { ended: "terminou em", paused: "não está mais disponível", early: "começa em" }[offer.state];
  return { closed: `A oferta "${offerName}" ${why}`, offer: null };
}

const isShown = ({ offer }: CartAt, at: number) => offer?.includes?.[at] ?? true;

function showPage(
  at: CartAt,
  { coupon, code, problem }: Choice,
  chosen: boolean[],
  quantity: number,
): ShownPage {
  const shown = ({ cents, originalCents }: Tag, left: number): ShownPrice => ({
    cents: left,
    was: left < cents ? Math.max(cents, originalCents ?? 0) : (originalCents ?? 0),
  });
  const unit = unitTag(at);
  const product = shown(unit, afterCoupon(unit.cents, coupon));
  const bumps = new Map<number, ShownPrice>();
  const full = ({ cents, was }: ShownPrice) => Math.max(cents, was);
  const pix = ({ cents }: ShownPrice) => afterPercent(cents, at.cart.pixPercent ?? 0);
  let [total, pixTotal, original] = [product.cents, pix(product), full(product)].map(
    (cents) => cents * quantity,
  ) as [number, number, number];
  at.cart.bumps.forEach((bump, place) => {
    if (!isShown(at, place)) return;
    const price = shown(bump, bumpAfterCoupon(bump.cents, coupon));
    bumps.set(place, price);
    if (!chosen[place]) return;
    total += price.cents;
    pixTotal += pix(price);
    original += full(price);
  });
  const percent = coupon?.withBumps ? coupon.percent : null;
  return { product, bumps, total, pixTotal, original, couponCode: code, percent, problem };
}

function expectOrder(
  at: CartAt,
  { coupon, code, problem }: Choice,
  { asked, isAllowed }: { asked: number; isAllowed: boolean },
): ExpectedOrder {
  const { cart, names, offer } = at;
  const refused = (sentence: string): ExpectedOrder => ({ kind: "refused", sentence });
  const { min, max } = offer ?? { min: 1, max: 1 };
  if (!isAllowed)
    return refused(
      min === max ? `Esta oferta vende ${min} por pedido.` : `A quantidade deve ser de ${min} a ${max}.`,
    );
  if (problem) return refused(problem);
  const line = (about: Pick<ExpectedLine, "kind" | "name">, quantity: number, list: number, left: number) => {
    const byPix = afterPercent(left, cart.pixPercent ?? 0);
    const paid = cart.isCard ? left : byPix;
    return {
      ...{ ...about, quantity, list: list * quantity, paid: paid * quantity, byPix: byPix * quantity },
      ...{ discount: (list - left) * quantity, off: (left - paid) * quantity },
    };
  };
  const { cents } = unitTag(at);
  const name = asked > 1 ? `${asked} × ${names.productName}` : names.productName;
  const lines = [line({ kind: "product", name }, asked, cents, afterCoupon(cents, coupon))];
  cart.bumps.forEach((bump, place) => {
    if (cart.chosen[place] && isShown(at, place))
      lines.push(
        line(
          { kind: "bump", name: names.bumpNames[place]! },
          1,
          bump.cents,
          bumpAfterCoupon(bump.cents, coupon),
        ),
      );
  });
  const sum = (of: "list" | "discount" | "off" | "paid") => lines.reduce((all, one) => all + one[of], 0);
  const [list, discount, off, total] = [sum("list"), sum("discount"), sum("off"), sum("paid")];
  if (list > MOST) return refused(`Um pedido pode somar até ${reais(MOST)}`);
  if (total > 0 && total < LEAST)
    return refused(`O PIX deste vendedor só aceita pagamentos a partir de ${reais(LEAST)}.`);
  if (cart.chosen.some((is, place) => is && !isShown(at, place)))
    return refused("Uma das ofertas escolhidas não está mais disponível.");
  const left = unitsLeft(cart);
  if (offer && left !== null && left < asked)
    return refused(`${left === 1 ? "Resta" : "Restam"} só ${left} na oferta "${names.offerName}".`);
  return {
    kind: total === 0 ? "free" : "paid",
    ...{ lines, list, discount, off, total, quantity: asked, couponCode: code },
    isCard: cart.isCard && total > 0,
    offerName: offer ? names.offerName : null,
  };
}

/** How many units of its offer are left before the order; null where they are not limited. */
export function unitsLeft(cart: Cart): number | null {
  const { offer } = cart;
  if (!offer || offer.left === "unlimited") return null;
  const asked = cart.quantity === "" ? offer.min : Number(cart.quantity);
  // CartAt least as many as the least order: with fewer the offer is sold out for everybody.
  return Math.max(offer.min, offer.left === "one too few" ? asked - 1 : asked);
}

function expectUpsell({ upsell }: Cart): Expected["upsell"] {
  if (!upsell) return { kind: "none" };
  const sentence = `O PIX deste vendedor só aceita pagamentos a partir de ${reais(LEAST)}.`;
  return upsell.cents < LEAST ? { kind: "refused", sentence } : { kind: "paid", cents: upsell.cents };
}

/** The rows in which people read a sale: list prices, and what the coupon and a PIX took off in all. */
export function rowsOf({
  lines,
  discount,
  off,
  couponCode,
}: Pick<Extract<ExpectedOrder, { lines: unknown }>, "discount" | "off" | "couponCode"> & {
  lines: { name: string; list: number }[];
}) {
  return [
    ...lines.map(({ name, list }) => [name, reais(list)] as const),
    ...(discount > 0 ? [[`Cupom ${couponCode}`, `− ${reais(discount)}`] as const] : []),
    ...(off > 0 ? [["Desconto no PIX", `− ${reais(off)}`] as const] : []),
  ];
}
