import { eq } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { hashToken } from "#app/platform/secrets.server.ts";

/** The `code` of a refusal to overwrite what somebody else saved meanwhile. */
export const STALE = "stale";

/** A version of what a form shows, derived from its content. Needs no column, and covers rows of many tables. */
export function versionOf(content: unknown): string {
  return hashToken(JSON.stringify(content)).slice(0, 24);
}

/**
 * Rejects overwriting what was saved after `version` was shown; without a version anything is overwritten. Several, as
 * `If-Match` may name them, have commas between them. Read `current` under a lock that every writer takes.
 * @throws Refusal conflict, with the code `stale`
 */
export function rejectStale(version: string | undefined, current: string): void {
  if (version === undefined || version.split(",").includes(current)) return;
  throw new Refusal(
    "conflict",
    "Estas informações foram salvas em outro lugar depois que você as abriu",
    undefined,
    undefined,
    STALE,
  );
}

/** Serializes changes to a seller's settings: what was never saved has no row of its own to lock. */
export function withSellerLock<T>(sellerId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.select({ id: sellers.id }).from(sellers).where(eq(sellers.id, sellerId)).for("no key update");
    return work(tx);
  });
}
