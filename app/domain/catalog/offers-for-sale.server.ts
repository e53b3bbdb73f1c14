import { type SQL, sql } from "drizzle-orm";
import { checkoutSlugs, offers } from "#app/db/schema/offers.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import {
  chooseOffer,
  listedOffers,
  nextOfferChange,
  type Offer,
  type SeenOffer,
} from "#app/domain/pricing/offer.ts";
import { SECOND } from "#app/kit/duration.ts";

/** What a product's offers change on its checkout. */
export type OffersForSale = {
  /** The offer whose price counts; null: the product's own. It may be over: `findOfferProblem`. */
  offer: Offer | null;
  /** The offers that its checkout names. */
  otherOffers: Pick<Offer, "name" | "slug" | "priceCents">[];
  /** When the clock changes which offers can be ordered (Unix ms); infinite where it never does. */
  offersChangeAt: number;
  /** Whether units that are ordered or returned change what is shown: a sold-out offer's, too. */
  hasLimitedOffers: boolean;
};

/** What shows a coupon with limited uses, or the units that are left of an offer, may be this old. */
export const LIMITED_AGE = 5 * SECOND;

/** The longest time after an offer's end in which an order may still be of it: see `MAX_PRICE_GRACE_MINUTES`. */
const LONGEST_GRACE = sql`interval '1 hour'`;

const unixMs = (column: SQL) => sql`(extract(epoch from ${column}) * 1000)::bigint`;

/**
 * For a query on products: the offers that can be ordered, or will be, and the one of this slug, whatever its state.
 * @param slug lower case; null where the address names a product by its id
 */
export function offersColumn(slug: string | null): SQL<OfferRows> {
  const named =
    slug === null ? sql`null::uuid` : sql`(select offer_id from ${checkoutSlugs} where slug = ${slug})`;
  return sql<OfferRows>`(
    select json_build_object('namedId', ${named}, 'offers', (
      select coalesce(json_agg(json_build_object('id', o.id, 'kind', o.kind, 'name', o.name, 'slug', o.slug,
        'priceCents', o.price_cents, 'originalPriceCents', o.original_price_cents, 'bumpIds', o.bump_ids,
        'startsAt', ${unixMs(sql`o.starts_at`)}, 'endsAt', ${unixMs(sql`o.ends_at`)},
        'unitsLeft', case when o.max_units is not null then greatest(o.max_units - o.units, 0) end, 'isPerBuyer', o.max_units_per_buyer is not null,
        'minQuantity', o.min_quantity, 'maxQuantity', least(o.max_quantity, greatest(coalesce(o.max_units_per_buyer, o.max_quantity), o.min_quantity)), 'isPaused', o.deactivated_at is not null)
        order by o.position, o.created_at), '[]')
      from ${offers} o where o.seller_id = ${products.sellerId} and o.product_id = ${products.id} and o.archived_at is null
        and (o.id = ${named} or o.deactivated_at is null and coalesce(o.ends_at > now() - ${LONGEST_GRACE}, true)))))`;
}

/** An offer from its whole row, as `offersColumn` reads it. */
export function toOffer(row: typeof offers.$inferSelect): Offer {
  return {
    ...row,
    slug: row.slug ?? "",
    startsAt: row.startsAt?.getTime() ?? null,
    endsAt: row.endsAt?.getTime() ?? null,
    unitsLeft: row.maxUnits === null ? null : Math.max(row.maxUnits - row.units, 0),
    isPerBuyer: row.maxUnitsPerBuyer !== null,
    // Nobody is offered more units than one buyer may have.
    maxQuantity: Math.min(
      row.maxQuantity,
      Math.max(row.maxUnitsPerBuyer ?? row.maxQuantity, row.minQuantity),
    ),
    isPaused: row.deactivatedAt !== null || row.archivedAt !== null,
  };
}

export type OfferRows = { namedId: string | null; offers: Offer[] };

type Priced = {
  priceCents: number;
  originalPriceCents: number | null;
  discountPercentage: number | null;
  bumps: { id: number }[];
};

/** A product at the price of the offer that counts, with the order bumps that are shown with it. */
export function applyOffers<P extends Priced>(
  product: P,
  { namedId, offers }: OfferRows,
  seen: SeenOffer | null = null,
): P & OffersForSale {
  const offer = chooseOffer(offers, namedId, seen);
  const otherOffers = listedOffers(offers, offer).map(({ name, slug, priceCents }) => ({
    name,
    slug,
    priceCents,
  }));
  const offersChangeAt = nextOfferChange(offers);
  const hasLimitedOffers = offers.some(
    ({ id, kind, unitsLeft, isPaused }) =>
      unitsLeft !== null && !isPaused && (kind !== "link" || id === namedId),
  );
  const forSale = { offer, otherOffers, offersChangeAt, hasLimitedOffers };
  if (!offer) return { ...product, ...forSale };
  const { priceCents, originalPriceCents, bumpIds } = offer;
  return {
    ...product,
    priceCents,
    originalPriceCents,
    discountPercentage: null,
    bumps: bumpIds ? product.bumps.filter(({ id }) => bumpIds.includes(id)) : product.bumps,
    ...forSale,
  };
}

/** When what is shown of a product becomes stale by itself, since an offer begins, ends, is sold out or has units again (Unix ms). */
export function offersStaleAt({
  hasLimitedOffers,
  offersChangeAt,
}: Pick<OffersForSale, "hasLimitedOffers" | "offersChangeAt">): number {
  return hasLimitedOffers ? Math.min(offersChangeAt, Date.now() + LIMITED_AGE) : offersChangeAt;
}
