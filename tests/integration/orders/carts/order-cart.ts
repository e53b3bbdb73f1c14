import { placeOrder } from "#app/domain/checkout/place-order.server.ts";
import { Refusal } from "#app/kit/refusal.ts";
import * as api from "#app/routes/api/payments/pushinpay.ts";
import * as checkout from "#app/routes/buyer/checkout.tsx";
import type { Cart } from "#tests/integration/orders/carts/cart.ts";
import { couponCodes } from "#tests/integration/orders/carts/names.ts";
import type { ShopCart } from "#tests/integration/orders/carts/open-cart-shop.ts";
import { orderOf } from "#tests/integration/orders/order-of.ts";
import { newAddress } from "#tests/support/clients/client-address.ts";
import { call } from "#tests/support/routes/call.ts";

/** What became of an order: its sale, or the sentence of its refusal. */
export type Ordered = { saleId: string; refusal: null } | { saleId: null; refusal: string };

/** What the page's form contains: the prices that its buyer saw. */
export type Seen = { prices: string; offerId: string };

/** The order of a cart, as a browser or a program sends it. */
export function orderCart(one: ShopCart, seen: Seen): Promise<Ordered> {
  const ways: Record<Cart["via"], (one: ShopCart, seen: Seen) => Promise<Ordered>> = {
    page: orderOnPage,
    API: orderByApi,
    function: orderByFunction,
  };
  return ways[one.cart.via](one, seen);
}

/** The form's fields; `intent` where a button other than the last one is pressed. */
export function formOf(
  { cart, names, bumpIds, email }: ShopCart,
  seen: Seen,
  changed: Record<string, string> = {},
): URLSearchParams {
  const { order_bumps: _, ...fields } = buyerFields(email);
  const form = new URLSearchParams({ ...fields, ad_consent: "1", seen_prices: seen.prices, ...changed });
  if (seen.offerId) form.set("seen_offer", seen.offerId);
  if (cart.pixPercent) form.set("seen_pix_discount", String(cart.pixPercent));
  if (cart.pixPercent !== null) form.set("payment_method", cart.isCard ? "card" : "pix");
  if (cart.quantity) form.set("quantity", cart.quantity);
  if (cart.typed) form.set("coupon", couponCodes(names).typed.toLowerCase());
  cart.chosen.forEach((is, at) => {
    if (is) form.append("order_bumps", String(bumpIds[at]));
  });
  return form;
}

/** The checkout's address with its coupon and a click on an advertisement. */
export function addressOf({ cart, names, checkout: { path } }: ShopCart): string {
  const coupon = cart.linked ? `&cupom=${couponCodes(names).linked}` : "";
  return `${path}?kclid=clique-1${coupon}`;
}

function buyerFields(email: string) {
  return orderOf({ product: { id: 0 }, bump: { id: 0 } }, email).fields as unknown as Record<string, string>;
}

async function orderOnPage(one: ShopCart, seen: Seen): Promise<Ordered> {
  const { params } = one.checkout;
  const answer = await call(checkout, addressOf(one), { method: "POST", params, body: formOf(one, seen) });
  const saleId = answer.headers.get("location")?.match(/[0-9a-f-]{36}/)?.[0];
  return saleId ? { saleId, refusal: null } : { saleId: null, refusal: await answer.text() };
}

async function orderByApi(one: ShopCart, seen: Seen): Promise<Ordered> {
  const { cart, names, productId, bumpIds, offer, email } = one;
  const body = {
    ...buyerFields(email),
    product_id: productId,
    order_bumps: bumpIds.filter((_, at) => cart.chosen[at]),
    ...(cart.typed ? { coupon: couponCodes(names).typed } : {}),
    ...(offer && cart.offer?.kind !== "tier" ? { offer: offer.slug } : {}),
    ...(cart.quantity ? { quantity: Number(cart.quantity) } : {}),
    seen_pix_discount: cart.pixPercent ?? 0,
    ...{ seen_prices: seen.prices, seen_offer: seen.offerId, ad_consent: true, kclid: "clique-1" },
  };
  const answer = await call(api, "/api/payments/pushinpay", { method: "POST", body });
  const { error, sale_id } = (await answer.json()) as Record<string, string | undefined>;
  return answer.ok && sale_id ? { saleId: sale_id, refusal: null } : { saleId: null, refusal: error ?? "" };
}

async function orderByFunction(one: ShopCart, seen: Seen): Promise<Ordered> {
  const { cart, names, productId, bumpIds, email, checkout } = one;
  const order = orderOf({ product: { id: productId }, bump: { id: 0 } }, email);
  const codes = couponCodes(names);
  try {
    const { saleId, refusal } = await placeOrder({
      ...order,
      product: checkout.params.slug ? { slug: checkout.params.slug } : { id: productId },
      fields: {
        ...order.fields,
        order_bumps: bumpIds.filter((_, at) => cart.chosen[at]).map(String),
        quantity: cart.quantity,
      },
      coupons: {
        typed: cart.typed ? codes.typed : null,
        linked: cart.linked ? codes.linked : null,
      },
      campaign: [["kclid", "clique-1"]],
      ads: { ...order.ads, hasConsent: true },
      seenOfferId: seen.offerId || null,
      ...{ seenPrices: seen.prices, seenPixPercent: cart.pixPercent ?? 0, isCard: cart.isCard },
      buyerContext: { ...order.buyerContext, client: newAddress() },
    });
    if (refusal) throw refusal;
    return { saleId, refusal: null };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { saleId: null, refusal: error.message };
  }
}
