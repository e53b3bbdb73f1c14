import { expect } from "vitest";
import * as products from "#app/routes/api/checkout/products.ts";
import * as checkout from "#app/routes/buyer/checkout.tsx";
import * as customization from "#app/routes/seller/customization/checkout-preview.tsx";
import { loadLink } from "#app/routes/seller/links/link.server.ts";
import * as preview from "#app/routes/seller/products/preview.tsx";
import { APPLY_COUPON } from "#app/ui/buyer/checkout/coupon-field.tsx";
import { comparePage } from "#tests/integration/orders/carts/checkout-page.ts";
import { expectCart } from "#tests/integration/orders/carts/expected.ts";
import { couponCodes, reais } from "#tests/integration/orders/carts/names.ts";
import type { CartShop, ShopCart } from "#tests/integration/orders/carts/open-cart-shop.ts";
import { addressOf, formOf, type Seen } from "#tests/integration/orders/carts/order-cart.ts";
import { textOf } from "#tests/integration/scenarios/views.ts";
import { call } from "#tests/support/routes/call.ts";

/** Compares all that shows a cart's prices before it is ordered. @returns what the page's form contains */
export async function checkCheckout(one: ShopCart): Promise<Seen> {
  const { cart, expected, checkout: at, offer } = one;
  const nothing = { prices: "", offerId: "" };
  const opened = await call(checkout, addressOf(one), { params: at.params });
  if (expected.closed) {
    expect((await opened.text()).replaceAll("&quot;", '"'), "a closed offer's page").toContain(
      expected.closed,
    );
    const answer = await call(products, at.api, { params: at.params });
    expect(JSON.stringify(await answer.json()).replaceAll('\\"', '"'), "API").toContain(expected.closed);
    return nothing;
  }
  comparePage("page", one, await opened.text(), expected.opened, []);
  const send = async (changed: Record<string, string>) => {
    const body = formOf(one, nothing, changed);
    return (await call(checkout, addressOf(one), { method: "POST", params: at.params, body })).text();
  };
  const chosen = cart.chosen.flatMap((is, place) => (is ? [place] : []));
  const applied = await send({ intent: APPLY_COUPON });
  const prices = comparePage("page with its coupon applied", one, applied, expected.filled, chosen);
  const again = await send({ customer_name: "" });
  comparePage("form shown again", one, again, expected.filled, chosen);
  await checkApi(one);
  await checkPreview(one);
  await checkLinkBuilder(one);
  return { prices, offerId: cart.offer?.kind === "tier" && cart.offer.state === "open" ? offer!.id : "" };
}

/** The page that names the reason of a refusal, with the order in its form. */
export function compareRefusedPage(one: ShopCart, html: string): void {
  const chosen = one.cart.chosen.flatMap((is, place) => (is ? [place] : []));
  comparePage("refused order", one, html, one.expected.filled, chosen);
}

async function checkApi({ expected, bumpIds, checkout: at }: ShopCart): Promise<void> {
  const answer = await call(products, at.api, { params: at.params });
  const { product, orderBumps } = (await answer.json()) as {
    product: { price: number };
    orderBumps: { id: number; price: number }[];
  };
  expect([product.price, ...orderBumps.map(({ id, price }) => [id, price])], "checkout product API").toEqual([
    expected.listed.product.cents / 100,
    ...[...expected.listed.bumps].map(([place, { cents }]) => [bumpIds[place], cents / 100]),
  ]);
}

/** The same cart at the product's own address, without coupon and quantity: what a seller's previews show. */
export function atOwnAddress(one: ShopCart): ShopCart {
  const { cart, names } = one;
  const offer = cart.offer?.kind === "tier" ? cart.offer : null;
  return { ...one, expected: expectCart({ ...cart, offer, typed: null, linked: null, quantity: "" }, names) };
}

async function checkPreview(one: ShopCart): Promise<void> {
  const { cart, names, productId, cookie } = one;
  const [own, params] = [atOwnAddress(one), { productId: String(productId) }];
  const answer = await call(preview, `/products/${productId}/preview`, { params, headers: cookie });
  const html = await answer.text();
  comparePage("seller's preview", own, html, own.expected.opened, []);
  if (cart.offer?.kind !== "listed" || cart.offer.state !== "open") return;
  const { cents } = cart.offer;
  expect(textOf(html), "other offers").toContain(`${names.offerName} ${cents > 0 ? reais(cents) : "Grátis"}`);
}

/** The customization's preview is of the shop's first product; without a bump of its own it shows an example. */
export async function checkCustomization({ cookie, carts: [first] }: CartShop): Promise<void> {
  const own = atOwnAddress(first!);
  const { opened } = own.expected;
  const answer = await call(customization, "/checkout-customization/preview", { headers: cookie });
  if (opened.bumps.size > 0) comparePage("customization's preview", own, await answer.text(), opened, []);
}

async function checkLinkBuilder({
  cart,
  names,
  seller,
  productId,
  bumpIds,
  offer,
  hasCouponField,
}: ShopCart) {
  const query = new URLSearchParams({
    address: offer && cart.offer?.kind !== "tier" ? offer.id : "number",
    quantity: cart.quantity,
    ...(cart.linked ? { coupon: couponCodes(names).linked } : {}),
  });
  cart.chosen.forEach((is, at) => {
    if (is) query.append("bump", String(bumpIds[at]));
  });
  const { total, problem } = await loadLink(seller.id, String(productId), query);
  const link = { ...cart, typed: null };
  const { filled } = expectCart(link, names);
  const list = expectCart({ ...link, linked: null }, names).filled.total;
  const price = (cents: number) => (cents === 0 ? "de graça" : reais(cents));
  const { total: byCard, pixTotal } = filled;
  const now = pixTotal < byCard ? `${price(pixTotal)} no PIX, ${reais(byCard)} no cartão` : price(byCard);
  expect(total, "link builder").toBe(byCard < list ? `${now}, no lugar de ${reais(list)}` : now);
  expect(problem, "link builder").toBe(filled.problem);
  if (filled.couponCode) expect(hasCouponField).toBe(true);
}
