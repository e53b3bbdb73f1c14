import type { ContentItem } from "#app/domain/content/find-content-items.server.ts";
import type { OwnContent } from "#app/domain/content/list-content.server.ts";
import type { FileRow } from "#app/domain/content/upload.server.ts";
import { itemVersion, orderVersion } from "#app/domain/content/version.server.ts";
import { MAX_PART_BYTES } from "#app/platform/storage/blob-store.ts";

/** An upload as `/api` shows it: bytes. */
export function toUploadJson({ id, name, size, received, contentType, readyAt }: FileRow) {
  return {
    id,
    name,
    size,
    received,
    part_size: MAX_PART_BYTES,
    content_type: contentType,
    ready_at: readyAt,
  };
}

/** The content of a product, bump or upsell, as `/api` shows it to its seller. */
export function toContentJson({ key, name, fileUrl, items }: OwnContent) {
  return {
    for: key,
    name,
    file_url: fileUrl,
    order_version: orderVersion(items),
    items: items.map(toItemJson),
  };
}

/** A file, link or text of a content; for a file also whether its PDF is stamped for each buyer, and why it cannot be. */
export function toItemJson(item: ContentItem) {
  const { id, kind, name, url, html, file, stamp } = item;
  return {
    ...{ id, kind, name, url, html },
    version: itemVersion(item),
    file: file && {
      name: file.name,
      size: file.size,
      content_type: file.contentType,
      stamp: stamp.on,
      stamp_problem: stamp.problem,
    },
  };
}
