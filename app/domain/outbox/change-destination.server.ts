import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { notify } from "#app/db/notify.server.ts";
import { destinations } from "#app/db/schema/outbox.server.ts";
import { type Family, ownDestination } from "#app/domain/outbox/own-destination.server.ts";

type Row = typeof destinations.$inferSelect;

/** Tells a destination nothing any more; what is queued ends by itself. */
export function pauseDestination(family: Family, sellerId: string, id: string): Promise<void> {
  return changeDestination(family, sellerId, id, ({ stoppedAt }) =>
    stoppedAt ? {} : { stoppedAt: new Date(), stoppedWhy: "seller" },
  );
}

/** Tells it again, from now on. */
export function resumeDestination(family: Family, sellerId: string, id: string): Promise<void> {
  return changeDestination(family, sellerId, id, () => ({
    stoppedAt: null,
    stoppedWhy: null,
    failingSince: null,
    restUntil: null,
  }));
}

/** Removes it, with its secrets; the row and its log go with the next clean-ups. */
export function deleteDestination(family: Family, sellerId: string, id: string): Promise<void> {
  return changeDestination(family, sellerId, id, () => ({
    deletedAt: new Date(),
    stoppedAt: new Date(),
    stoppedWhy: "seller",
    secretSealed: null,
    previousSecretSealed: null,
    tokenSealed: null,
  }));
}

/** Sets columns of a seller's destination, locked. @throws Refusal not-found */
export async function changeDestination(
  family: Family,
  sellerId: string,
  id: string,
  to: (row: Row) => Partial<Row>,
): Promise<void> {
  await db.transaction(async (tx) => {
    const row = await ownDestination(tx, family, sellerId, id);
    await tx
      .update(destinations)
      .set({ ...to(row), updatedAt: new Date() })
      .where(eq(destinations.id, row.id));
    // The checkout asks its buyers for what an advertiser is told.
    if (family === "pixel") await notify(tx, "storefront", `seller:${sellerId}`);
  });
}
