import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";

/** A charge's PIX code; null where it has none. */
export async function findPixCode(chargeId: string): Promise<string | null> {
  const [charge] = await db
    .select({ pixCode: charges.pixCode })
    .from(charges)
    .where(eq(charges.id, chargeId));
  return charge?.pixCode ?? null;
}
