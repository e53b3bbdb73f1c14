import { randomInt } from "node:crypto";
import { and, eq, inArray, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { deactivatedAtOf } from "#app/db/conditions.server.ts";
import { notify } from "#app/db/notify.server.ts";
import { contentItems, contents } from "#app/db/schema/files.server.ts";
import { offers } from "#app/db/schema/offers.server.ts";
import { orderBumps, products, upsells } from "#app/db/schema/products.server.ts";
import { rejectStale } from "#app/db/version.server.ts";
import { isOwnProduct } from "#app/domain/catalog/is-own-product.server.ts";
import { productNotFound } from "#app/domain/catalog/parse-product-id.ts";
import { orSlugConflict } from "#app/domain/catalog/slug-conflict.server.ts";
import {
  areOwnOffers,
  isOwnOffer,
  type OfferOwner,
  type OwnOffer,
  offerNotFound,
} from "#app/domain/offer/find-offer.server.ts";
import type { OfferFields } from "#app/domain/offer/offer-form.server.ts";
import { offerVersion } from "#app/domain/offer/offer-json.server.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";

/** More than a product has, and few enough for a list without pages. */
export const MAX_OFFERS = 50;

/**
 * Changes a product's offers; every process then drops its cached pages. Writers wait for each other.
 * @throws Refusal not-found where the product is not the seller's; conflict at `slug`
 */
export async function changeOffers<T>(owner: OfferOwner, work: (tx: Tx) => Promise<T>): Promise<T> {
  const { sellerId, productId } = owner;
  return orSlugConflict(
    db.transaction(async (tx) => {
      const [product] = await tx
        .select({ id: products.id })
        .from(products)
        .where(isOwnProduct(sellerId, productId))
        .for("no key update");
      if (!product) throw productNotFound();
      const result = await work(tx);
      await notify(tx, "storefront", String(productId));
      return result;
    }),
    "slug",
  );
}

/**
 * Creates an offer, the last in its product's order; without a slug it has a random one. @returns its id
 * @throws Refusal not-found (product, or bumps, upsells and content that are not its own); conflict at `slug`, or beyond `MAX_OFFERS`
 */
export async function createOffer(
  owner: OfferOwner,
  { active = true, kind = "link", ...columns }: OfferFields,
): Promise<string> {
  return changeOffers(owner, async (tx) => {
    await requireOwnRows(tx, owner, columns);
    return insertOffer(tx, { ...columns, kind, ...owner, deactivatedAt: active ? null : new Date() });
  });
}

/** In `changeOffers`. @returns the row's id @throws Refusal conflict beyond `MAX_OFFERS` */
export async function insertOffer(
  tx: Tx,
  row: Omit<typeof offers.$inferInsert, "position">,
): Promise<string> {
  const [last] = await tx
    .select({
      n: sql<number>`count(*)::int`,
      position: sql<number>`coalesce(max(${offers.position}) + 1, 0)::int`,
    })
    .from(offers)
    .where(areOwnOffers(row));
  if (last!.n >= MAX_OFFERS)
    throw new Refusal(
      "conflict",
      `Este produto já tem ${MAX_OFFERS} ofertas: apague uma antes de criar outra.`,
    );
  const [inserted] = await tx
    .insert(offers)
    .values({ ...row, slug: row.slug ?? randomSlug(), position: last!.position })
    .returning({ id: offers.id });
  return inserted!.id;
}

/**
 * Replaces an offer's fields; its units, its place in the order, and its kind and slug where none is given, stay. `version` is the
 * one that the seller saw (`offerVersion`); without it the update is unconditional.
 * @throws Refusal not-found (offer, or bumps, upsells and content); invalid where no content is left; conflict at `slug`, or where the offer was saved since
 */
export async function updateOffer(
  owner: OfferOwner,
  offerId: string,
  { active, slug, ...columns }: OfferFields,
  version?: string,
): Promise<void> {
  await changeOffers(owner, async (tx) => {
    const [offer] = await tx.select().from(offers).where(isOwnOffer(owner, offerId)).for("no key update");
    if (!offer) throw offerNotFound();
    rejectStale(version, offerVersion(offer));
    await requireOwnRows(tx, owner, columns, offer);
    await tx
      .update(offers)
      .set({
        ...columns,
        ...(slug === null ? {} : { slug }),
        ...(active === undefined ? {} : { deactivatedAt: deactivatedAtOf(offers, active) }),
        updatedAt: new Date(),
      })
      .where(isOwnOffer(owner, offerId));
  });
}

/** Activates or pauses an offer. @returns its name @throws Refusal not-found */
export async function setOfferActive(owner: OfferOwner, offerId: string, active: boolean): Promise<string> {
  return changeOffers(owner, async (tx) => {
    const [row] = await tx
      .update(offers)
      .set({ deactivatedAt: deactivatedAtOf(offers, active), updatedAt: new Date() })
      .where(isOwnOffer(owner, offerId))
      .returning({ name: offers.name });
    if (!row) throw offerNotFound();
    return row.name;
  });
}

type Includes = Pick<OfferFields, "bumpIds" | "upsellIds" | "contentItemIds">;

/**
 * The bumps, upsells and content of an offer are its product's own. One that was deleted since it was chosen may stay in the
 * list, but an offer of a product without a link has content.
 * @throws Refusal not-found; invalid where no content is left
 */
async function requireOwnRows(
  tx: Tx,
  owner: OfferOwner,
  { bumpIds, upsellIds, contentItemIds }: Includes,
  offer?: OwnOffer,
): Promise<void> {
  const added = <T>(ids: T[] | null | undefined, known: T[] | null = null) =>
    ids?.filter((id) => !known?.includes(id)) ?? [];
  const isMissing = async (table: typeof orderBumps | typeof upsells, ids: number[]) => {
    if (ids.length === 0) return false;
    const own = await tx
      .select({ id: table.id })
      .from(table)
      .where(
        and(eq(table.sellerId, owner.sellerId), eq(table.productId, owner.productId), inArray(table.id, ids)),
      );
    return own.length !== ids.length;
  };
  if (await isMissing(orderBumps, added(bumpIds, offer?.bumpIds)))
    throw notFound("Order bump não encontrado neste produto");
  if (await isMissing(upsells, added(upsellIds, offer?.upsellIds)))
    throw notFound("Upsell não encontrado neste produto");
  if (!contentItemIds) return;
  const own = await tx
    .select({ id: contentItems.id })
    .from(contentItems)
    .innerJoin(contents, eq(contents.id, contentItems.contentId))
    .where(
      and(
        eq(contents.sellerId, owner.sellerId),
        eq(contents.productId, owner.productId),
        inArray(contentItems.id, contentItemIds),
      ),
    );
  const existing = new Set(own.map(({ id }) => id));
  if (added(contentItemIds, offer?.contentItemIds).some((id) => !existing.has(id)))
    throw notFound("Item do conteúdo não encontrado neste produto");
  if (own.length === 0 && !(await hasLink(tx, owner)))
    throw new Refusal(
      "invalid",
      "O conteúdo desta oferta foi removido do produto: escolha outro, para que o comprador receba algo.",
    );
}

async function hasLink(tx: Tx, { sellerId, productId }: OfferOwner): Promise<boolean> {
  const [product] = await tx
    .select({ fileUrl: products.fileUrl })
    .from(products)
    .where(isOwnProduct(sellerId, productId));
  return Boolean(product?.fileUrl);
}

/** Without letters and digits that look alike, and without vowels, so that it is no word. */
const SLUG_CHARACTERS = "23456789bcdfghjkmnpqrstvwxyz";

/** An address that is not guessed from another: 9 characters, about 43 bits. */
export function randomSlug(): string {
  return Array.from({ length: 9 }, () => SLUG_CHARACTERS[randomInt(SLUG_CHARACTERS.length)]).join("");
}
