import { eq } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { notify } from "#app/db/notify.server.ts";
import { destinations } from "#app/db/schema/deliveries.server.ts";
import { rejectStale } from "#app/db/version.server.ts";
import { kindOf } from "#app/domain/delivery/destinations.server.ts";
import type { DestinationRow, Family } from "#app/domain/delivery/kind.ts";
import { switchedVersionOf } from "#app/domain/delivery/list-destinations.server.ts";
import { ownDestination } from "#app/domain/delivery/own-destination.server.ts";

/** Stops notifying a destination; queued deliveries end by themselves. */
export function pauseDestination(family: Family, sellerId: string, id: string): Promise<void> {
  return changeDestination(family, sellerId, id, (row) => switchColumns(row, false));
}

/** Resumes notifying it, from now on. One that is not paused keeps its pace while its server fails. */
export function resumeDestination(family: Family, sellerId: string, id: string): Promise<void> {
  return changeDestination(family, sellerId, id, (row) => switchColumns(row, true));
}

/** The columns by which a destination is resumed or paused; none where it is already. */
export function switchColumns({ stoppedAt }: DestinationRow, isActive: boolean): Partial<DestinationRow> {
  if (isActive === (stoppedAt === null)) return {};
  return isActive
    ? { stoppedAt: null, stoppedReason: null, failingSince: null, backoffUntil: null }
    : { stoppedAt: new Date(), stoppedReason: "seller" };
}

/**
 * Removes a destination and its secrets; later clean-ups delete the row and its log.
 * @param version the one that a program saw; without it any is removed
 * @throws Refusal not-found; conflict where it was saved, resumed or paused since `version`
 */
export function deleteDestination(
  family: Family,
  sellerId: string,
  id: string,
  version?: string,
): Promise<void> {
  return changeDestination(family, sellerId, id, (row) => {
    if (version !== undefined) rejectStale(version, switchedVersionOf(row));
    return {
      deletedAt: new Date(),
      stoppedAt: new Date(),
      stoppedReason: "seller",
      secretSealed: null,
      previousSecretSealed: null,
      tokenSealed: null,
    };
  });
}

/** Sets columns of a seller's destination, locked. @throws Refusal not-found */
export async function changeDestination(
  family: Family,
  sellerId: string,
  id: string,
  to: (row: DestinationRow, tx: Tx) => Partial<DestinationRow> | Promise<Partial<DestinationRow>>,
): Promise<void> {
  await db.transaction(async (tx) => {
    const row = await ownDestination(tx, family, sellerId, id);
    await tx
      .update(destinations)
      .set({ ...(await to(row, tx)), updatedAt: new Date() })
      .where(eq(destinations.id, row.id));
    // Whether the checkout asks for consent depends on the pixels.
    if (kindOf(row.kind).advertiser) await notify(tx, "storefront", `seller:${sellerId}`);
  });
}
