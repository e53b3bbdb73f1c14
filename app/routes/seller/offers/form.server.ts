import { findProduct, type OwnProduct } from "#app/domain/catalog/find-product.server.ts";
import { parseProductId } from "#app/domain/catalog/parse-product-id.ts";
import { listContent } from "#app/domain/content/list-content.server.ts";
import type { OwnOffer } from "#app/domain/offer/find-offer.server.ts";
import { randomSlug } from "#app/domain/offer/save-offer.server.ts";
import { toDateTimeField } from "#app/kit/dates.ts";
import { toMoneyField } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";
import { OFFER_FIELDS, OFFER_PLACES } from "#app/routes/seller/offers/field-labels.ts";
import type { OfferChoices, OfferFormData } from "#app/routes/seller/offers/form.tsx";
import { type ComparedLabels, namesById } from "#app/server/forms/conflict.server.ts";

/** The product in an offer's address. @throws Refusal not-found */
export async function findOfferedProduct(sellerId: string, productId: string | undefined) {
  return findProduct(sellerId, parseProductId(productId));
}

/** What an offer's form offers: the product's order bumps, upsells and content, and how its address begins. */
export async function loadChoices({ id, sellerId, bumps, upsells }: OwnProduct): Promise<OfferChoices> {
  const content = await listContent(sellerId, id);
  const own = content.find(({ owner }) => owner.kind === "product");
  const toChoice = (row: { id: number; name: string; deactivatedAt: Date | null }) => ({
    id: String(row.id),
    name: row.deactivatedAt ? `${row.name} (inativo)` : row.name,
  });
  return {
    bumps: bumps.map(toChoice),
    upsells: upsells.map(toChoice),
    content: (own?.items ?? []).map((item) => ({ id: item.id, name: item.name })),
    base: env.APP_URL + paths.checkout({ id, checkoutSlug: "-" }).slice(0, -1),
  };
}

/** The fields that are compared where somebody else saved meanwhile. */
export function comparedFields({ bumps, upsells, content }: OfferChoices): ComparedLabels {
  const scope = (label: string) => ({ label, texts: { all: "Todos", some: "Só os marcados" } });
  return {
    ...OFFER_FIELDS,
    kind: { label: OFFER_FIELDS.kind, texts: Object.fromEntries(OFFER_PLACES) },
    bumps_scope: scope("Order bumps"),
    bumps: { label: "Order bumps marcados", texts: namesById(bumps) },
    upsells_scope: scope("Upsells"),
    upsells: { label: "Upsells marcados", texts: namesById(upsells) },
    content_scope: { label: "Conteúdo", texts: { all: "Todo o do produto", some: "Só o marcado" } },
    content: { label: "Conteúdo marcado", texts: namesById(content) },
    is_active: "Oferta ativa",
  };
}

export function newOffer(): OfferFormData {
  return {
    name: "",
    kind: "link",
    price: "",
    original_price: "",
    slug: randomSlug(),
    starts_at: "",
    ends_at: "",
    max_units: "",
    max_units_per_buyer: "",
    min_quantity: "1",
    max_quantity: "1",
    bumps_scope: "all",
    bumps: [],
    upsells_scope: "all",
    upsells: [],
    content_scope: "all",
    content: [],
    is_active: true,
  };
}

/** The initial values of an existing offer's form. */
export function offerDefaults(offer: OwnOffer): OfferFormData {
  return {
    name: offer.name,
    kind: offer.kind,
    price: toMoneyField(offer.priceCents),
    original_price: toMoneyField(offer.originalPriceCents),
    slug: offer.slug ?? "",
    starts_at: toDateTimeField(offer.startsAt),
    ends_at: toDateTimeField(offer.endsAt),
    max_units: toText(offer.maxUnits),
    max_units_per_buyer: toText(offer.maxUnitsPerBuyer),
    min_quantity: String(offer.minQuantity),
    max_quantity: String(offer.maxQuantity),
    bumps_scope: offer.bumpIds === null ? "all" : "some",
    bumps: (offer.bumpIds ?? []).map(String),
    upsells_scope: offer.upsellIds === null ? "all" : "some",
    upsells: (offer.upsellIds ?? []).map(String),
    content_scope: offer.contentItemIds === null ? "all" : "some",
    content: offer.contentItemIds ?? [],
    is_active: offer.deactivatedAt === null,
  };
}

const toText = (count: number | null) => (count === null ? "" : String(count));
