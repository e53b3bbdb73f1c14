import { eq, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { contentItems, contents } from "#app/db/schema/files.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { Refusal } from "#app/kit/refusal.ts";

/**
 * What is on sale gives its buyers something: a link, or what the product's content holds. Asked of a product whose row is
 * held, as it stands now.
 * @throws Refusal invalid at `file_url`, with `message`
 */
export async function needContent(tx: Tx, productId: number, message: string): Promise<void> {
  const item = tx
    .select({ id: contentItems.id })
    .from(contentItems)
    .innerJoin(contents, eq(contents.id, contentItems.contentId))
    .where(eq(contents.productId, productId));
  const [row] = await tx
    .select({
      lacks: sql<boolean>`${products.deactivatedAt} is null and ${products.fileUrl} is null and not exists ${item}`,
    })
    .from(products)
    .where(eq(products.id, productId));
  if (row?.lacks) throw new Refusal("invalid", message, "file_url");
}
