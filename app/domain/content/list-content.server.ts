import { and, asc, eq, inArray, isNull, or } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { contentItems, contents, files } from "#app/db/schema/files.server.ts";
import { findSoldProduct } from "#app/domain/catalog/find-product.server.ts";
import { type ContentItem, findContentItems } from "#app/domain/content/find-content-items.server.ts";
import { type ContentOwner, OWNER_COLUMN, ownerKey } from "#app/domain/content/lock-own-content.server.ts";
import { listRemovedContents } from "#app/domain/content/removed-contents.server.ts";

/** An unfinished upload. `replaces` is the item whose file it replaces; null where it becomes a new one. */
export type PendingUpload = {
  id: string;
  name: string;
  size: number;
  received: number;
  replaces: { id: string; name: string } | null;
};

/** The content of a product, or of one of its bumps or upsells, also of one that was removed. */
export type OwnContent = { owner: ContentOwner; key: string; name: string; fileUrl: string | null } & {
  /** Whether it is on sale, and whether its product was deleted: then its buyers alone have it. */
  active: boolean;
  isDeleted: boolean;
  items: ContentItem[];
  pending: PendingUpload[];
};

/** A product's content, then that of its bumps and upsells, then of removed ones; of a deleted product, too. @throws Refusal not-found */
export async function listContent(sellerId: string, productId: number): Promise<OwnContent[]> {
  const product = await findSoldProduct(sellerId, productId);
  const removed = await listRemovedContents(db, sellerId, productId);
  const isDeleted = product.archivedAt !== null;
  const owners: [ContentOwner, { name: string; fileUrl: string | null; deactivatedAt: Date | null }][] = [
    [{ kind: "product", id: productId }, product],
    ...product.bumps.map((bump) => [{ kind: "bump", id: bump.id }, bump] as [ContentOwner, typeof bump]),
    ...product.upsells.map(
      (upsell) => [{ kind: "offer", id: upsell.id }, upsell] as [ContentOwner, typeof upsell],
    ),
    ...removed.map(
      ({ id, ...sold }) =>
        [
          { kind: "removed", id },
          { ...sold, deactivatedAt: new Date() },
        ] as [ContentOwner, typeof product],
    ),
  ];
  const removedIds = removed.map(({ id }) => id);
  const existingContents = await db
    .select()
    .from(contents)
    .where(isOfProduct(sellerId, product, removedIds));
  const ids = existingContents.map(({ id }) => id);
  const items = await findContentItems(ids);
  const pending = await findPendingUploads(sellerId, ids);
  return owners.map(([owner, { name, fileUrl, deactivatedAt }]) => {
    const content = existingContents.find((row) => row[OWNER_COLUMN[owner.kind]] === owner.id)?.id;
    return {
      owner,
      key: ownerKey(owner),
      name,
      fileUrl,
      active: deactivatedAt === null && !isDeleted,
      isDeleted,
      items: items.filter((item) => item.contentId === content),
      pending: pending.filter((file) => file.contentId === content),
    };
  });
}

function isOfProduct(
  sellerId: string,
  product: Awaited<ReturnType<typeof findSoldProduct>>,
  removedIds: string[],
) {
  const [bumps, upsells] = [product.bumps, product.upsells].map((rows) => rows.map(({ id }) => id));
  return and(
    eq(contents.sellerId, sellerId),
    or(
      eq(contents.productId, product.id),
      inArray(contents.orderBumpId, bumps!),
      inArray(contents.upsellId, upsells!),
      inArray(contents.id, removedIds),
    ),
  );
}

async function findPendingUploads(sellerId: string, contentIds: string[]) {
  if (contentIds.length === 0) return [];
  const { id, name, size, received, contentId } = files;
  const replaces = { id: contentItems.id, name: contentItems.name };
  return db
    .select({ id, name, size, received, contentId, replaces })
    .from(files)
    .leftJoin(contentItems, eq(contentItems.id, files.replacesItemId))
    .where(and(inArray(contentId, contentIds), eq(files.sellerId, sellerId), isNull(files.readyAt)))
    .orderBy(asc(files.createdAt));
}
