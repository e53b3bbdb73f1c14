import { eq } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { contentItems } from "#app/db/schema/files.server.ts";
import { rejectStale } from "#app/db/version.server.ts";
import { itemNotFound } from "#app/domain/content/lock-own-item.server.ts";
import { itemVersion } from "#app/domain/content/version.server.ts";

/**
 * The row of an item that `lockOwnItem` has locked.
 * @throws Refusal not-found; conflict, with the code `stale`, where it was changed since `version`
 */
export async function readLockedItem(tx: Tx, itemId: string, version: string | undefined) {
  const [item] = await tx.select().from(contentItems).where(eq(contentItems.id, itemId));
  if (!item) throw itemNotFound();
  rejectStale(version, itemVersion({ ...item, stamp: { on: item.stampedSince !== null } }));
  return item;
}
