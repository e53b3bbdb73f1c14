import { eq } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";

/**
 * Locks a charge. The lock order is charge, sale, refunds, which prevents deadlocks. `no key update` lets rows that
 * reference it be inserted meanwhile.
 */
export async function lockCharge(tx: Tx, chargeId: string): Promise<void> {
  await tx.select({ id: charges.id }).from(charges).where(eq(charges.id, chargeId)).for("no key update");
}
