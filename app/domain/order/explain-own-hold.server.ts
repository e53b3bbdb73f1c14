import { and, eq, inArray } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { couponUses, offerUses } from "#app/db/schema/uses.server.ts";
import { isBeingConfirmed } from "#app/domain/charge/conditions.server.ts";
import type { Coupon, CouponRule } from "#app/domain/coupon/coupon.ts";
import { couponRefusal, holdsUse } from "#app/domain/coupon/reserve-coupon.server.ts";
import {
  NOTHING_CHARGED,
  OrderRefusal,
  type OrderRule,
  OwnHoldRefusal,
} from "#app/domain/order/order-refusal.ts";
import { hasMismatch } from "#app/domain/order/payable-order.server.ts";
import type { Offer } from "#app/domain/pricing/offer.ts";
import { UNPAID } from "#app/domain/sale/states.ts";
import { Refusal } from "#app/kit/refusal.ts";

const COUPON_LIMITS: (string | undefined)[] = ["coupon-used-up", "coupon-not-valid"] satisfies CouponRule[];
const OFFER_LIMITS: (string | undefined)[] = ["offer-sold-out", "offer-not-valid"] satisfies OrderRule[];

/**
 * The refusal of an order by a limit of its coupon or its offer: where an unpaid order of the same browser has reserved the use or
 * the units, it says to pay that one, and which it is. A buyer who went back and chose otherwise would only read that none is left.
 * @param limited the coupons that the order was refused for, if it was for one
 * @returns any other error as it is
 */
export async function explainOwnHold(
  error: unknown,
  { coupons, offer }: { coupons: Pick<Coupon, "id" | "code">[]; offer: Pick<Offer, "id" | "name"> | null },
  placedSaleIds: string[],
): Promise<unknown> {
  if (!(error instanceof Refusal) || placedSaleIds.length === 0) return error;
  const { code } = error;
  for (const coupon of COUPON_LIMITS.includes(code) ? coupons : []) {
    const held = await findHolder("coupon", coupon.id, placedSaleIds);
    if (!held) continue;
    const todo = [todoWith(held), "peça sem o cupom"].filter(Boolean).join(", ou ");
    const message = `O cupom ${coupon.code} está no seu outro pedido, ${waitsFor(held)}: ${todo}.`;
    return new OwnHoldRefusal(held.id, couponRefusal({ rule: code as CouponRule, message }));
  }
  if (!offer || !OFFER_LIMITS.includes(code)) return error;
  const held = await findHolder("offer", offer.id, placedSaleIds);
  if (!held) return error;
  // With fewer units it can be ordered: its sentence says how many are left.
  if (error.field === "quantity") {
    const { kind, field } = error;
    const message = `${error.message} Você já tem outro pedido nesta oferta, ${waitsFor(held)}.`;
    return new OwnHoldRefusal(held.id, new Refusal(kind, message, field, undefined, code));
  }
  const todo = todoWith(held);
  const message = `A sua vaga na oferta "${offer.name}" está no seu outro pedido, ${waitsFor(held)}${todo && `: ${todo}`}. ${NOTHING_CHARGED}.`;
  return new OwnHoldRefusal(held.id, new OrderRefusal(code as OrderRule, message));
}

/** An order that was paid with another amount, or whose payment is being confirmed, is not to be paid again. */
type Holder = { id: string; hasMismatch: boolean; isBeingConfirmed: boolean };

function waitsFor({ hasMismatch, isBeingConfirmed }: Holder): string {
  if (hasMismatch) return "que recebeu um PIX de outro valor e espera o vendedor";
  return isBeingConfirmed ? "cujo pagamento está sendo confirmado" : "que espera o pagamento";
}

/** What its buyer does about that order; empty where its seller decides. */
function todoWith({ hasMismatch, isBeingConfirmed }: Holder): string {
  if (hasMismatch) return "";
  return isBeingConfirmed ? "espere a resposta" : "pague aquele";
}

/** The same for the refusal of another payment of an order: by a card, or by its next PIX. */
export async function explainOwnHoldOfOrder(
  error: unknown,
  saleId: string,
  placedSaleIds: string[],
): Promise<unknown> {
  const others = placedSaleIds.filter((id) => id !== saleId);
  if (!(error instanceof Refusal) || !error.code || others.length === 0) return error;
  const [order] = await db
    .select({
      coupon: { id: sales.couponId, code: sales.couponCode },
      offer: { id: sales.offerId, name: sales.offerName },
    })
    .from(sales)
    .where(eq(sales.id, saleId));
  const { id: couponId, code } = order!.coupon;
  const { id: offerId, name } = order!.offer;
  const limited = {
    coupons: couponId && code ? [{ id: couponId, code }] : [],
    offer: offerId && name ? { id: offerId, name } : null,
  };
  return explainOwnHold(error, limited, others);
}

/** The one of these sales that is not paid and has reserved it. */
async function findHolder(
  what: "coupon" | "offer",
  id: string,
  saleIds: string[],
): Promise<Holder | undefined> {
  const [uses, column] = what === "coupon" ? [couponUses, sales.couponId] : [offerUses, sales.offerId];
  const [held] = await db
    .select({ id: sales.id, hasMismatch, isBeingConfirmed })
    .from(sales)
    .where(and(inArray(sales.id, saleIds), eq(column, id), inArray(sales.status, UNPAID), holdsUse(uses)))
    .limit(1);
  return held;
}
