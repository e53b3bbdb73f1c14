import { eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { SECOND } from "#app/kit/duration.ts";

/** Waits for a charge that another request is making. `given-up`: its maker has been silent for too long and is taken for dead. */
export async function awaitCharge(chargeId: string): Promise<"made" | "failed" | "given-up"> {
  for (;;) {
    const [charge] = await db
      .select({ status: charges.status, isAlive: sql<boolean>`${charges.creatingUntil} > now()` })
      .from(charges)
      .where(eq(charges.id, chargeId));
    if (!charge || charge.status === "failed") return "failed";
    if (charge.status !== "creating") return "made";
    if (!charge.isAlive) return "given-up";
    await new Promise((resolve) => setTimeout(resolve, SECOND / 4));
  }
}
