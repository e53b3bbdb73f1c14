import { and, desc, eq, inArray, isNull, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { inTurn } from "#app/db/in-turn.server.ts";
import { products, upsellOffers } from "#app/db/schema/products.server.ts";
import { saleEvents, saleLines, sales } from "#app/db/schema/sales.server.ts";
import { offerShowings } from "#app/db/schema/storefront.server.ts";
import { refuseRaised } from "#app/domain/sales/refuse-raised.ts";
import { isSaleId } from "#app/domain/sales/sale-id.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
import { sign } from "#app/platform/secrets.server.ts";

/**
 * A buyer takes an offer after their purchase: a sale of its own, tied to the first, with nothing typed again. Taking
 * the same offer twice, or at once in two tabs, is one sale.
 * @throws Refusal not-found where purchase or offer do not fit together; conflict where the offer's time is over
 * or it costs more than the buyer saw (`seenCents`)
 */
export async function acceptOffer({
  saleId,
  offerId,
  seenCents = null,
}: {
  saleId: string;
  offerId: number;
  seenCents?: number | null;
}): Promise<{ saleId: string }> {
  if (!isSaleId(saleId)) throw notFound("Compra não encontrada");
  return inTurn(saleId, () =>
    db.transaction(async (tx) => {
      const [parent] = await tx.select().from(sales).where(eq(sales.id, saleId)).for("update");
      if (parent?.status !== "completed") throw notFound("Compra não encontrada");
      const offer = await findOffer(tx, parent, offerId);
      const key = sign(`offer:${parent.id}:${offer.id}`);
      const earlier = await findAccepted(tx, key, offer.priceCents);
      if (earlier) return { saleId: earlier };
      refuseRaised(seenCents, offer.priceCents);
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
          orderKey: key,
        })
        .returning({ id: sales.id });
      await tx.insert(saleLines).values({
        saleId: sale!.id,
        kind: "offer",
        upsellOfferId: offer.id,
        name: offer.name,
        priceCents: offer.priceCents,
        fileUrl: offer.fileUrl,
      });
      await tx.insert(saleEvents).values({ saleId: sale!.id, toStatus: "pending", cause: "offer accepted" });
      return { saleId: sale!.id };
    }),
  );
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
    .where(
      and(
        eq(upsellOffers.id, offerId),
        eq(upsellOffers.productId, parent.productId),
        isNull(upsellOffers.deactivatedAt),
      ),
    );
  if (!offer) throw notFound("Esta oferta não está mais disponível");
  return offer;
}

/** The sale this offer became before, unless it ended unpaid. */
async function findAccepted(tx: Tx, key: string, priceCents: number): Promise<string | null> {
  const [found] = await tx
    .select({ id: sales.id })
    .from(sales)
    .where(
      and(
        eq(sales.orderKey, key),
        inArray(sales.status, ["pending", "completed"]),
        sql`(${sales.status} = 'completed' or ${sales.amountCents} = ${priceCents})`,
      ),
    )
    .orderBy(desc(sales.createdAt))
    .limit(1);
  return found?.id ?? null;
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
  if (!showing) throw new Refusal("conflict", "O prazo desta oferta terminou.");
}
