import { eq, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { contentItems, contents } from "#app/db/schema/files.server.ts";

/** Gives a copy of a product, bump or offer a content of its own, with the same files. */
export async function copyContent(
  tx: Tx,
  kind: "productId" | "orderBumpId" | "upsellOfferId",
  from: number,
  to: number,
): Promise<void> {
  const [original] = await tx.select().from(contents).where(eq(contents[kind], from));
  if (!original) return;
  const [copy] = await tx
    .insert(contents)
    .values({ sellerId: original.sellerId, [kind]: to })
    .returning({ id: contents.id });
  await tx.execute(sql`
    insert into ${contentItems} (content_id, seller_id, kind, position, name, file_id, url, html, stamped_since)
    select ${copy!.id}, seller_id, kind, position, name, file_id, url, html, stamped_since from content_items
    where content_id = ${original.id}`);
}
