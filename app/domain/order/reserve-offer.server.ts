import { and, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { ownById, ownOfSale } from "#app/db/conditions.server.ts";
import { offers } from "#app/db/schema/offers.server.ts";
import { offerUses } from "#app/db/schema/uses.server.ts";
import { toOffer } from "#app/domain/catalog/offers-for-sale.server.ts";
import { hasNotEnded, isOfBuyer, readBuyerOf } from "#app/domain/coupon/reserve-coupon.server.ts";
import { NOTHING_CHARGED, OrderRefusal } from "#app/domain/order/order-refusal.ts";
import {
  describeQuantityLimits,
  findOfferProblem,
  type Offer,
  parseQuantity,
} from "#app/domain/pricing/offer.ts";

/** Active, started, and not ended for longer than the grace period; null: whenever it ended. */
const isOpen = (
  graceMs: number | null,
) => sql`${offers.archivedAt} is null and ${offers.deactivatedAt} is null
  and coalesce(${offers.startsAt} <= now(), true) and ${hasNotEnded(offers.endsAt, graceMs)}`;

/**
 * Reserves units of an offer for an order that is about to be written: the row that counts them is locked until the end of
 * the transaction, so no more are reserved than there are. The caller holds the locks of `buyerMutexKeys`.
 * @throws OrderRefusal offer-ended, offer-sold-out and the like; offer-not-valid where this buyer may have no more
 */
export async function reserveOffer(
  tx: Tx,
  offer: Offer,
  { sellerId, quantity, graceMs }: { sellerId: string; quantity: number; graceMs: number },
  buyer: { email: string | null; document: string | null },
): Promise<void> {
  // The payment of an earlier order holds no lock of `buyerMutexKeys`, only that of this row: the next statement sees its units.
  if (offer.isPerBuyer)
    await tx
      .select({ id: offers.id })
      .from(offers)
      .where(ownById(offers, sellerId, offer.id))
      .for("no key update");
  const unitsOfBuyer = sql`(select coalesce(sum(u.quantity), 0) from ${offerUses} u where u.offer_id = ${offer.id}
    and u.released_at is null and ${isOfBuyer(sellerId, buyer)})`;
  const [reserved] = await tx
    .update(offers)
    .set({ units: sql`${offers.units} + ${quantity}` })
    .where(
      and(
        ownById(offers, sellerId, offer.id),
        isOpen(graceMs),
        sql`coalesce(${offers.units} + ${quantity} <= ${offers.maxUnits}, true)`,
        sql`coalesce(${unitsOfBuyer} + ${quantity} <= ${offers.maxUnitsPerBuyer}, true)`,
      ),
    )
    .returning({ id: offers.id });
  if (reserved) return;
  const [row] = await tx
    .select()
    .from(offers)
    .where(ownById(offers, sellerId, offer.id));
  throw offerRefusal(row ? toOffer(row) : { ...offer, isPaused: true }, quantity, graceMs);
}

/**
 * Refuses an order that reserves its units later, with a card, where fewer are left by now.
 * @throws OrderRefusal offer-sold-out
 */
export function refuseTakenUnits(
  offer: Offer,
  { quantity, graceMs }: { quantity: number; graceMs: number },
): void {
  if (offer.unitsLeft !== null && offer.unitsLeft < quantity) throw offerRefusal(offer, quantity, graceMs);
}

function offerRefusal(offer: Offer, quantity: number, graceMs: number): OrderRefusal {
  const problem = findOfferProblem(offer, Date.now(), graceMs);
  if (problem) return new OrderRefusal(problem.rule, `${problem.message} ${NOTHING_CHARGED}.`);
  return findFewLeft(offer, quantity, `${NOTHING_CHARGED}. Diminua a quantidade.`) ?? offerNotValid(offer);
}

/** The refusal of more units than are left; null where there are enough. @param rest ends its message */
function findFewLeft({ name, unitsLeft }: Offer, quantity: number, rest: string): OrderRefusal | null {
  if (unitsLeft === null || unitsLeft >= quantity) return null;
  const message = `${unitsLeft === 1 ? "Resta" : "Restam"} só ${unitsLeft} na oferta "${name}". ${rest}`;
  return new OrderRefusal("offer-sold-out", message, { field: "quantity" });
}

/** One sentence for every reason that depends on the buyer, so that nobody learns what an e-mail or a CPF has bought. */
function offerNotValid({ name }: Pick<Offer, "name">): OrderRefusal {
  return new OrderRefusal(
    "offer-not-valid",
    `A oferta "${name}" não vale para esta compra. ${NOTHING_CHARGED}.`,
  );
}

/**
 * Reserves an order's units of its offer for a card, or again for its next PIX where its last one has ended.
 * @param graceMs how long after its end; null: whenever that was
 * @returns false where the offer cannot be ordered any more, or not by this buyer: the caller undoes the transaction
 */
export async function reserveOfferAgain(
  tx: Tx,
  { id, sellerId }: { id: string; sellerId: string },
  graceMs: number | null,
): Promise<boolean> {
  // A statement of its own: only the next one sees what another order of this buyer wrote while this one waited for the offer's
  // row. The order's units are locked before the offer, as in `count_reserved`.
  const [again] = await tx.execute(sql`
    with again as (
      update ${offerUses} set released_at = null
      where seller_id = ${sellerId} and sale_id = ${id} and released_at is not null
      returning offer_id
    )
    select from again inner join ${offers} on ${offers.id} = again.offer_id for no key update of ${offers}`);
  if (!again) return true;
  const { isSameBuyer } = await readBuyerOf(tx, { id, sellerId });
  const [counted] = await tx.execute(sql`
    update ${offers} set units = units + own.quantity from ${offerUses} own
    where own.seller_id = ${sellerId} and own.sale_id = ${id}
      and ${offers.sellerId} = ${sellerId} and ${offers.id} = own.offer_id and ${isOpen(graceMs)}
      and coalesce(${offers.units} + own.quantity <= ${offers.maxUnits}, true)
      and coalesce(own.quantity + (select coalesce(sum(u.quantity), 0) from ${offerUses} u
        where u.offer_id = own.offer_id and u.released_at is null and u.sale_id <> own.sale_id
          and ${isSameBuyer}) <= ${offers.maxUnitsPerBuyer}, true)
    returning ${offers.id}`);
  return counted !== undefined;
}

/**
 * Why `reserveOfferAgain` reserved nothing, where fewer units are left than the order has: a new one with fewer can be placed. Null
 * for every other reason.
 */
export async function findFewLeftOfOrder(
  tx: Tx,
  { id, sellerId }: { id: string; sellerId: string },
  graceMs: number | null,
  chargedNote: string,
): Promise<OrderRefusal | null> {
  const [row] = await tx
    .select({ offer: offers, quantity: offerUses.quantity })
    .from(offerUses)
    .innerJoin(offers, ownById(offers, offerUses.sellerId, offerUses.offerId))
    .where(ownOfSale(offerUses, sellerId, id));
  if (!row) return null;
  const offer = toOffer(row.offer);
  if (findOfferProblem(offer, Date.now(), graceMs ?? Number.POSITIVE_INFINITY)) return null;
  const rest = `${chargedNote}. Faça um novo pedido com menos unidades na página do produto.`;
  return findFewLeft(offer, row.quantity, rest);
}

/**
 * The refusal of an order by the offer that its address names; null where that can be ordered now.
 * @param isOrder whether an order is being placed: it may have taken the last unit itself, so that is judged when the units
 * are reserved
 */
export function findOfferRefusal(
  { offer }: { offer: Offer | null },
  { isOrder = false, graceMs = 0 } = {},
): OrderRefusal | null {
  const problem = offer && findOfferProblem(offer, Date.now(), graceMs);
  if (!problem || (isOrder && problem.rule === "offer-sold-out")) return null;
  return new OrderRefusal(problem.rule, isOrder ? `${problem.message} ${NOTHING_CHARGED}.` : problem.message);
}

/** @throws OrderRefusal what `findOfferRefusal` returns */
export function refuseOfferProblem(...args: Parameters<typeof findOfferRefusal>): void {
  const refusal = findOfferRefusal(...args);
  if (refusal) throw refusal;
}

/** The quantity of an order from its form. @throws OrderRefusal quantity where the offer does not allow it */
export function readQuantity(typed: string | undefined, offer: Offer | null): number {
  const quantity = parseQuantity(typed ?? "", offer);
  if (quantity !== null) return quantity;
  const message = describeQuantityLimits(offer);
  throw new OrderRefusal("quantity", `${message} ${NOTHING_CHARGED}.`, {
    field: "quantity",
    errors: { quantity: message },
  });
}
