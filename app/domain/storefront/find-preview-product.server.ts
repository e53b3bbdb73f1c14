import { and, asc, eq, isNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import {
  type BumpForSale,
  findForSale,
  type ProductForSale,
} from "#app/domain/catalog/find-for-sale.server.ts";

/** The product for previews of a seller's pages: their first one for sale, or an example; always with a bump. */
export async function findPreviewProduct(seller: { id: string; name: string }): Promise<ProductForSale> {
  const [first] = await db
    .select({ id: products.id })
    .from(products)
    .where(and(eq(products.sellerId, seller.id), isNull(products.deactivatedAt), isNull(products.archivedAt)))
    .orderBy(asc(products.id))
    .limit(1);
  const own = first && (await findForSale({ id: first.id }));
  const product = own ?? { ...EXAMPLE_PRODUCT, sellerId: seller.id, sellerName: seller.name };
  return product.bumps.length > 0 ? product : { ...product, bumps: [EXAMPLE_BUMP] };
}

const EXAMPLE_BUMP: BumpForSale = {
  id: 1,
  name: "Order bump de exemplo",
  description: "Aqui aparecem os order bumps que você criar no produto.",
  priceCents: 1990,
  originalPriceCents: 2990,
  discountPercentage: null,
  promotionText: "Só neste pedido",
  urgencyText: null,
  imageUrl: null,
};

const EXAMPLE_PRODUCT: Omit<ProductForSale, "sellerId" | "sellerName"> = {
  id: 0,
  hasCoupons: false,
  name: "Produto de exemplo",
  description: "Aqui aparecem o nome e a descrição do seu produto.",
  priceCents: 9700,
  originalPriceCents: 19700,
  discountPercentage: null,
  imageUrl: null,
  promotionText: "Acesso imediato",
  urgencyText: null,
  bannerImageUrl: null,
  bannerLinkUrl: null,
  checkoutSlug: null,
  bumps: [EXAMPLE_BUMP],
  offer: null,
  otherOffers: [],
  offersChangeAt: Number.POSITIVE_INFINITY,
  hasLimitedOffers: false,
};

/** Records the first time a seller viewed their own checkout. */
export async function markCheckoutSeen(sellerId: string): Promise<void> {
  await db
    .update(sellers)
    .set({ checkoutSeenAt: new Date() })
    .where(and(eq(sellers.id, sellerId), isNull(sellers.checkoutSeenAt)));
}
