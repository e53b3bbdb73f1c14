import { sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { MAX_ITEMS } from "#app/domain/content/limits.ts";
import { Refusal } from "#app/kit/refusal.ts";

/**
 * Refuses another item where a content, locked by `lockOwnContent`, has as many as it may. Unfinished uploads count, unless
 * they replace an item's file: each becomes an item when it ends.
 * @throws Refusal conflict
 */
export async function refuseFullContent(tx: Tx, contentId: string): Promise<void> {
  // One statement: an upload that ends between two would count in neither.
  const [found] = await tx.execute<{ items: number; uploads: number }>(sql`select
    (select count(*)::int from content_items i where i.content_id = ${contentId}) as items,
    (select count(*)::int from files f where f.content_id = ${contentId} and f.ready_at is null
      and not exists (select from content_items r where r.id = f.replaces_item_id)) as uploads`);
  const { items, uploads } = found!;
  if (items + uploads < MAX_ITEMS) return;
  const counted = uploads > 0 ? ", contando os envios que não terminaram" : "";
  throw new Refusal("conflict", `No máximo ${MAX_ITEMS} itens${counted}`);
}
