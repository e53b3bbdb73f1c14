import { and, eq, gte, inArray, ne, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { checkoutSlugs, freedSlugs } from "#app/db/schema/offers.server.ts";
import { orderBumps, products, upsells } from "#app/db/schema/products.server.ts";
import { withSellerLock } from "#app/db/version.server.ts";
import { copyContent } from "#app/domain/catalog/content/copy-content.server.ts";
import { insertProduct } from "#app/domain/catalog/create-product.server.ts";
import { findProduct } from "#app/domain/catalog/find-product.server.ts";
import { orSlugConflict } from "#app/domain/catalog/slug-conflict.server.ts";
import { truncate } from "#app/kit/clean-text.ts";
import { slugify } from "#app/kit/slug.ts";
import { randomToken } from "#app/platform/secrets.server.ts";

const COPY_SUFFIX = " (cópia)";

/**
 * Copies a product with its bumps and upsells; the copy is inactive and has a slug of its own. With `since` one that was made
 * since then is the answer: the form was sent again. @throws Refusal not-found; conflict as `insertProduct`
 */
export async function duplicateProduct(
  sellerId: string,
  productId: number,
  since?: Date,
): Promise<{ id: number; name: string }> {
  return orSlugConflict(
    withSellerLock(sellerId, async (tx) => {
      const original = await findProduct(sellerId, productId, tx);
      const { id: _, createdAt, updatedAt, bumps, upsells: originalUpsells, ...fields } = original;
      const name = truncate(original.name, 200 - COPY_SUFFIX.length) + COPY_SUFFIX;
      const stem = stemOf(original.checkoutSlug ?? slugify(original.name));
      const [made] = since ? await findCopy(tx, { sellerId, name, stem }, since) : [];
      if (made) return made;
      const checkoutSlug = await findFreeSlug(tx, sellerId, stem);
      const copy = await insertProduct(tx, { ...fields, name, checkoutSlug, deactivatedAt: new Date() });
      const ofCopy = { productId: copy.id };
      await copyContent(tx, "productId", productId, copy.id);
      for (const { id, createdAt, ...bump } of bumps) {
        const [row] = await tx
          .insert(orderBumps)
          .values({ ...bump, ...ofCopy })
          .returning({ id: orderBumps.id });
        await copyContent(tx, "orderBumpId", id, row!.id);
      }
      for (const { id, createdAt, ...upsell } of originalUpsells) {
        const [row] = await tx
          .insert(upsells)
          .values({ ...upsell, ...ofCopy })
          .returning({ id: upsells.id });
        await copyContent(tx, "upsellId", id, row!.id);
      }
      return copy;
    }),
  );
}

/** A copy of such a product that was made since a moment. */
function findCopy(
  tx: Tx,
  { sellerId, name, stem }: Record<"sellerId" | "name" | "stem", string>,
  since: Date,
) {
  const hasItsSlug = stem && sql`starts_with(${products.checkoutSlug}, ${`${stem}-copia`})`;
  return tx
    .select({ id: products.id, name: products.name })
    .from(products)
    .where(
      and(
        eq(products.sellerId, sellerId),
        eq(products.name, name),
        gte(products.createdAt, since),
        hasItsSlug || undefined,
      ),
    )
    .limit(1);
}

function stemOf(slug: string): string {
  return slug.replace(/-copia(-\d+)?$/i, "").slice(0, 60);
}

/** `curso` → `curso-copia`, or `curso-copia-2` where that is in use, and so on. Null for an empty slug. */
async function findFreeSlug(tx: Tx, sellerId: string, stem: string): Promise<string | null> {
  if (stem === "") return null;
  const candidates = Array.from({ length: 50 }, (_, i) => `${stem}-copia${i === 0 ? "" : `-${i + 1}`}`);
  // Two concurrent copies would both find the same slug free.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`slug:${stem.toLowerCase()}`}, 0))`);
  const spelled = candidates.map((c) => c.toLowerCase());
  const usedRows = await tx
    .select({ slug: checkoutSlugs.slug })
    .from(checkoutSlugs)
    .where(inArray(checkoutSlugs.slug, spelled))
    .unionAll(
      tx
        .select({ slug: freedSlugs.slug })
        .from(freedSlugs)
        .where(and(inArray(freedSlugs.slug, spelled), ne(freedSlugs.sellerId, sellerId))),
    );
  const usedSlugs = new Set(usedRows.map((row) => row.slug));
  return (
    candidates.find((c) => !usedSlugs.has(c.toLowerCase())) ??
    `${stem}-${randomToken()
      .replace(/[^A-Za-z0-9]/g, "")
      .slice(0, 10)}`
  );
}
