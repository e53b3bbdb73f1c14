import { and, eq, isNull, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { ownById } from "#app/db/conditions.server.ts";
import { isMissingReference } from "#app/db/errors.server.ts";
import { keyedMutex } from "#app/db/keyed-mutex.server.ts";
import { idempotencyKeys } from "#app/db/schema/requests.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { findForSale, type ProductForSale } from "#app/domain/catalog/find-for-sale.server.ts";
import { type Coupon, NOT_FOR_THIS_PURCHASE } from "#app/domain/coupon/coupon.ts";
import {
  buyerMutexKeys,
  couponRefusal,
  refuseUsedByBuyer,
  reserveCoupon,
} from "#app/domain/coupon/reserve-coupon.server.ts";
import { findCorrectedOrders } from "#app/domain/order/corrected-orders.server.ts";
import { findSentSale } from "#app/domain/order/find-sent-sale.server.ts";
import { insertSale, type PricedOrder } from "#app/domain/order/insert-sale.server.ts";
import type { ClaimedKey, Customer, Order, PlacedSale } from "#app/domain/order/order.ts";
import { fingerprintsOf, orderMutexKeys } from "#app/domain/order/order-fingerprint.server.ts";
import {
  boughtUnderOtherEmail,
  keyInUse,
  productGone,
  refuseShorterGuarantee,
} from "#app/domain/order/order-refusal.ts";
import { priceOrder } from "#app/domain/order/price-order.ts";
import { refuseTakenUnits, reserveOffer } from "#app/domain/order/reserve-offer.server.ts";
import { selectEarlierSale } from "#app/domain/order/select-earlier-sale.server.ts";
import {
  refuseTooMany,
  type SecondsUntilAllowed,
  selectSecondsUntilAllowed,
} from "#app/domain/order/unpaid-limit.server.ts";
import { updateEarlierSale } from "#app/domain/order/update-earlier-sale.server.ts";
import type { Offer } from "#app/domain/pricing/offer.ts";
import { buildPaymentMails, moveSale } from "#app/domain/sale/move-sale.server.ts";
import { readSaleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";

/**
 * Places a sale at current prices. An earlier sale of the same order with the same coupon and price, unpaid or paid, is returned
 * instead where the same browser placed it, or the same client submitted exactly the same within minutes: a double click, a
 * reload or a retry never creates a second sale. So is one at the price its buyer saw that is refused now, unpaid or paid
 * (`findSentSale`). With `isRepurchase` only some paid sales are (`selectEarlierSale`). Anybody else
 * gets a separate sale, whatever they know about the buyer. `loadedProduct`: where the caller has just read the product.
 * @throws OrderRefusal not-for-sale, bump-gone, already-bought (the earlier sale has another e-mail by now), price (the total is above the one the buyer saw), guarantee (shorter than
 * seen), too-many, offer-… (no units are left for this buyer); Refusal coupon-… (no use of the coupon is left for this buyer),
 * conflict (another request holds the order's idempotency key by now)
 */
export async function placeSale(sent: Order, loadedProduct?: ProductForSale): Promise<PlacedSale> {
  const product = loadedProduct ?? (await findForSale({ id: sent.productId }));
  if (!product) throw productGone();
  const order = { ...sent, customer: normalizeCustomer(sent.customer) };
  const { coupon, customer, buyerContext, idempotencyKey } = order;
  const { offer, sellerId } = product;
  let current: ReturnType<typeof priceOrder>;
  try {
    current = priceOrder(order, product);
  } catch (error) {
    const saleId = await findSentSale(error, order, product);
    if (!saleId) throw error;
    return returnSentSale(order, { saleId, sellerId });
  }
  const { bumps, priced } = current;
  const fingerprints = fingerprintsOf(order, product, bumps);
  const pricedOrder = { order, product, bumps, priced, fingerprints };
  const clientMutexKeys = orderMutexKeys(buyerContext);
  const mutexKeys = [
    ...clientMutexKeys,
    ...buyerMutexKeys(`coupon:${coupon?.id}`, coupon?.isPerBuyer, customer),
    ...buyerMutexKeys(`offer:${offer?.id}`, offer?.isPerBuyer, customer),
  ];
  // Orders of one client are serialized, so that a second submission finds the first and the unpaid limit counts all. The
  // browser's own key also serializes a retry over another network.
  const placed = keyedMutex(clientMutexKeys[0], () =>
    transactionOf(offer, coupon, async (tx) => {
      const locks = mutexKeys.map((mutexKey) => sql`pg_advisory_xact_lock(hashtextextended(${mutexKey}, 0))`);
      await tx.execute(sql`select ${sql.join(locks, sql`, `)}`);
      const { saleId: foundSaleId, isCorrected, ...waits } = await findEarlierSale(tx, pricedOrder);
      if (isCorrected && !order.isRepurchase) throw boughtUnderOtherEmail();
      const earlierSaleId = isCorrected ? null : foundSaleId;
      if (earlierSaleId) await updateEarlierSale(tx, ownById(sales, sellerId, earlierSaleId), order);
      const sale = earlierSaleId
        ? { saleId: earlierSaleId, charge: null, isEarlier: true }
        : await placeNewSale(tx, pricedOrder, waits);
      // The card's page would lead back to the form, and that to the same order again.
      if (order.isCard && coupon?.isPerBuyer) await refuseUsedByBuyer(tx, { id: sale.saleId, sellerId });
      if (idempotencyKey) await recordSale(tx, idempotencyKey, { saleId: sale.saleId, sellerId });
      return sale;
    }),
  );
  return placed.catch((error) => {
    // Deleted between reading and writing: the same answer as a moment earlier.
    throw isMissingReference(error) ? productGone() : error;
  });
}

/** The sale of an order that was placed before what it is refused for now: it can be paid as it was placed. */
function returnSentSale(order: Order, sale: { saleId: string; sellerId: string }): Promise<PlacedSale> {
  return db.transaction(async (tx) => {
    await updateEarlierSale(tx, ownById(sales, sale.sellerId, sale.saleId), order);
    if (order.idempotencyKey) await recordSale(tx, order.idempotencyKey, sale);
    return { saleId: sale.saleId, charge: null, isEarlier: true };
  });
}

/**
 * The earlier sale that an order repeats, else null; `isCorrected`: it was paid, and its e-mail is another one since.
 * @returns also how long its client has to wait before a new sale
 */
async function findEarlierSale(tx: Tx, pricedOrder: PricedOrder): Promise<EarlierSale> {
  const { order, product, priced, fingerprints } = pricedOrder;
  const orderKeys = [...fingerprints.order, ...(await findCorrectedOrders(tx, pricedOrder))];
  const { totalCents, pixDiscountCents } = priced;
  const { sellerId } = product;
  const { email } = order.customer;
  const earlier = selectEarlierSale(
    tx,
    { ...fingerprints, order: orderKeys },
    {
      couponId: order.coupon?.id ?? null,
      // One that has returned its use to others cannot be paid any more.
      mustHoldUse: Boolean(order.overRefusal),
      hasOffer: product.offer !== null,
      cardCents: order.isCard ? totalCents : totalCents + pixDiscountCents,
      pixDiscountCents,
      placedSaleIds: order.buyerContext.placedSaleIds,
      isRepurchase: order.isRepurchase,
      hasEmail: Boolean(email),
    },
  );
  const whose = { client: fingerprints.client, email, sellerId };
  const waits = selectSecondsUntilAllowed(tx, whose, totalCents === 0);
  const isCorrected = sql`exists (select from sales s where s.seller_id = ${sellerId} and s.id = earlier.id
    and s.status = 'completed' and s.email_corrected_at is not null and s.customer_email <> ${email})`;
  // Not inlined, as both columns use it.
  const [found] = await tx.execute<EarlierSale>(
    sql`with earlier as materialized (select ${earlier} as id)
      select earlier.id as "saleId", ${isCorrected} as "isCorrected", ${waits} from earlier`,
  );
  return found!;
}

type EarlierSale = SecondsUntilAllowed & { saleId: string | null; isCorrected: boolean };

async function placeNewSale(
  tx: Tx,
  pricedOrder: PricedOrder,
  waits: SecondsUntilAllowed,
): Promise<PlacedSale> {
  const { order, product, priced } = pricedOrder;
  const { coupon, customer, quantity } = order;
  if (order.overRefusal) throw order.overRefusal;
  // An earlier order has the guarantee it was placed with.
  refuseShorterGuarantee(order.seenGuaranteeDays, order.guaranteeDays);
  refuseTooMany(waits, pricedOrder.priced.totalCents === 0);
  refuseUncounted(coupon, customer);
  const isFree = priced.totalCents === 0;
  // An order that is placed without a charge (one by card is) reserves when it gets one. Last, since the rows stay locked
  // until the commit.
  if (order.charge || isFree) {
    if (product.offer)
      await reserveOffer(tx, product.offer, { ...product, quantity, graceMs: order.offerGraceMs }, customer);
    if (coupon) await reserveCoupon(tx, coupon, { ...product, quantity }, customer);
  } else if (product.offer) refuseTakenUnits(product.offer, { quantity, graceMs: order.offerGraceMs });
  const sale = await insertSale(tx, pricedOrder);
  if (isFree) await completeFreeSale(tx, sale.saleId);
  return sale;
}

/**
 * A coupon's limit per buyer counts by e-mail and document: without either, one buyer could use it any number of times. An offer is
 * sold all the same: a price tier applies by itself, and a checkout may ask for neither.
 */
function refuseUncounted(coupon: Coupon | null, { email, document }: Customer): void {
  if (coupon?.isPerBuyer && !email && !document) throw couponRefusal(NOT_FOR_THIS_PURCHASE);
}

/** A transaction; those of one offer or coupon follow one another, since they lock its row, before they take a connection. */
function transactionOf<T>(
  offer: Offer | null,
  coupon: Coupon | null,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const couponTransaction = () =>
    coupon ? keyedMutex(`coupon:${coupon.id}`, () => db.transaction(work)) : db.transaction(work);
  return offer ? keyedMutex(`offer:${offer.id}`, couponTransaction) : couponTransaction();
}

/**
 * Records the sale under its order's idempotency key. A request that was presumed dead may go on after another one has taken the
 * order over: then its own sale is rolled back. @throws Refusal conflict
 */
async function recordSale(
  tx: Tx,
  { key, leasedUntil }: ClaimedKey,
  sale: { saleId: string; sellerId: string },
): Promise<void> {
  const isHeld = and(eq(idempotencyKeys.key, key), eq(idempotencyKeys.leasedUntil, leasedUntil));
  const [recorded] = await tx
    .update(idempotencyKeys)
    .set(sale)
    .where(and(isHeld, isNull(idempotencyKeys.saleId)))
    .returning({ key: idempotencyKeys.key });
  if (!recorded) throw keyInUse();
}

/** Completes a new sale that costs nothing: access, mails and deliveries as after a payment, without a charge. */
async function completeFreeSale(tx: Tx, saleId: string): Promise<void> {
  const sale = await readSaleContacts(tx, saleId);
  const at = new Date();
  const mails = buildPaymentMails(sale!, at, true);
  await moveSale(tx, sale!, { to: "completed", at, feeCents: 0 }, "buyer", mails);
}

/** Empty values become null. */
function normalizeCustomer({ name, email, phone, document }: Customer): Customer {
  return {
    name: name || null,
    email: email?.toLowerCase() || null,
    phone: phone || null,
    document: document || null,
  };
}
