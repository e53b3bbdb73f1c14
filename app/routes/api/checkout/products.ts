import {
  findForSale,
  type ProductForSale,
  type ProductRef,
  readProductRef,
} from "#app/domain/catalog/find-for-sale.server.ts";
import { offersStaleAt } from "#app/domain/catalog/offers-for-sale.server.ts";
import { toSellableJson } from "#app/domain/catalog/product-json.server.ts";
import { refuseOfferProblem } from "#app/domain/order/reserve-offer.server.ts";
import { notFound } from "#app/kit/refusal.ts";
import { forSaleAnswer } from "#app/routes/api/product-answers.server.ts";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { method } from "#app/server/openapi/method.server.ts";
import { type CachedPage, cacheJson, sendCachedPage } from "#app/server/pages/cached-page.server.ts";
import { pageCache, type TaggedPage } from "#app/server/pages/page-cache.server.ts";

const cached = pageCache<CachedPage>();

/** A product and its bumps as a buyer sees them, by number or slug; never the file's URL. */
export const { loader, action } = endpoint({
  GET: method(
    {
      summary: "Um produto à venda e os seus order bumps",
      answer: forSaleAnswer,
      example: { params: { productId: "$PRODUCT", slug: "$SLUG" } },
    },
    async ({ request, params }) => {
      const ref = readProductRef(params);
      // A slug in any case is the same product, and takes one place in the cache.
      const page = ref && (await cached(JSON.stringify(ref).toLowerCase(), () => load(ref)));
      if (!page) throw notFound("Produto não encontrado");
      return sendCachedPage(page, request);
    },
  ),
});

async function load(ref: ProductRef): Promise<TaggedPage<CachedPage> | null> {
  const product = await findForSale(ref);
  if (!product) return null;
  refuseOfferProblem(product);
  return {
    tags: [String(product.id), `seller:${product.sellerId}`],
    page: cacheJson(publicJson(product)),
    staleAt: offersStaleAt(product),
  };
}

function publicJson({ bumps, offer, ...product }: ProductForSale) {
  const orderBumps = bumps.map((bump) => ({
    ...toSellableJson(bump),
    promotion_text: bump.promotionText,
    urgency_text: bump.urgencyText,
    is_active: true,
  }));
  return {
    product: {
      ...toSellableJson(product),
      is_active: true,
      promotion_text: product.promotionText,
      urgency_text: product.urgencyText,
      banner_image_url: product.bannerImageUrl,
      banner_link_url: product.bannerLinkUrl,
      checkout_slug: product.checkoutSlug,
      seller_name: product.sellerName,
    },
    offer: offer && {
      slug: offer.slug,
      name: offer.name,
      ends_at: offer.endsAt === null ? null : new Date(offer.endsAt),
      units_left: offer.unitsLeft,
      min_quantity: offer.minQuantity,
      max_quantity: offer.maxQuantity,
    },
    orderBumps,
  };
}
