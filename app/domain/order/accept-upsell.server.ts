import { and, desc, eq, getTableColumns, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { ownOfSale } from "#app/db/conditions.server.ts";
import { keyedMutex } from "#app/db/keyed-mutex.server.ts";
import { products, upsells } from "#app/db/schema/products.server.ts";
import { saleLines, sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { upsellShowings } from "#app/db/schema/storefront.server.ts";
import type { BuyerContext } from "#app/domain/order/order.ts";
import { clientKeys, orderMutexKeys } from "#app/domain/order/order-fingerprint.server.ts";
import {
  type AmountLimits,
  OrderRefusal,
  refuseAmount,
  refusePriceIncrease,
} from "#app/domain/order/order-refusal.ts";
import {
  refuseTooMany,
  type SecondsUntilAllowed,
  selectSecondsUntilAllowed,
} from "#app/domain/order/unpaid-limit.server.ts";
import { recordSaleEvent } from "#app/domain/sale/record-sale-event.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { notFound } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { signaturesOf } from "#app/platform/secrets.server.ts";

/** What was sent before the end of a countdown may arrive this much later. */
export const DEADLINE_GRACE = 5 * SECOND;

/** An upsell that a buyer accepts after a purchase, with the terms that they saw and those of its seller. */
export type UpsellAcceptance = {
  /** The purchase. */
  saleId: string;
  upsellId: number;
  /** The price that the buyer saw; null where none was shown. */
  seenCents: number | null;
  /**
   * The amounts for which the seller's provider creates a PIX, and the guarantee in the seller's settings, in days (null: none); or why
   * no PIX can be created, which refuses all but an upsell that was accepted before.
   */
  terms: { limits: AmountLimits; guaranteeDays: number | null } | OrderRefusal;
  buyerContext: Pick<BuyerContext, "client">;
};

/** `isEarlier`: it was accepted before. */
type AcceptedUpsell = { saleId: string; isEarlier: boolean };

/**
 * Accepts an upsell after a purchase: a separate sale, linked to the first, with the buyer's data copied from it.
 * Accepting the same upsell twice, or in two tabs at once, is one sale: its fingerprint is made of the purchase's id,
 * which only its buyer has.
 * @throws Refusal not-found where purchase and upsell do not belong together
 * @throws OrderRefusal not-for-sale, offer-over, price (it costs more than `seenCents`), amount (outside the
 * limits), too-many, and that of `terms`
 */
export async function acceptUpsell(acceptance: UpsellAcceptance): Promise<AcceptedUpsell> {
  const { saleId, buyerContext } = acceptance;
  if (!isUuid(saleId)) throw notFound("Compra não encontrada");
  const [mutexKey] = orderMutexKeys(buyerContext);
  return keyedMutex(mutexKey, () =>
    db.transaction(async (tx) => {
      const parent = await lockParent(tx, saleId, mutexKey);
      // An accepted upsell has no upsells of its own.
      if (parent?.status !== "completed" || parent.parentSaleId !== null)
        throw notFound("Compra não encontrada");
      return createUpsellSale(tx, parent, acceptance);
    }),
  );
}

type Parent = typeof sales.$inferSelect;

/** Locks the purchase and the client: all orders of a client are counted one at a time. */
async function lockParent(tx: Tx, saleId: string, mutexKey: string): Promise<Parent | undefined> {
  const lock = sql`pg_advisory_xact_lock(hashtextextended(${mutexKey}, 0))`;
  const [parent] = await tx
    .select({ ...getTableColumns(sales), clientLock: lock })
    .from(sales)
    .where(eq(sales.id, saleId))
    .for("no key update");
  return parent;
}

async function createUpsellSale(
  tx: Tx,
  parent: Parent,
  { upsellId, seenCents, terms, buyerContext }: UpsellAcceptance,
): Promise<AcceptedUpsell> {
  const upsell = await findUpsell(tx, parent, upsellId);
  const fingerprints = signaturesOf(`offer:${parent.id}:${upsell.id}`);
  const { customerEmail: email, sellerId } = parent;
  const client = clientKeys(buyerContext.client);
  const secondsUntilAllowed = selectSecondsUntilAllowed(tx, { client, email, sellerId });
  const { saleId, ...found } = await findEarlierSale(
    tx,
    sellerId,
    fingerprints,
    {
      priceCents: upsell.priceCents,
      shownCents: Math.min(seenCents ?? upsell.priceCents, upsell.priceCents),
    },
    secondsUntilAllowed,
  );
  if (saleId) return { saleId, isEarlier: true };
  if (terms instanceof OrderRefusal) throw terms;
  refusePriceIncrease(seenCents, upsell.priceCents);
  refuseAmount(terms.limits, upsell.priceCents);
  refuseTooMany(found);
  await recordAcceptance(tx, parent, upsell.id);
  const [sale] = await tx
    .insert(sales)
    .values({
      sellerId: parent.sellerId,
      productId: parent.productId,
      parentSaleId: parent.id,
      amountCents: upsell.priceCents,
      customerName: parent.customerName,
      customerEmail: parent.customerEmail,
      customerPhone: parent.customerPhone,
      customerDocumentSealed: parent.customerDocumentSealed,
      customerIp: parent.customerIp,
      utmSource: parent.utmSource,
      utmMedium: parent.utmMedium,
      utmCampaign: parent.utmCampaign,
      utmTerm: parent.utmTerm,
      utmContent: parent.utmContent,
      campaign: parent.campaign,
      adConsent: parent.adConsent,
      adIds: parent.adIds,
      guaranteeDays: terms.guaranteeDays,
      orderKey: fingerprints[0]!,
      clientKey: client[0]!,
    })
    .returning({ id: sales.id });
  await tx.insert(saleLines).values({
    saleId: sale!.id,
    sellerId: parent.sellerId,
    kind: "offer",
    upsellId: upsell.id,
    itemId: upsell.id,
    name: upsell.name,
    priceCents: upsell.priceCents,
    fileUrl: upsell.fileUrl,
  });
  await recordSaleEvent(tx, { id: sale!.id, sellerId }, { kind: "placed", data: { via: "offer" } }, "buyer");
  return { saleId: sale!.id, isEarlier: false };
}

/** Keeps it from being removed meanwhile: its product is locked first, as by `updateProduct`, which removes showings, too. */
async function findUpsell(tx: Tx, parent: { productId: number }, upsellId: number) {
  const [upsell] = await tx
    .select({
      id: upsells.id,
      name: upsells.name,
      priceCents: upsells.priceCents,
      fileUrl: upsells.fileUrl,
    })
    .from(upsells)
    .innerJoin(products, and(eq(products.id, upsells.productId), isNull(products.archivedAt)))
    .innerJoin(sellers, and(eq(sellers.id, products.sellerId), isNull(sellers.closedAt)))
    .where(
      and(eq(upsells.id, upsellId), eq(upsells.productId, parent.productId), isNull(upsells.deactivatedAt)),
    )
    .for("key share", { of: [products, upsells] });
  if (!upsell) throw new OrderRefusal("not-for-sale", "Esta oferta não está mais disponível");
  return upsell;
}

/**
 * The earlier sale of this upsell at its price, or at the lower one that its buyer was shown, unless it ended unpaid, and how long to
 * wait before another order.
 */
async function findEarlierSale(
  tx: Tx,
  sellerId: string,
  fingerprints: string[],
  { priceCents, shownCents }: { priceCents: number; shownCents: number },
  secondsUntilAllowed: SQL,
): Promise<SecondsUntilAllowed & { saleId: string | null }> {
  const accepted = tx
    .select({ id: sales.id })
    .from(sales)
    .where(
      and(
        eq(sales.sellerId, sellerId),
        inArray(sales.orderKey, fingerprints),
        inArray(sales.status, ["pending", "failed", "completed", "disputed"]),
        sql`(${sales.status} in ('completed', 'disputed') or ${sales.amountCents} in (${priceCents}, ${shownCents}))`,
      ),
    )
    // One that was paid counts, though another one at a newer price was accepted since.
    .orderBy(
      desc(inArray(sales.status, ["completed", "disputed"])),
      desc(eq(sales.amountCents, shownCents)),
      desc(sales.createdAt),
    )
    .limit(1);
  const [found] = await tx.execute<SecondsUntilAllowed & { saleId: string | null }>(
    sql`select (${accepted}) as "saleId", ${secondsUntilAllowed}`,
  );
  return found!;
}

/** Records the acceptance; the deadline was set when the upsell was first shown. */
async function recordAcceptance(tx: Tx, { id, sellerId }: Parent, upsellId: number): Promise<void> {
  const [showing] = await tx
    .update(upsellShowings)
    .set({ answer: "accepted", answeredAt: new Date() })
    .where(
      and(
        ownOfSale(upsellShowings, sellerId, id),
        eq(upsellShowings.upsellId, upsellId),
        or(
          sql`${upsellShowings.expiresAt} > now()`,
          and(
            isNull(upsellShowings.answer),
            sql`${upsellShowings.expiresAt} > now() - make_interval(secs => ${DEADLINE_GRACE / SECOND})`,
          ),
        ),
      ),
    )
    .returning({ upsellId: upsellShowings.upsellId });
  if (!showing) throw new OrderRefusal("offer-over", "O prazo desta oferta terminou.");
}
