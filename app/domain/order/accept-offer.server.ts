import { and, desc, eq, getTableColumns, inArray, isNull, type SQL, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { inTurn } from "#app/db/in-turn.server.ts";
import { products, upsellOffers } from "#app/db/schema/products.server.ts";
import { saleLines, sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { offerShowings } from "#app/db/schema/storefront.server.ts";
import { clientKeys, turnsOf } from "#app/domain/order/order-key.server.ts";
import { OrderRefusal } from "#app/domain/order/order-refusal.ts";
import type { Placer } from "#app/domain/order/placer.ts";
import { type AmountLimits, NO_LIMITS, refuseAmount } from "#app/domain/order/refuse-amount.ts";
import { refuseRaised } from "#app/domain/order/refuse-raised.ts";
import { refuseTooMany, unpaidWaits, type Waits } from "#app/domain/order/unpaid-limit.server.ts";
import { noteSale } from "#app/domain/sale/note-sale.server.ts";
import { notFound } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { signaturesOf } from "#app/platform/secrets.server.ts";

/**
 * A buyer takes an offer after their purchase: a sale of its own, tied to the first, with nothing typed again. Taking
 * the same offer twice, or at once in two tabs, is one sale: it hangs on the purchase, whose id its buyer alone has.
 * @throws Refusal not-found where purchase and offer do not fit together
 * @throws OrderRefusal not-for-sale, offer-over, price (it costs more than `seenCents`), amount (outside
 * `limits`), too-many
 */
export async function acceptOffer({
  saleId,
  offerId,
  seenCents = null,
  limits = NO_LIMITS,
  guaranteeDays,
  placer,
}: {
  saleId: string;
  offerId: number;
  seenCents?: number | null;
  /** What amounts the seller's provider makes a PIX of. */
  limits?: AmountLimits;
  /** The guarantee that the seller promises; left out where nobody read their settings. */
  guaranteeDays?: number;
  placer: Pick<Placer, "client">;
}): Promise<{ saleId: string }> {
  if (!isUuid(saleId)) throw notFound("Compra não encontrada");
  const [turn] = turnsOf(placer);
  return inTurn(turn, () =>
    db.transaction(async (tx) => {
      const parent = await lockParent(tx, saleId, turn);
      // What was bought by taking an offer brings no offers of its own.
      if (parent?.status !== "completed" || parent.parentSaleId !== null)
        throw notFound("Compra não encontrada");
      return accept(tx, parent, {
        offerId,
        seenCents,
        limits,
        guaranteeDays,
        client: clientKeys(placer.client),
      });
    }),
  );
}

type Parent = typeof sales.$inferSelect;

/** The purchase, locked, in this client's turn: its orders are counted one by one, whatever they are for. */
async function lockParent(tx: Tx, saleId: string, turnKey: string): Promise<Parent | undefined> {
  const turn = sql`pg_advisory_xact_lock(hashtextextended(${turnKey}, 0))`;
  const [parent] = await tx
    .select({ ...getTableColumns(sales), turn })
    .from(sales)
    .where(eq(sales.id, saleId))
    .for("no key update");
  return parent;
}

async function accept(
  tx: Tx,
  parent: Parent,
  {
    offerId,
    seenCents,
    limits,
    client,
    guaranteeDays,
  }: {
    offerId: number;
    seenCents: number | null;
    limits: AmountLimits;
    client: string[];
    guaranteeDays: number | undefined;
  },
): Promise<{ saleId: string }> {
  const offer = await findOffer(tx, parent, offerId);
  const keys = signaturesOf(`offer:${parent.id}:${offer.id}`);
  const { customerEmail: email, sellerId } = parent;
  const waits = unpaidWaits(tx, { client, email, sellerId });
  const { saleId, ...found } = await findAccepted(tx, keys, offer.priceCents, waits);
  if (saleId) return { saleId };
  refuseRaised(seenCents, offer.priceCents);
  refuseAmount(limits, offer.priceCents);
  refuseTooMany(found);
  await answer(tx, parent.id, offer.id);
  const [sale] = await tx
    .insert(sales)
    .values({
      sellerId: parent.sellerId,
      productId: parent.productId,
      parentSaleId: parent.id,
      amountCents: offer.priceCents,
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
      guaranteeDays: guaranteeDays ?? null,
      orderKey: keys[0]!,
      clientKey: client[0]!,
    })
    .returning({ id: sales.id });
  await tx.insert(saleLines).values({
    saleId: sale!.id,
    sellerId: parent.sellerId,
    kind: "offer",
    upsellOfferId: offer.id,
    name: offer.name,
    priceCents: offer.priceCents,
    fileUrl: offer.fileUrl,
  });
  await noteSale(tx, sale!.id, { kind: "placed", data: { via: "offer" } }, "buyer");
  return { saleId: sale!.id };
}

async function findOffer(tx: Tx, parent: { productId: number }, offerId: number) {
  const [offer] = await tx
    .select({
      id: upsellOffers.id,
      name: upsellOffers.name,
      priceCents: upsellOffers.priceCents,
      fileUrl: upsellOffers.fileUrl,
    })
    .from(upsellOffers)
    .innerJoin(products, and(eq(products.id, upsellOffers.productId), isNull(products.archivedAt)))
    .innerJoin(sellers, and(eq(sellers.id, products.sellerId), isNull(sellers.closedAt)))
    .where(
      and(
        eq(upsellOffers.id, offerId),
        eq(upsellOffers.productId, parent.productId),
        isNull(upsellOffers.deactivatedAt),
      ),
    );
  if (!offer) throw new OrderRefusal("not-for-sale", "Esta oferta não está mais disponível");
  return offer;
}

/** The sale this offer became before, unless it ended unpaid, and how long to wait before one more order. */
async function findAccepted(
  tx: Tx,
  keys: string[],
  priceCents: number,
  waits: SQL,
): Promise<Waits & { saleId: string | null }> {
  const accepted = tx
    .select({ id: sales.id })
    .from(sales)
    .where(
      and(
        inArray(sales.orderKey, keys),
        inArray(sales.status, ["pending", "failed", "completed", "disputed"]),
        sql`(${sales.status} in ('completed', 'disputed') or ${sales.amountCents} = ${priceCents})`,
      ),
    )
    .orderBy(desc(sales.createdAt))
    .limit(1);
  const [found] = await tx.execute<Waits & { saleId: string | null }>(
    sql`select (${accepted}) as "saleId", ${waits}`,
  );
  return found!;
}

/** Notes the yes on the showing, whose deadline was set when the offer was first shown. */
async function answer(tx: Tx, saleId: string, offerId: number): Promise<void> {
  const [showing] = await tx
    .update(offerShowings)
    .set({ answer: "accepted", answeredAt: new Date() })
    .where(
      and(
        eq(offerShowings.saleId, saleId),
        eq(offerShowings.offerId, offerId),
        sql`${offerShowings.expiresAt} > now()`,
      ),
    )
    .returning({ offerId: offerShowings.offerId });
  if (!showing) throw new OrderRefusal("offer-over", "O prazo desta oferta terminou.");
}
