import { and, asc, eq, inArray, isNull } from "drizzle-orm";
import { type Db, db } from "#app/db/client.server.ts";
import { contentItems, files } from "#app/db/schema/files.server.ts";
import { stampedCopies } from "#app/db/schema/stamped-copies.server.ts";
import { STAMP_FAILURE_TEXTS, unstampableReason } from "#app/domain/stamped-copy/stamp-failure-texts.ts";

/** A file, link or text for its seller and its buyers. */
export type ContentItem = {
  id: string;
  contentId: string;
  kind: "file" | "link" | "text";
  name: string;
  url: string | null;
  html: string | null;
  file: { name: string; size: number; contentType: string | null; missing: boolean } | null;
  /** Whether a file's PDF is stamped for each buyer; `problem` is the reason why it is not, or could not be. */
  stamp: { on: boolean; problem: string | null };
};

/** The items of contents, in order. */
export async function findContentItems(contentIds: string[], tx: Db = db): Promise<ContentItem[]> {
  if (contentIds.length === 0) return [];
  const rows = await tx
    .select({ item: contentItems, file: files, failure: stampedCopies.failure })
    .from(contentItems)
    .leftJoin(files, eq(files.id, contentItems.fileId))
    .leftJoin(stampedCopies, and(eq(stampedCopies.fileId, files.id), isNull(stampedCopies.saleId)))
    .where(inArray(contentItems.contentId, contentIds))
    .orderBy(asc(contentItems.position), asc(contentItems.createdAt), asc(contentItems.id));
  return rows.map(({ item: { id, contentId, kind, name, url, html, stampedSince }, file, failure }) => ({
    ...{ id, contentId, kind, name, url, html },
    stamp: {
      on: stampedSince !== null,
      problem: unstampableReason(file) ?? (failure && STAMP_FAILURE_TEXTS[failure]),
    },
    file: file && {
      name: file.name,
      size: file.size,
      contentType: file.contentType,
      missing: file.missingAt !== null,
    },
  }));
}
