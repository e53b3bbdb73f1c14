import { versionOf } from "#app/db/version.server.ts";
import type { OwnProduct } from "#app/domain/catalog/find-product.server.ts";
import type { ListedProduct } from "#app/domain/catalog/list-products.server.ts";
import type { UpsellForSale } from "#app/domain/catalog/list-upsells-for-sale.server.ts";
import { toReais, toReaisOrNull } from "#app/kit/money.ts";

/**
 * A product as `/api` shows it to its seller: BRL numbers, ISO dates. One `version` covers the
 * product with its bumps and upsells, since its form saves all of them.
 */
export function toOwnProductJson(product: OwnProduct) {
  const productFields = toOwnProductFields(product);
  return { ...productFields, version: versionOf(productFields) };
}

function toOwnProductFields(product: OwnProduct) {
  return {
    ...toSellableJson(product),
    file_url: product.fileUrl,
    redirect_url: product.redirectUrl,
    is_active: product.deactivatedAt === null,
    promotion_text: product.promotionText,
    urgency_text: product.urgencyText,
    banner_image_url: product.bannerImageUrl,
    banner_link_url: product.bannerLinkUrl,
    checkout_slug: product.checkoutSlug,
    created_at: product.createdAt,
    orderBumps: product.bumps.map(toBumpJson),
    upsells: product.upsells.map((upsell) => ({
      ...toUpsellJson(upsell),
      file_url: upsell.fileUrl,
      is_active: upsell.deactivatedAt === null,
    })),
  };
}

/** An order bump for its seller. */
export function toBumpJson(bump: OwnProduct["bumps"][number]) {
  return {
    ...toSellableJson(bump),
    file_url: bump.fileUrl,
    promotion_text: bump.promotionText,
    urgency_text: bump.urgencyText,
    is_active: bump.deactivatedAt === null,
  };
}

/** The public data of an upsell. */
export function toUpsellJson(upsell: UpsellForSale) {
  return { ...toSellableJson(upsell), video_url: upsell.videoUrl, benefits: upsell.benefits };
}

/** A product in a list. */
export function toListedProductJson(product: ListedProduct) {
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

/** The fields common to products, bumps and upsells. */
export function toSellableJson(item: Omit<UpsellForSale, "videoUrl" | "benefits">) {
  return {
    id: item.id,
    name: item.name,
    description: item.description,
    price: toReais(item.priceCents),
    original_price: toReaisOrNull(item.originalPriceCents),
    discount_percentage: item.discountPercentage,
    image_url: item.imageUrl,
  };
}
