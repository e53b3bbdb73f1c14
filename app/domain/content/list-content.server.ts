import { and, asc, eq, inArray, isNull, or } from "drizzle-orm";
import { type Db, db } from "#app/db/client.server.ts";
import { contentItems, contents, files } from "#app/db/schema/files.server.ts";
import { stamps } from "#app/db/schema/stamps.server.ts";
import { findProduct } from "#app/domain/catalog/find-product.server.ts";
import { type Owner, ownerName } from "#app/domain/content/owner.ts";
import { neverStamped, STAMP_FAILURE_WORDS } from "#app/domain/stamp/why-unstamped.ts";

/** A file, link or text as its seller and its buyers see it. */
export type ContentItem = {
  id: string;
  contentId: string;
  kind: "file" | "link" | "text";
  name: string;
  url: string | null;
  html: string | null;
  file: { name: string; size: number; contentType: string | null; missing: boolean } | null;
  /** Whether a file's PDF is stamped for who buys it; `problem` says why it is not, or could not be. */
  stamp: { on: boolean; problem: string | null };
};

/** A file on its way: what came of it so far. */
export type Pending = { id: string; name: string; size: number; received: number };

/** What buyers of a product, or of one of its bumps or offers, get. */
export type OwnContent = { owner: Owner; key: string; name: string; fileUrl: string | null } & {
  /** Whether it is on sale. */
  active: boolean;
  items: ContentItem[];
  pending: Pending[];
};

/** A product's content, then that of its bumps and offers. @throws Refusal not-found */
export async function listContent(sellerId: string, productId: number): Promise<OwnContent[]> {
  const product = await findProduct(sellerId, productId);
  const owners: [Owner, { name: string; fileUrl: string | null; deactivatedAt: Date | null }][] = [
    [{ kind: "product", id: productId }, product],
    ...product.bumps.map((bump) => [{ kind: "bump", id: bump.id }, bump] as [Owner, typeof bump]),
    ...product.offers.map((offer) => [{ kind: "offer", id: offer.id }, offer] as [Owner, typeof offer]),
  ];
  const known = await db.select().from(contents).where(ofProduct(sellerId, product));
  const ids = known.map(({ id }) => id);
  const items = await itemsOf(ids);
  const pending = await pendingOf(sellerId, ids);
  return owners.map(([owner, { name, fileUrl, deactivatedAt }]) => {
    const content = known.find((row) => row[COLUMN[owner.kind]] === owner.id)?.id;
    return {
      owner,
      key: ownerName(owner),
      name,
      fileUrl,
      active: deactivatedAt === null,
      items: items.filter((item) => item.contentId === content),
      pending: pending.filter((file) => file.contentId === content),
    };
  });
}

const COLUMN = { product: "productId", bump: "orderBumpId", offer: "upsellOfferId" } as const;

function ofProduct(sellerId: string, product: Awaited<ReturnType<typeof findProduct>>) {
  const [bumps, offers] = [product.bumps, product.offers].map((rows) => rows.map(({ id }) => id));
  return and(
    eq(contents.sellerId, sellerId),
    or(
      eq(contents.productId, product.id),
      inArray(contents.orderBumpId, bumps!),
      inArray(contents.upsellOfferId, offers!),
    ),
  );
}

/** The items of contents, in order. */
export async function itemsOf(contentIds: string[], tx: Db = db): Promise<ContentItem[]> {
  if (contentIds.length === 0) return [];
  const rows = await tx
    .select({ item: contentItems, file: files, failure: stamps.failure })
    .from(contentItems)
    .leftJoin(files, eq(files.id, contentItems.fileId))
    .leftJoin(stamps, and(eq(stamps.fileId, files.id), isNull(stamps.saleId)))
    .where(inArray(contentItems.contentId, contentIds))
    .orderBy(asc(contentItems.position), asc(contentItems.createdAt), asc(contentItems.id));
  return rows.map(({ item: { id, contentId, kind, name, url, html, stampedSince }, file, failure }) => ({
    ...{ id, contentId, kind, name, url, html },
    stamp: {
      on: stampedSince !== null,
      problem: neverStamped(file) ?? (failure && STAMP_FAILURE_WORDS[failure]),
    },
    file: file && {
      name: file.name,
      size: file.size,
      contentType: file.contentType,
      missing: file.missingAt !== null,
    },
  }));
}

async function pendingOf(sellerId: string, contentIds: string[]) {
  if (contentIds.length === 0) return [];
  const { id, name, size, received, contentId } = files;
  return db
    .select({ id, name, size, received, contentId })
    .from(files)
    .where(and(inArray(contentId, contentIds), eq(files.sellerId, sellerId), isNull(files.readyAt)))
    .orderBy(asc(files.createdAt));
}
