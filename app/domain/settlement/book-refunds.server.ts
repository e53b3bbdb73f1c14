import { sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { charges, refunds } from "#app/db/schema/payments.server.ts";
import { nextCheckTime } from "#app/domain/charge/check-times.server.ts";
import { type MovedRefund, moveRefund, openRefund } from "#app/domain/charge/move-refund.server.ts";

/** Why a refund was ended as refused, for the sale's history. */
const ALL_RETURNED = "o valor todo já tinha sido devolvido";

/**
 * Books newly refunded money of a charge as the newest refund that was requested and fits in it, and the rest as one that was
 * observed at the provider.
 * @param all the refunds of the charge that this may be
 * @returns what was observed; null where all of it was requested
 */
export async function bookRefunds(
  tx: Tx,
  charge: { sellerId: string; chargeId: string },
  all: MovedRefund[],
  addedCents: number,
): Promise<{ id: string; amountCents: number } | null> {
  const requested = all.findLast(({ status, amountCents }) => status !== "done" && amountCents <= addedCents);
  if (requested) await moveRefund(tx, requested, { to: "done" }, "provider");
  const amountCents = addedCents - (requested?.amountCents ?? 0);
  if (amountCents === 0) return null;
  const refund = { ...charge, amountCents, status: "done", origin: "observed" } as const;
  return { id: await openRefund(tx, refund, "provider"), amountCents };
}

/**
 * Refuses the pending refunds of a charge that was refunded in full without them: they can refund nothing any more, and
 * their seller has nothing to follow up.
 * @param unbookedCents refunded but not booked yet; a pending refund of no more than that is the one that did it
 */
export async function endMootRefunds(tx: Tx, all: MovedRefund[], unbookedCents: number): Promise<void> {
  for (const refund of all) {
    if (refund.status !== "pending" || refund.amountCents <= unbookedCents) continue;
    await moveRefund(tx, refund, { to: "refused", why: "refused", detail: ALL_RETURNED }, "system");
    await endChecks(tx, refund.sellerId, refund.chargeId);
  }
}

/** Ends a charge's checks, unless another refund is pending. */
export async function endChecks(tx: Tx, sellerId: string, chargeId: string): Promise<void> {
  await tx
    .update(charges)
    .set({ nextCheckAt: nextCheckTime(null) })
    .where(
      sql`${charges.sellerId} = ${sellerId} and ${charges.id} = ${chargeId} and not exists (
        select from ${refunds} r where r.seller_id = ${charges.sellerId} and r.charge_id = ${chargeId} and r.status = 'pending')`,
    );
}
