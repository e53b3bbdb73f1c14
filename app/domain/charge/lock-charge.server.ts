import { eq } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";

/**
 * Locks a charge. Everybody locks in one order, so that nobody waits in a circle: charge, sale, refunds. "No key update" lets
 * facts that refer to the row be written meanwhile.
 */
export async function lockCharge(tx: Tx, chargeId: string): Promise<void> {
  await tx.select({ id: charges.id }).from(charges).where(eq(charges.id, chargeId)).for("no key update");
}
