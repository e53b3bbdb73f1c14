import { sql } from "drizzle-orm";
import { contentItems, downloadResets, files } from "#app/db/schema/files.server.ts";

/**
 * Whether a row of `downloads` counts towards the limit of its sale: one from before its seller allowed more, or replaced the
 * file, does not.
 */
export const isCounted = sql<boolean>`downloads.at > greatest(
  (select r.at from ${downloadResets} r where r.seller_id = downloads.seller_id and r.sale_id = downloads.sale_id),
  (select f.ready_at from ${contentItems} i inner join ${files} f on f.id = i.file_id where i.id = downloads.item_id),
  '-infinity')`;
