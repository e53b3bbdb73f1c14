import { eq } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { hashToken } from "#app/platform/secrets.server.ts";

/** The `code` of a refusal to replace what somebody else saved meanwhile. */
export const STALE = "stale";

/** A name for what a form shows: another one where any of it is another. Needs no column, and covers rows of many tables. */
export function versionOf(shown: unknown): string {
  return hashToken(JSON.stringify(shown)).slice(0, 24);
}

/**
 * Refuses to replace what was saved after `version` was shown; without a version whatever stands is replaced. `stands` has
 * to be read under a lock that everybody takes who changes it.
 * @throws Refusal conflict, with the code `stale`
 */
export function refuseStale(version: string | undefined, stands: string): void {
  if (version === undefined || version === stands) return;
  throw new Refusal(
    "conflict",
    "Estas informações foram salvas em outro lugar depois que você as abriu",
    undefined,
    undefined,
    STALE,
  );
}

/** Lets the settings of a seller be saved one after the other: what was never saved has no row of its own to hold. */
export function inSellersTurn<T>(sellerId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.select({ id: sellers.id }).from(sellers).where(eq(sellers.id, sellerId)).for("no key update");
    return work(tx);
  });
}
