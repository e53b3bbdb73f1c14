import { loadForPreview } from "#app/domain/catalog/find-for-sale.server.ts";
import { parseProductId } from "#app/domain/catalog/parse-product-id.ts";
import {
  buildLink,
  listCheckoutAddresses,
  MAX_SOURCE_LENGTH,
  SOURCE_PARAMETERS,
} from "#app/domain/checkout/link/build-link.ts";
import { type Coupon, findCouponProblem, unknownCoupon } from "#app/domain/coupon/coupon.ts";
import { normalizeCouponCode } from "#app/domain/coupon/coupon-code.ts";
import { findCoupons } from "#app/domain/coupon/find-coupons.server.ts";
import { quote } from "#app/domain/pricing/quote.ts";
import { listChoices } from "#app/domain/reports/list-choices.server.ts";
import { formatMoney } from "#app/kit/money.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { env } from "#app/platform/env.server.ts";

/**
 * What a seller chose for a link to a product's checkout, by the parameters of its screen, and the link: null with its
 * `error` where it cannot be built. @throws Refusal not-found
 */
export async function loadLink(sellerId: string, productId: string | undefined, query: URLSearchParams) {
  const [{ product, active }, { coupons }] = await Promise.all([
    loadForPreview(sellerId, parseProductId(productId)),
    listChoices(sellerId),
  ]);
  const addresses = listCheckoutAddresses(product);
  const address = addresses.find(({ value }) => value === query.get("address")) ?? addresses[0]!;
  const chosen = new Set(query.getAll("bump"));
  const bumpIds = product.bumps.map(({ id }) => id).filter((id) => chosen.has(String(id)));
  const code = normalizeCouponCode(query.get("coupon") ?? "").slice(0, 32);
  const [coupon = null] = code ? await findCoupons(sellerId, [code]) : [];
  const source = Object.fromEntries(
    SOURCE_PARAMETERS.map((name) => [name, (query.get(name) ?? "").slice(0, MAX_SOURCE_LENGTH)]),
  );
  const problem = code
    ? describeProblem(
        code,
        coupon,
        product,
        coupons.some((one) => one.code === code),
      )
    : null;
  const built = tryBuilding(() => env.APP_URL + buildLink(address.at, { coupon: code, bumpIds, source }));
  return {
    product,
    active,
    addresses: addresses.map(({ value, label }) => ({ value, label })),
    address: address.value,
    coupons: coupons.map((one) => one.code),
    code,
    problem,
    bumpIds,
    source,
    ...built,
    total: describeTotal(product, bumpIds, problem ? null : coupon),
  };
}

function tryBuilding(build: () => string): { link: string | null; error: string | null } {
  try {
    return { link: build(), error: null };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { link: null, error: error.message };
  }
}

/** Why the coupon lowers no price now, as its seller needs to know it; null where it does. */
function describeProblem(
  code: string,
  coupon: Coupon | null,
  product: Parameters<typeof findCouponProblem>[1],
  exists: boolean,
): string | null {
  if (coupon) return findCouponProblem(coupon, product)?.message ?? null;
  return exists ? `O cupom ${code} está pausado.` : unknownCoupon(code).message;
}

function describeTotal(
  product: Parameters<typeof quote>[0],
  bumpIds: number[],
  coupon: Coupon | null,
): string {
  const { listCents, totalCents, discountCents } = quote(product, bumpIds, coupon);
  const total = totalCents === 0 ? "de graça" : formatMoney(totalCents);
  return discountCents > 0 ? `${total}, no lugar de ${formatMoney(listCents)}` : total;
}
