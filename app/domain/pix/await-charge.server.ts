import { eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { SECOND } from "#app/kit/duration.ts";

/** Waits for a charge that another request is creating. `given-up`: its lease has ended, so that request is considered dead. */
export async function awaitCharge(chargeId: string): Promise<"made" | "failed" | "given-up"> {
  for (;;) {
    const [charge] = await db
      .select({ status: charges.status, isLeased: sql<boolean>`${charges.creatingUntil} > now()` })
      .from(charges)
      .where(eq(charges.id, chargeId));
    if (!charge || charge.status === "failed") return "failed";
    if (charge.status !== "creating") return "made";
    if (!charge.isLeased) return "given-up";
    await new Promise((resolve) => setTimeout(resolve, SECOND / 4));
  }
}
