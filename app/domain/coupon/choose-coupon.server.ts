import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { type Db, db } from "#app/db/client.server.ts";
import { coupons } from "#app/db/schema/coupons.server.ts";
import {
  type Coupon,
  type CouponProblem,
  type CouponRule,
  findCouponProblem,
  unknownCoupon,
} from "#app/domain/coupon/coupon.ts";
import { quote } from "#app/domain/pricing/quote.ts";

/** Letters without accents, digits, hyphens and underscores. */
export const COUPON_CODE_PATTERN = /^[A-Z0-9_-]{3,32}$/;

/** A code as it is stored and compared: upper case, without accents and blanks. Any text is accepted. */
export function normalizeCouponCode(typed: string): string {
  return typed
    .slice(0, 200)
    .normalize("NFD")
    .replace(/[\u0300-\u036f\s]/g, "")
    .toUpperCase();
}

/**
 * The codes of an order: `typed` in the form's field (null where the form has none, empty for none), and
 * `linked` in the page's address.
 */
export type CouponCodes = { typed: string | null; linked: string | null };

/** Whether an order with these codes may have a coupon. */
export const hasCode = ({ typed, linked }: CouponCodes): boolean => Boolean(typed ?? linked);

/**
 * The coupon that counts, why the typed one does not, and a note where the other one was better. `over`: those that would count
 * in its stead if a use of them were left or they had not ended, the best first: an order that is sent twice may have taken the last
 * use itself, or have been placed in time.
 */
type Choice = {
  coupon: Coupon | null;
  problem: CouponProblem | null;
  note: string | null;
  over: OverCoupon[];
};

/** `hasUnknown`: one of the codes does not exist, also where the other one counts. */
export type CouponChoice = Choice & { hasUnknown: boolean };

export type OverCoupon = { coupon: Coupon; problem: CouponProblem };

export const NO_COUPON: CouponChoice = {
  ...{ coupon: null, problem: null, note: null },
  ...{ over: [], hasUnknown: false },
};

type Product = { id: number; sellerId: string; priceCents: number; offer: { id: string } | null };

/**
 * One coupon counts per order: of a typed and a linked one, the better one (`isBetter`), else the typed one.
 * @param quantity how many units of the product the order has
 */
export async function chooseCoupon(
  product: Product,
  codes: CouponCodes,
  { quantity }: { quantity: number },
): Promise<CouponChoice> {
  const typed = normalizeCouponCode(codes.typed ?? "");
  const linked = codes.typed === "" ? "" : normalizeCouponCode(codes.linked ?? "");
  const candidates = [...new Set([typed, linked])].filter((code) => code !== "");
  if (candidates.length === 0) return NO_COUPON;
  const found = await findCoupons(product.sellerId, candidates);
  const judged = candidates.map((code) => judge(product, code, found, quantity));
  const hasUnknown = judged.some(({ problem }) => problem?.rule === "coupon-unknown");
  return { ...chooseJudged(product, judged), hasUnknown };
}

function chooseJudged(product: Product, judged: Judged[]): Choice {
  const [first, second] = judged;
  const [one, other] = judged.flatMap(({ coupon, problem }) => (problem || !coupon ? [] : [coupon]));
  if (one && other) {
    const [better, worse] = isBetter(product, other, one) ? [other, one] : [one, other];
    const reason = isBetter(product, better, worse) ? `, que dá mais desconto do que o ${worse.code}` : "";
    const note = `Só um cupom vale por pedido. Ficou o ${better.code}${reason}.`;
    return { coupon: better, problem: null, note, over: [] };
  }
  const coupon = one ?? null;
  const { problem } = first!;
  const chosen = { coupon, note: null, over: listOver(product, judged, coupon) };
  if (!problem || !second || !coupon) return { ...chosen, problem };
  const message = `${problem.message} Continua valendo o ${coupon.code}.`;
  return { ...chosen, problem: { ...problem, message } };
}

const OVER: CouponRule[] = ["coupon-used-up", "coupon-expired"];

function listOver(product: Product, judged: Judged[], chosen: Coupon | null): OverCoupon[] {
  const isWorse = (coupon: Coupon) =>
    chosen !== null && priceWith(product, coupon) > priceWith(product, chosen);
  return judged
    .flatMap(({ coupon, problem }) =>
      coupon && problem && OVER.includes(problem.rule) && !isWorse(coupon) ? [{ coupon, problem }] : [],
    )
    .sort((one, other) => priceWith(product, one.coupon) - priceWith(product, other.coupon));
}

type Judged = { coupon: Coupon | null; problem: CouponProblem | null };

function judge(product: Product, code: string, found: Coupon[], quantity: number): Judged {
  const coupon = found.find((one) => one.code === code) ?? null;
  return {
    coupon,
    problem: coupon ? findCouponProblem(coupon, { ...product, quantity }) : unknownCoupon(code),
  };
}

/** It lowers the product's price more, or as much and those of order bumps, too. */
function isBetter(product: Product, one: Coupon, other: Coupon): boolean {
  const difference = priceWith(product, one) - priceWith(product, other);
  return difference < 0 || (difference === 0 && one.includesBumps && !other.includesBumps);
}

function priceWith({ priceCents }: Product, coupon: Coupon): number {
  return quote({ priceCents, bumps: [] }, [], coupon).totalCents;
}

/** A seller's coupons with these normalized codes that are neither deactivated nor deleted. */
export async function findCoupons(sellerId: string, codes: string[], tx: Db = db): Promise<Coupon[]> {
  return tx
    .select({
      id: coupons.id,
      code: coupons.code,
      percent: coupons.percent,
      amountCents: coupons.amountCents,
      includesBumps: coupons.includesBumps,
      productIds: coupons.productIds,
      offerIds: coupons.offerIds,
      startsAt: coupons.startsAt,
      endsAt: coupons.endsAt,
      minimumCents: coupons.minimumCents,
      isPerBuyer: sql<boolean>`(${coupons.maxUsesPerBuyer} is not null or ${coupons.isFirstPurchaseOnly})`,
      isLimited: sql<boolean>`${coupons.maxUses} is not null`,
      isUsedUp: sql<boolean>`coalesce(${coupons.uses} >= ${coupons.maxUses}, false)`,
    })
    .from(coupons)
    .where(
      and(
        eq(coupons.sellerId, sellerId),
        inArray(coupons.code, codes),
        isNull(coupons.archivedAt),
        isNull(coupons.deactivatedAt),
      ),
    );
}
