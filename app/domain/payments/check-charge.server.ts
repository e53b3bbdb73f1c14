import { db } from "#app/db/client.server.ts";
import { askProvider } from "#app/domain/payments/ask-provider.server.ts";
import { CHECK_CHARGE } from "#app/domain/payments/check-charge-name.ts";
import { ProviderError } from "#app/domain/payments/providers/port.ts";
import { SECOND } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";
import { defineJob, enqueue } from "#app/queue/job.server.ts";

/** Just past the gate. */
const RETRY_AFTER = 61 * SECOND;

/** Asks the provider about a charge, now or when the gate opens. A call without answer is asked again at the gate. */
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
      // The gate is shut for a minute now; then once more. The sweeper stands behind this.
      await enqueue(
        db,
        CHECK_CHARGE,
        { chargeId },
        { key: chargeId, when: new Date(Date.now() + RETRY_AFTER) },
      );
    }
  },
  CHECK_CHARGE,
);
