import { randomUUID } from "node:crypto";
import { db } from "#app/db/client.server.ts";
import { coupons } from "#app/db/schema/coupons.server.ts";
import { offers } from "#app/db/schema/offers.server.ts";
import { orderBumps, products, upsells } from "#app/db/schema/products.server.ts";
import { DAY, HOUR } from "#app/kit/duration.ts";
import type { Cart, CartCoupon, Tag } from "#tests/integration/orders/carts/cart.ts";
import { type Expected, expectCart, unitsLeft } from "#tests/integration/orders/carts/expected.ts";
import { minimumOf } from "#tests/integration/orders/carts/expected-coupon.ts";
import { type CartNames, couponCodes, namesOf } from "#tests/integration/orders/carts/names.ts";
import {
  makeCardGateway,
  makeGateway,
  makeProduct,
  makeSeller,
  type Seller,
  signedIn,
} from "#tests/support/make.ts";
import { makePixel } from "#tests/support/rows/make-destination.ts";
import { makeCheckoutSettings } from "#tests/support/rows/make-storefront.ts";

/** A cart with its rows, and what every view of it must show. */
export type ShopCart = {
  cart: Cart;
  names: CartNames;
  expected: Expected;
  seller: Seller;
  cookie: { Cookie: string };
  email: string;
  productId: number;
  bumpIds: number[];
  offer: { id: string; slug: string } | null;
  upsellId: number | null;
  /** Where its checkout is: the offer's address, or the product's. */
  checkout: { path: string; api: string; params: Record<string, string> };
  /** Whether its checkout has a field for a coupon. */
  hasCouponField: boolean;
};

export type CartShop = { seller: Seller; cookie: { Cookie: string }; email: string; carts: ShopCart[] };

/** A shop with a product for each cart, whose sales are reported to an advertiser. */
export async function openCartShop(ofShop: Cart[]): Promise<CartShop> {
  const seller = await makeSeller();
  await makeGateway(seller);
  const { pixPercent } = ofShop[0]!;
  if (pixPercent !== null) await takeCards(seller, pixPercent);
  const carts = ofShop.map((cart) => ({
    ...{ ...cart, pixPercent },
    // Units are reserved when a card is sent, so too few of them are not refused before.
    isCard: cart.isCard && pixPercent !== null && cart.via !== "API" && cart.offer?.left !== "one too few",
  }));
  await makePixel(seller, "meta");
  const another = await makeProduct(seller, { name: "Outro produto", deactivatedAt: new Date() });
  const email = `bia-${randomUUID()}@exemplo.com.br`;
  const [cookie, rows] = [await signedIn(seller), carts.map((cart, at) => ({ cart, names: namesOf(at) }))];
  const productRows = await db
    .insert(products)
    .values(
      rows.map(({ cart, names }) => ({
        ...priceColumns(cart.product),
        sellerId: seller.id,
        name: names.productName,
        fileUrl: "https://arquivos.exemplo.com.br/curso.pdf",
      })),
    )
    .returning({ id: products.id });
  const made = rows.map((row, at) => ({ ...row, productId: productRows[at]!.id }));
  const bumps = await insertAll(
    made.flatMap(({ cart, names, productId }) =>
      cart.bumps.map((bump, at) => ({
        ...{ ...priceColumns(bump), sellerId: seller.id, productId },
        ...{ name: names.bumpNames[at]!, position: at, fileUrl: "https://arquivos.exemplo.com.br/b.pdf" },
      })),
    ),
    (values) =>
      db.insert(orderBumps).values(values).returning({ id: orderBumps.id, productId: orderBumps.productId }),
  );
  const bumpsOf = (productId: number) =>
    bumps.filter((bump) => bump.productId === productId).map(({ id }) => id);
  const offerRows = await insertAll(
    made.flatMap(({ cart: { offer }, cart, names, productId }) =>
      offer
        ? [
            {
              ...{ ...priceColumns(offer), sellerId: seller.id, productId, kind: offer.kind },
              ...{ name: names.offerName, slug: `turma-${randomUUID().slice(0, 13)}` },
              ...{ minQuantity: offer.min, maxQuantity: offer.max, maxUnits: unitsLeft(cart) },
              bumpIds: offer.includes && bumpsOf(productId).filter((_, at) => offer.includes![at]),
              ...stateColumns(offer.state),
            },
          ]
        : [],
    ),
    (values) =>
      db
        .insert(offers)
        .values(values)
        .returning({ id: offers.id, slug: offers.slug, productId: offers.productId }),
  );
  const offerOf = (productId: number) => {
    const offer = offerRows.find((one) => one.productId === productId);
    return offer ? { id: offer.id, slug: offer.slug! } : null;
  };
  const couponRows = made.flatMap((row) => {
    const codes = couponCodes(row.names);
    const ids = { productId: row.productId, offerId: offerOf(row.productId)?.id, anotherId: another.id };
    return (["typed", "linked"] as const).flatMap((which) => {
      const coupon = row.cart[which];
      if (!coupon || coupon.isFor === "nothing: unknown") return [];
      return [{ sellerId: seller.id, code: codes[which], ...couponColumns(row.cart, coupon, ids) }];
    });
  });
  await insertAll(couponRows, (values) => db.insert(coupons).values(values).returning({ id: coupons.id }));
  const upsellRows = await insertAll(
    made.flatMap(({ cart, names, productId }) =>
      cart.upsell
        ? [{ ...priceColumns(cart.upsell), sellerId: seller.id, productId, name: names.upsellName }]
        : [],
    ),
    (values) => db.insert(upsells).values(values).returning({ id: upsells.id, productId: upsells.productId }),
  );
  const shopCarts = made.map(({ cart, names, productId }): ShopCart => {
    const offer = offerOf(productId);
    const slug = offer && cart.offer?.kind !== "tier" ? offer.slug : null;
    return {
      ...{ cart, names, seller, cookie, email, productId, offer },
      bumpIds: bumpsOf(productId),
      expected: expectCart(cart, names),
      upsellId: upsellRows.find((one) => one.productId === productId)?.id ?? null,
      checkout: slug
        ? { path: `/checkout/s/${slug}`, api: `/api/checkout/products/s/${slug}`, params: { slug } }
        : {
            path: `/checkout/${productId}`,
            api: `/api/checkout/products/${productId}`,
            params: { productId: String(productId) },
          },
      hasCouponField: couponRows.some(({ productIds }) => !productIds || productIds.includes(productId)),
    };
  });
  return { seller, cookie, email, carts: shopCarts };
}

async function takeCards(seller: Seller, pixPercent: number): Promise<void> {
  await makeCardGateway(seller);
  await makeCheckoutSettings(seller, { pix_discount_percent: pixPercent });
}

async function insertAll<V, R>(values: V[], insert: (values: V[]) => Promise<R[]>): Promise<R[]> {
  return values.length > 0 ? insert(values) : [];
}

function priceColumns({ cents, originalCents }: Tag) {
  return { priceCents: cents, originalPriceCents: originalCents };
}

function stateColumns(state: NonNullable<Cart["offer"]>["state"]) {
  const now = Date.now();
  return {
    endsAt: state === "ended" ? new Date(now - 2 * HOUR) : null,
    startsAt: state === "early" ? new Date(now + DAY) : null,
    deactivatedAt: state === "paused" ? new Date(now) : null,
  };
}

function couponColumns(
  cart: Cart,
  coupon: CartCoupon,
  ids: { productId: number; offerId: string | undefined; anotherId: number },
) {
  const { percent, amountCents, withBumps: includesBumps, isFor } = coupon;
  return {
    ...{ percent, amountCents, includesBumps, minimumCents: minimumOf(cart, coupon) },
    productIds:
      isFor === "this product" ? [ids.productId] : isFor === "another product" ? [ids.anotherId] : null,
    offerIds:
      isFor === "another offer"
        ? [randomUUID()]
        : isFor === "this offer"
          ? [ids.offerId ?? randomUUID()]
          : null,
  };
}
