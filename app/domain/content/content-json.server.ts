import type { FileRow } from "#app/domain/content/find-upload.server.ts";
import type { ContentItem, OwnContent } from "#app/domain/content/list-content.server.ts";
import { itemVersion, orderVersion } from "#app/domain/content/version.server.ts";
import { PART_BYTES } from "#app/platform/storage/keeper.ts";

/** An upload as `/api` shows it: bytes. */
export function uploadJson({ id, name, size, received, contentType, readyAt }: FileRow) {
  return { id, name, size, received, part_size: PART_BYTES, content_type: contentType, ready_at: readyAt };
}

/** What buyers of a product, a bump or an offer get, as `/api` shows it to its seller. */
export function contentJson({ key, name, fileUrl, items }: OwnContent) {
  return {
    for: key,
    name,
    file_url: fileUrl,
    order_version: orderVersion(items),
    items: items.map(itemJson),
  };
}

/** One of its files, links and texts; of a file whether its PDF is stamped for who buys it, and why it cannot be. */
export function itemJson(item: ContentItem) {
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
