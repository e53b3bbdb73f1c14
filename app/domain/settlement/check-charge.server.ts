import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { ProviderError } from "#app/domain/gateway/providers/port.ts";
import { askProvider } from "#app/domain/settlement/ask-provider.server.ts";
import { log } from "#app/platform/log.server.ts";
import { defineJob, enqueue } from "#app/queue/job.server.ts";
import { CHECK_CHARGE } from "#app/queue/names.ts";

/** Asks the provider about a charge, now or when the gate opens. A call without answer is made again later. */
export const checkCharge = defineJob<{ chargeId: string }>(
  CHECK_CHARGE.name,
  async ({ chargeId }) => {
    try {
      const asked = await askProvider(chargeId);
      if (asked.kind === "asked") log.info({ chargeId, outcome: asked.outcome }, "charge checked");
      if (asked.kind === "gate")
        await enqueue(db, CHECK_CHARGE, { chargeId }, { key: chargeId, when: asked.opensAt });
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      // Pauses grow: a provider that is down, or a key that is no longer good, is not asked for ever.
      const [charge] = await db
        .select({ next: charges.nextCheckAt })
        .from(charges)
        .where(eq(charges.id, chargeId));
      if (charge?.next) await enqueue(db, CHECK_CHARGE, { chargeId }, { key: chargeId, when: charge.next });
    }
  },
  CHECK_CHARGE,
);
