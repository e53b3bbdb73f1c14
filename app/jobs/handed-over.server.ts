import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { AT_ONCE } from "#app/domain/charge/next-look.server.ts";
import { type AnyJob, defineJob } from "#app/queue/job.server.ts";

/**
 * Jobs that versions before 0003 queue, also while they still run beside this one: what they ask for is handed over to
 * the rows. They may go once no such version runs and none of their jobs is left.
 */
export const handedOver: AnyJob[] = [
  defineJob<{ chargeId: string }>("check-charge", async ({ chargeId }) => {
    await db.update(charges).set({ nextCheckAt: AT_ONCE }).where(eq(charges.id, chargeId));
  }),
];
