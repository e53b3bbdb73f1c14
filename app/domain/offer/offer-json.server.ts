import { versionOf } from "#app/db/version.server.ts";
import type { OwnOffer } from "#app/domain/offer/find-offer.server.ts";
import { offerState } from "#app/domain/offer/offer-state.ts";
import { toReais, toReaisOrNull } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";

/** An offer as `/api` shows it to its seller. Its units are no part of the version: a sale makes no form stale. */
export function toOfferJson(offer: OwnOffer) {
  const fields = toOfferFields(offer);
  return {
    ...fields,
    checkout_url: offerLink(offer),
    state: offerState(offer),
    units: offer.units,
    version: versionOf(fields),
  };
}

/** The version of an offer's form. */
export function offerVersion(offer: OwnOffer): string {
  return versionOf(toOfferFields(offer));
}

/** The checkout of an offer: an absolute address. */
export function offerLink({ productId, slug }: Pick<OwnOffer, "productId" | "slug">): string {
  return env.APP_URL + paths.checkout({ id: productId, checkoutSlug: slug });
}

function toOfferFields(offer: OwnOffer) {
  return {
    id: offer.id,
    product_id: offer.productId,
    name: offer.name,
    kind: offer.kind,
    price: toReais(offer.priceCents),
    original_price: toReaisOrNull(offer.originalPriceCents),
    slug: offer.slug,
    bump_ids: offer.bumpIds,
    upsell_ids: offer.upsellIds,
    content_item_ids: offer.contentItemIds,
    starts_at: offer.startsAt,
    ends_at: offer.endsAt,
    max_units: offer.maxUnits,
    max_units_per_buyer: offer.maxUnitsPerBuyer,
    min_quantity: offer.minQuantity,
    max_quantity: offer.maxQuantity,
    is_active: offer.deactivatedAt === null,
    created_at: offer.createdAt,
  };
}
