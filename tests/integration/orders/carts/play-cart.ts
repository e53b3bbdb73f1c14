import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { db } from "#app/db/client.server.ts";
import { claimCardPayment } from "#app/domain/card/claim-card-payment.server.ts";
import { settleCharge } from "#app/domain/settlement/settle-charge.server.ts";
import * as thankYou from "#app/routes/buyer/thank-you.tsx";
import * as upsell from "#app/routes/buyer/upsell.tsx";
import { checkCheckout, compareRefusedPage } from "#tests/integration/orders/carts/checkout-views.ts";
import { reais } from "#tests/integration/orders/carts/names.ts";
import type { ShopCart } from "#tests/integration/orders/carts/open-cart-shop.ts";
import { orderCart } from "#tests/integration/orders/carts/order-cart.ts";
import {
  FEE,
  type PlacedSale,
  type SoldOrder,
  soldOrder,
  soldUpsell,
} from "#tests/integration/orders/carts/placed-sale.ts";
import { amountsIn, readRows, UNPAID_VIEWS } from "#tests/integration/orders/carts/sale-views.ts";
import { textOf } from "#tests/integration/scenarios/views.ts";
import { sql } from "#tests/support/database.ts";
import { call } from "#tests/support/routes/call.ts";

/** A sale before its buyer's purchases are open. */
export type UnreadSale = Omit<PlacedSale, "portal" | "turn">;

/** Opens a cart's checkout, orders, pays and answers the upsell. @returns its sales; none where it is refused */
export async function playCart(one: ShopCart): Promise<UnreadSale[]> {
  const seen = await checkCheckout(one);
  const { saleId, refusal } = await orderCart(one, seen);
  const { order } = one.expected;
  if (order.kind === "refused") {
    expect(saleId === null ? refusal.replaceAll("&quot;", '"') : "an order", "refusal").toContain(
      order.sentence,
    );
    if (one.cart.via === "page" && !one.expected.closed) compareRefusedPage(one, refusal!);
    return [];
  }
  expect(saleId === null ? textOf(refusal).slice(0, 2000) : null, "a refusal").toBeNull();
  const offerId = order.offerName ? one.offer!.id : null;
  const sale = await readPlaced(one, { saleId: saleId!, parentId: null, offerId }, soldOrder(order));
  const paid = await payFor(sale);
  const accepted = await playUpsell(one, paid);
  return accepted ? [{ ...paid, acceptedCents: accepted.order.total }, accepted] : [paid];
}

async function readPlaced(
  { seller, cookie, email, productId }: ShopCart,
  ids: Pick<PlacedSale, "saleId" | "parentId" | "offerId">,
  order: SoldOrder,
): Promise<UnreadSale> {
  const [charge] = await sql`select id from charges where sale_id = ${ids.saleId}`;
  return {
    ...ids,
    chargeId: charge?.id ?? null,
    order,
    productId,
    acceptedCents: null,
    seller,
    cookie,
    email,
  };
}

/** Reads what an unpaid order shows, and pays it. */
async function payFor(sale: UnreadSale): Promise<UnreadSale> {
  const asRead = (one: UnreadSale) => ({ ...one, portal: {}, turn: { at: 0, of: 1 } });
  await readRows(asRead(sale));
  const { saleId, order } = sale;
  if (order.kind === "free") return sale;
  for (const [view, read] of Object.entries(UNPAID_VIEWS))
    await named(`unpaid: ${view}`, () => read(asRead(sale)));
  const chargeId = order.isCard
    ? (await db.transaction((tx) => claimCardPayment(tx, saleId, { instalments: 3, token: randomUUID() })))!
        .chargeId
    : sale.chargeId!;
  const [charge] = await sql`select provider_id from charges where id = ${chargeId}`;
  await settleCharge(chargeId, {
    ...{ providerId: charge!.provider_id ?? randomUUID(), state: "paid", providerStatus: "paid" },
    ...{ amountCents: order.total, feeCents: FEE, refundedCents: null, webhookUrl: null },
  });
  const paid = { ...sale, chargeId };
  await named("paid: rows", () => readRows(asRead(paid)));
  return paid;
}

async function playUpsell(one: ShopCart, parent: UnreadSale): Promise<UnreadSale | null> {
  const { expected, names, productId, upsellId } = one;
  const { saleId } = parent;
  const { upsell: wanted } = expected;
  if (wanted.kind === "none") return null;
  const { cents, originalCents } = one.cart.upsell!;
  const [path, params] = [`/upsell/${productId}?sale=${saleId}`, { productId: String(productId) }];
  const pages = {
    "upsell page": await call(upsell, path, { params }),
    "upsell before the thank-you page": await call(thankYou, `/thank-you/${saleId}`, { params: { saleId } }),
  };
  let prices = "";
  for (const [view, answer] of Object.entries(pages)) {
    const html = await answer.text();
    if (wanted.kind === "refused") {
      expect(html, view).not.toContain('name="seen_prices"');
      expect(textOf(html), view).not.toContain(names.upsellName);
      continue;
    }
    const amounts = amountsIn(textOf(html));
    expect([amounts[0], amounts.at(-1)], view).toEqual([reais(cents), reais(cents)]);
    if (amounts.length > 2) expect(amounts[1], view).toBe(reais(originalCents!));
    prices = /name="seen_prices"[^>]* value="([^"]*)"/.exec(html)?.[1] ?? "";
    expect(prices, view).toBe(String(cents));
  }
  const body = new URLSearchParams({ intent: "accept", offer: String(upsellId), seen_prices: prices });
  const answer = await call(upsell, path, { method: "POST", params, body });
  if (wanted.kind === "refused") {
    expect(await answer.text(), "upsell").toContain(wanted.sentence);
    expect(await sql`select from upsell_showings where sale_id = ${saleId}`, "its time").toHaveLength(0);
    return null;
  }
  const acceptedId = answer.headers.get("location")?.match(/\/checkout\/pix\/([0-9a-f-]{36})/)?.[1];
  expect(acceptedId, "the upsell's sale").toBeDefined();
  const ids = { saleId: acceptedId!, parentId: saleId, offerId: null };
  const sale = await readPlaced(one, ids, soldUpsell(names.upsellName, cents));
  return payFor(sale);
}

/** What a failure in `read` is about. */
export async function named<T>(view: string, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw new Error(`${view}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}
