import { inArray, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { orderBumps, products, upsellOffers } from "#app/db/schema/products.server.ts";
import { copyContent } from "#app/domain/catalog/content/copy-content.server.ts";
import { findProduct } from "#app/domain/catalog/find-product.server.ts";
import { orSlugTaken } from "#app/domain/catalog/slug-taken.server.ts";
import { slugify } from "#app/kit/slug.ts";
import { randomToken } from "#app/platform/secrets.server.ts";

const COPY = " (cópia)";

/** A copy with bumps and offers: inactive, with a slug of its own. @throws Refusal not-found */
export async function duplicateProduct(
  sellerId: string,
  productId: number,
): Promise<{ id: number; name: string }> {
  return orSlugTaken(
    db.transaction(async (tx) => {
      const original = await findProduct(sellerId, productId, tx);
      const { id: _, createdAt, updatedAt, bumps, offers, ...fields } = original;
      const [copy] = await tx
        .insert(products)
        .values({
          ...fields,
          name: original.name.slice(0, 200 - COPY.length) + COPY,
          checkoutSlug: await freeSlug(tx, original.checkoutSlug ?? slugify(original.name)),
          deactivatedAt: new Date(),
        })
        .returning({ id: products.id, name: products.name });
      const inCopy = { productId: copy!.id };
      await copyContent(tx, "productId", productId, copy!.id);
      for (const { id, createdAt, ...bump } of bumps) {
        const [row] = await tx
          .insert(orderBumps)
          .values({ ...bump, ...inCopy })
          .returning({ id: orderBumps.id });
        await copyContent(tx, "orderBumpId", id, row!.id);
      }
      for (const { id, createdAt, ...offer } of offers) {
        const [row] = await tx
          .insert(upsellOffers)
          .values({ ...offer, ...inCopy })
          .returning({ id: upsellOffers.id });
        await copyContent(tx, "upsellOfferId", id, row!.id);
      }
      return copy!;
    }),
  );
}

/** `curso` → `curso-copia`, or `curso-copia-2` where that is taken, and so on. Null where there is nothing to go on. */
async function freeSlug(tx: Tx, slug: string): Promise<string | null> {
  const stem = slug.replace(/-copia(-\d+)?$/i, "").slice(0, 60);
  if (stem === "") return null;
  const candidates = Array.from({ length: 50 }, (_, i) => `${stem}-copia${i === 0 ? "" : `-${i + 1}`}`);
  // Two copies made at once would both find the same one free.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`slug:${stem.toLowerCase()}`}, 0))`);
  const taken = await tx
    .select({ slug: sql<string>`lower(${products.checkoutSlug})` })
    .from(products)
    .where(
      inArray(
        sql`lower(${products.checkoutSlug})`,
        candidates.map((c) => c.toLowerCase()),
      ),
    );
  const gone = new Set(taken.map((row) => row.slug));
  return (
    candidates.find((c) => !gone.has(c.toLowerCase())) ??
    `${stem}-${randomToken()
      .replace(/[^A-Za-z0-9]/g, "")
      .slice(0, 10)}`
  );
}
