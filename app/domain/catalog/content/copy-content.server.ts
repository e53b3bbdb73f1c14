import { eq, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { contentItems, contents } from "#app/db/schema/files.server.ts";

/** Copies the content of a product, bump or upsell to its copy; the files are shared. */
export async function copyContent(
  tx: Tx,
  kind: "productId" | "orderBumpId" | "upsellId",
  originalId: number,
  copyId: number,
): Promise<void> {
  const [original] = await tx.select().from(contents).where(eq(contents[kind], originalId));
  if (!original) return;
  const [copy] = await tx
    .insert(contents)
    .values({ sellerId: original.sellerId, [kind]: copyId })
    .returning({ id: contents.id });
  await tx.execute(sql`
    insert into ${contentItems} (content_id, seller_id, kind, position, name, file_id, url, html, stamped_since)
    select ${copy!.id}, seller_id, kind, position, name, file_id, url, html, stamped_since from content_items
    where content_id = ${original.id}`);
}
