import { and, eq, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { ownOfSale } from "#app/db/conditions.server.ts";
import { disputes } from "#app/db/schema/disputes.server.ts";
import type { DisputeOrigin, DisputeStatus, EvidenceStatus } from "#app/db/schema/lists.ts";
import { mayMoveDispute } from "#app/domain/sale/states.ts";

/** A dispute to insert. Money in cents. */
export type NewDispute = {
  sellerId: string;
  saleId: string;
  chargeId: string | null;
  amountCents: number;
  origin: DisputeOrigin;
  note: string | null;
  providerId: string | null;
  evidenceStatus: EvidenceStatus | null;
  evidenceDueAt: Date | null;
};

/** Inserts a dispute. @returns its id; null where the sale has an open one */
export async function insertDispute(tx: Tx, dispute: NewDispute): Promise<string | null> {
  const [row] = await tx
    .insert(disputes)
    .values(dispute)
    .onConflictDoNothing()
    .returning({ id: disputes.id });
  return row?.id ?? null;
}

/**
 * Moves the open dispute of a sale, whose row the caller locked, to another state. With `insertDispute` the only code
 * that writes a dispute's state.
 * @throws Error where there is none: a bug, since callers check first
 */
export async function moveDispute(
  tx: Tx,
  { id: saleId, sellerId }: { id: string; sellerId: string },
  to: Exclude<DisputeStatus, "open">,
): Promise<{ id: string; amountCents: number }> {
  if (!mayMoveDispute("open", to)) throw new Error(`an open dispute cannot become ${to}`);
  const [moved] = await tx
    .update(disputes)
    .set({ status: to, decidedAt: sql`now()` })
    .where(and(ownOfSale(disputes, sellerId, saleId), eq(disputes.status, "open")))
    .returning({ id: disputes.id, amountCents: disputes.amountCents });
  if (!moved) throw new Error(`sale ${saleId} has no open dispute`);
  return moved;
}
