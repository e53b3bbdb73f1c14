import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";

/** What a charge is paid with; null where it has no code. */
export async function findPixCode(chargeId: string): Promise<string | null> {
  const [charge] = await db
    .select({ pixCode: charges.pixCode })
    .from(charges)
    .where(eq(charges.id, chargeId));
  return charge?.pixCode ?? null;
}
