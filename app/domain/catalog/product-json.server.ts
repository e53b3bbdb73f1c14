import { versionOf } from "#app/db/version.server.ts";
import type { OwnProduct } from "#app/domain/catalog/find-product.server.ts";
import type { ListedProduct } from "#app/domain/catalog/list-products.server.ts";
import type { OfferForSale } from "#app/domain/catalog/offers-for-sale.server.ts";
import { toReais } from "#app/kit/money.ts";

/**
 * A product as `/api` shows it to its seller: BRL numbers, ISO dates. Source: spec 3, Product. One `version` for it with
 * its bumps and offers: its form saves all of them.
 */
export function ownProductJson(product: OwnProduct) {
  const shown = ownProductFields(product);
  return { ...shown, version: versionOf(shown) };
}

function ownProductFields(product: OwnProduct) {
  return {
    ...sellableJson(product),
    file_url: product.fileUrl,
    redirect_url: product.redirectUrl,
    is_active: product.deactivatedAt === null,
    promotion_text: product.promotionText,
    urgency_text: product.urgencyText,
    banner_image_url: product.bannerImageUrl,
    banner_link_url: product.bannerLinkUrl,
    checkout_slug: product.checkoutSlug,
    created_at: product.createdAt,
    orderBumps: product.bumps.map(bumpJson),
    upsells: product.offers.map((offer) => ({
      ...offerJson(offer),
      file_url: offer.fileUrl,
      is_active: offer.deactivatedAt === null,
    })),
  };
}

/** An order bump as its seller sees it. */
export function bumpJson(bump: OwnProduct["bumps"][number]) {
  return {
    ...sellableJson(bump),
    file_url: bump.fileUrl,
    promotion_text: bump.promotionText,
    urgency_text: bump.urgencyText,
    is_active: bump.deactivatedAt === null,
  };
}

/** An upsell offer as anyone may see it. */
export function offerJson(offer: OfferForSale) {
  return { ...sellableJson(offer), video_url: offer.videoUrl, benefits: offer.benefits };
}

/** A product in a list. */
export function listedProductJson(product: ListedProduct) {
  return {
    id: product.id,
    name: product.name,
    price: toReais(product.priceCents),
    is_active: product.active,
    created_at: product.createdAt,
    image_url: product.imageUrl,
    description: product.description,
    checkout_slug: product.checkoutSlug,
  };
}

/** What products, bumps and offers have in common. */
export function sellableJson(item: Omit<OfferForSale, "videoUrl" | "benefits">) {
  return {
    id: item.id,
    name: item.name,
    description: item.description,
    price: toReais(item.priceCents),
    original_price: item.originalPriceCents === null ? null : toReais(item.originalPriceCents),
    discount_percentage: item.discountPercentage,
    image_url: item.imageUrl,
  };
}
