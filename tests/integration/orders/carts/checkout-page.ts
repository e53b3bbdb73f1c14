import { DomUtils, parseDocument } from "htmlparser2";
import { expect } from "vitest";
import type { ShownPage, ShownPrice } from "#tests/integration/orders/carts/expected.ts";
import { afterPercent } from "#tests/integration/orders/carts/expected-coupon.ts";
import { reais } from "#tests/integration/orders/carts/names.ts";
import type { ShopCart } from "#tests/integration/orders/carts/open-cart-shop.ts";

type Element = Parameters<Parameters<typeof DomUtils.findAll>[0]>[0];
type ChildNode = ReturnType<typeof parseDocument>["children"][number];

/**
 * Compares a checkout page as it is without a script, the hidden fields and the numbers for its script included.
 * @param chosen the bumps that are ticked, by their place in the cart
 * @returns the prices in its form
 */
export function comparePage(
  view: string,
  {
    cart,
    hasCouponField,
    expected,
    bumpIds,
  }: Pick<ShopCart, "cart" | "hasCouponField" | "expected" | "bumpIds">,
  html: string,
  shown: ShownPage,
  chosen: number[],
): string {
  const page = readPage(html);
  const bumps = [...shown.bumps].map(([place, price]) => ({ id: String(bumpIds[place]), place, price }));
  comparePrice(`${view}: product`, page.prices("bought"), shown.product);
  comparePrice(`${view}: order summary`, page.prices("product"), shown.product);
  for (const { id, price } of bumps)
    comparePrice(`${view}: bump ${id}`, page.bumps.get(id)?.prices ?? [], price);
  const ticked = [...page.bumps].map(([id, { numbers, checked }]) => [id, numbers, checked]);
  expect({ ...page.numbers, ticked }, view).toEqual({
    ticked: bumps.map(({ id, place, price }) => [
      id,
      [price.cents, afterPercent(price.cents, cart.pixPercent ?? 0), Math.max(price.was, price.cents)],
      chosen.includes(place),
    ]),
    totals: [shown.pixTotal, shown.pixTotal],
    card: cart.pixPercent ? [shown.total] : [],
    pixPercent: cart.pixPercent ? String(cart.pixPercent) : "",
    pix: afterPercent(shown.product.cents, cart.pixPercent ?? 0),
    price: shown.product.cents,
    original: Math.max(shown.product.was, shown.product.cents),
    seen: [shown.product.cents, ...bumps.map(({ id, price }) => `${id}:${price.cents}`)].join(" "),
    promotion: [shown.original, shown.original - shown.pixTotal],
  });
  const off = expected.listed.product.cents - shown.product.cents;
  // Of an order that costs nothing, whatever is chosen, no coupon takes anything off.
  const mayCost = expected.listed.product.cents > 0 || shown.bumps.size > 0;
  if (shown.couponCode && hasCouponField && mayCost) {
    const [, said] = page.text.match(/ aplicado: (− R\$ [\d.]+,\d\d|\d+% de desconto em tudo)/) ?? [];
    expect(page.text, view).toContain(`Cupom ${shown.couponCode} aplicado`);
    expect([`− ${reais(off)}`, `${shown.percent}% de desconto em tudo`], view).toContain(said);
  }
  if (shown.problem) expect(page.text, view).toContain(shown.problem);
  return page.numbers.seen;
}

/** Struck through only where it is higher, and always where it is a percent higher or more. */
function comparePrice(
  view: string,
  [price, was]: (number | undefined)[],
  { cents, was: before }: ShownPrice,
): void {
  expect(price, view).toBe(cents);
  if (was !== undefined) expect([was, was > cents], view).toEqual([before, true]);
  else expect((before - cents) * 100 >= before && before > cents, `${view}: struck through`).toBe(false);
}

function readPage(html: string) {
  const document = parseDocument(html);
  const all = (test: (element: Element) => boolean, within: ChildNode[] = document.children) =>
    DomUtils.findAll(test, within);
  const hasClass = (name: string) => (element: Element) =>
    ` ${element.attribs.class ?? ""} `.includes(` ${name} `);
  const text = (element: Element | undefined) => (element ? DomUtils.textContent(element).trim() : "");
  const pricesIn = (within: ChildNode[]): (number | undefined)[] => {
    const [box] = all(hasClass("prices"), within);
    if (!box) return [];
    const [b, s] = ["b", "s"].map((name) => all((element) => element.name === name, box.children)[0]);
    return [centsIn(text(b)), s && centsIn(text(s))];
  };
  const having = (attribute: string) => all((element) => attribute in element.attribs);
  const [order] = all((element) => element.name === "order-total");
  const inputOf = (name: string) => all((element) => element.attribs.name === name)[0]?.attribs.value ?? "";
  const labels = all(hasClass("bump"));
  return {
    text: text(all((element) => element.name === "main")[0]).replace(/\s+/g, " "),
    prices: (name: string) => pricesIn(all(hasClass(name))[0]?.children ?? []),
    bumps: new Map(
      labels.map((label) => {
        const [input] = all((element) => element.name === "input", label.children);
        const {
          value = "",
          "data-price": price,
          "data-due": pix,
          "data-original": original,
        } = input!.attribs;
        const checked = "checked" in input!.attribs;
        const numbers = [Number(price), Number(pix), Number(original)];
        return [value, { numbers, checked, prices: pricesIn(label.children) }] as const;
      }),
    ),
    numbers: {
      totals: having("data-total").map((element) => centsIn(text(element))),
      card: having("data-card-total").map((element) => centsIn(text(element))),
      pixPercent: inputOf("seen_pix_discount"),
      pix: Number(order?.attribs["data-due"]),
      price: Number(order?.attribs["data-price"]),
      original: Number(order?.attribs["data-original"]),
      seen: inputOf("seen_prices"),
      promotion: [centsIn(text(having("data-was")[0])), centsIn(text(having("data-saving")[0]))],
    },
  };
}

/** The amount in a text, `Grátis` for nothing. */
function centsIn(text: string): number {
  if (text.includes("Grátis")) return 0;
  return Number(/R\$\s([\d.]+,\d\d)/.exec(text)?.[1]?.replace(/\D/g, "") ?? Number.NaN);
}
