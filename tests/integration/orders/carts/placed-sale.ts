import { type ExpectedOrder, rowsOf } from "#tests/integration/orders/carts/expected.ts";
import { reais } from "#tests/integration/orders/carts/names.ts";
import type { Seller } from "#tests/support/make.ts";

/** What the provider keeps of each payment; cents. */
export const FEE = 35;

type Line = {
  kind: "product" | "bump" | "offer";
  name: string;
  quantity: number;
  list: number;
  discount: number;
  off: number;
  paid: number;
  /** What it costs with a PIX. */
  byPix: number;
};

/** What every view of a sale must show; cents. `rows` are its lines and its discounts, as people read them. */
export type SoldOrder = {
  kind: "free" | "paid";
  /** The name of its first line. */
  about: string;
  lines: Line[];
  rows: (readonly [name: string, amount: string])[];
  list: number;
  discount: number;
  off: number;
  total: number;
  isCard: boolean;
  quantity: number;
  couponCode: string | null;
  offerName: string | null;
};

/** A sale of a cart, or of its upsell. */
export type PlacedSale = {
  saleId: string;
  parentId: string | null;
  /** Null for a free order. */
  chargeId: string | null;
  order: SoldOrder;
  productId: number;
  offerId: string | null;
  /** What was paid for the upsell that its buyer accepted; null where none was. */
  acceptedCents: number | null;
  seller: Seller;
  cookie: { Cookie: string };
  /** Headers of a browser in which the buyer's purchases are open. */
  portal: Record<string, string>;
  email: string;
  /** Which part of long lists is read of it: see `inTurn`. */
  turn: Turn;
};

export function soldOrder(order: Extract<ExpectedOrder, { lines: unknown }>): SoldOrder {
  return { ...order, about: order.lines[0]!.name, rows: rowsOf(order) };
}

export function soldUpsell(name: string, cents: number): SoldOrder {
  const prices = { list: cents, discount: 0, off: 0, paid: cents, byPix: cents };
  const line: Line = { kind: "offer", name, quantity: 1, ...prices };
  return {
    ...{ kind: "paid", about: name, lines: [line], rows: [[name, reais(cents)]] },
    ...{
      list: cents,
      discount: 0,
      off: 0,
      total: cents,
      isCard: false,
      quantity: 1,
      couponCode: null,
      offerName: null,
    },
  };
}

/** The order as a PIX of it is spoken of, whichever way it was sent. */
export function pricedByPix(order: SoldOrder): SoldOrder {
  return pricedAs(order, ({ byPix }) => byPix);
}

/** The same of a card: no method takes anything off. */
export function pricedByCard(order: SoldOrder): SoldOrder {
  return pricedAs(order, ({ list, discount }) => list - discount);
}

function pricedAs(order: SoldOrder, paidOf: (line: Line) => number): SoldOrder {
  const lines = order.lines.map((line) => {
    const paid = paidOf(line);
    return { ...line, paid, off: line.list - line.discount - paid };
  });
  const sum = (of: "off" | "paid") => lines.reduce((all, line) => all + line[of], 0);
  const priced = { ...order, lines, off: sum("off"), total: sum("paid") };
  return { ...priced, rows: rowsOf(priced) };
}

/** Part `at` of `of`. */
export type Turn = { at: number; of: number };

/**
 * A sale's part of a list. In a run of thousands of carts, each mail and event is read of every fourth sale only: mails of all
 * kinds have one table, and messages of all events the same lines.
 */
export function inTurn<T>(all: readonly T[], { turn }: Pick<PlacedSale, "turn">): T[] {
  return all.filter((_, at) => (at + turn.at) % turn.of === 0);
}
