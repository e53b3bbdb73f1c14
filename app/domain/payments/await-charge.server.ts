import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { SECOND } from "#app/kit/duration.ts";

/**
 * Waits for a charge that another request is making.
 * @param until when a charge without an answer counts as given up
 */
export async function awaitCharge(chargeId: string, until: Date): Promise<"made" | "failed" | "given-up"> {
  while (Date.now() < until.getTime()) {
    const [charge] = await db
      .select({ status: charges.status })
      .from(charges)
      .where(eq(charges.id, chargeId));
    if (!charge || charge.status === "failed") return "failed";
    if (charge.status !== "creating") return "made";
    await new Promise((resolve) => setTimeout(resolve, SECOND / 4));
  }
  return "given-up";
}
