import { and, asc, eq, isNull, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { ownOfSale } from "#app/db/conditions.server.ts";
import { offers } from "#app/db/schema/offers.server.ts";
import { products, upsells } from "#app/db/schema/products.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { upsellShowings } from "#app/db/schema/storefront.server.ts";
import type { AmountLimits } from "#app/domain/order/order-refusal.ts";
import { MINUTE, SECOND } from "#app/kit/duration.ts";

/** How long an upsell is available once its buyer has seen it. */
export const UPSELL_LIFETIME = 10 * MINUTE;

/** An upsell as shown to the buyer of one sale. Money in cents; `number` of `count`, from 1. */
export type NextUpsell = {
  id: number;
  name: string;
  description: string | null;
  priceCents: number;
  originalPriceCents: number | null;
  imageUrl: string | null;
  videoUrl: string | null;
  benefits: string[];
  number: number;
  count: number;
  expiresAt: Date;
};

/**
 * The first upsell of a paid sale's product, and of its offer, that is neither answered nor expired; null after the last. The
 * caller shows it at once, so the first call for an upsell writes its deadline.
 * @param findLimits the amounts that can be paid; null where nothing can
 */
export async function startNextUpsell(
  sale: { sellerId: string; saleId: string; productId: number },
  findLimits: () => Promise<AmountLimits | null> = async () => ({ minimumCents: 0, maximumCents: null }),
): Promise<NextUpsell | null> {
  const offered = await db
    .select({
      id: upsells.id,
      name: upsells.name,
      description: upsells.description,
      priceCents: upsells.priceCents,
      originalPriceCents: upsells.originalPriceCents,
      imageUrl: upsells.imageUrl,
      videoUrl: upsells.videoUrl,
      benefits: upsells.benefits,
      answer: upsellShowings.answer,
      expiresAt: upsellShowings.expiresAt,
      // By the database's clock, as `acceptUpsell` judges it.
      isOver: sql<boolean>`coalesce(${upsellShowings.expiresAt} <= now(), false)`,
    })
    .from(upsells)
    .innerJoin(products, and(eq(products.id, upsells.productId), isNull(products.archivedAt)))
    .innerJoin(sellers, and(eq(sellers.id, products.sellerId), isNull(sellers.closedAt)))
    .leftJoin(
      upsellShowings,
      and(ownOfSale(upsellShowings, sale.sellerId, sale.saleId), eq(upsellShowings.upsellId, upsells.id)),
    )
    .where(
      and(
        eq(upsells.sellerId, sale.sellerId),
        eq(upsells.productId, sale.productId),
        isNull(upsells.deactivatedAt),
        isOfferedWithSale(sale),
      ),
    )
    .orderBy(asc(upsells.position), asc(upsells.id));
  const isOpen = ({ answer, isOver }: (typeof offered)[number]) => answer === null && !isOver;
  const limits = offered.some(isOpen) ? await findLimits() : null;
  if (!limits) return null;
  const candidates = offered.filter(({ priceCents }) => isWithin(limits, priceCents));
  const at = candidates.findIndex(isOpen);
  const found = candidates[at];
  if (!found) return null;
  const { answer: _, isOver: __, expiresAt: shownExpiresAt, ...upsell } = found;
  const { saleId, sellerId } = sale;
  const expiresAt = shownExpiresAt ?? (await startShowing({ saleId, sellerId, upsellId: upsell.id }));
  if (!expiresAt) return startNextUpsell(sale, findLimits);
  return { ...upsell, number: at + 1, count: candidates.length, expiresAt };
}

function isWithin({ minimumCents, maximumCents }: AmountLimits, cents: number): boolean {
  return cents >= minimumCents && (maximumCents === null || cents <= maximumCents);
}

/** The sale's offer has a list of upsells that names it, or no list, or the sale has no offer. */
function isOfferedWithSale({ sellerId, saleId }: { sellerId: string; saleId: string }) {
  return sql`coalesce((select ${upsells.id} = any(o.upsell_ids) from ${sales} s
    inner join ${offers} o on o.seller_id = s.seller_id and o.id = s.offer_id
    where s.seller_id = ${sellerId} and s.id = ${saleId}), true)`;
}

/** Two tabs that show it at once get the same deadline. @returns null where its seller has removed it meanwhile */
function startShowing(showing: { saleId: string; sellerId: string; upsellId: number }): Promise<Date | null> {
  return db.transaction(async (tx) => {
    // Locked as by `acceptUpsell`.
    const [kept] = await tx
      .select({ id: upsells.id })
      .from(upsells)
      .innerJoin(products, eq(products.id, upsells.productId))
      .where(eq(upsells.id, showing.upsellId))
      .for("key share", { of: [products, upsells] });
    if (!kept) return null;
    const [row] = await tx
      .insert(upsellShowings)
      .values({ ...showing, expiresAt: sql`now() + make_interval(secs => ${UPSELL_LIFETIME / SECOND})` })
      .onConflictDoUpdate({
        target: [upsellShowings.sellerId, upsellShowings.saleId, upsellShowings.upsellId],
        // Changes nothing: it makes `returning` give the row that exists.
        set: { saleId: showing.saleId },
      })
      .returning({ expiresAt: upsellShowings.expiresAt });
    return row!.expiresAt;
  });
}
