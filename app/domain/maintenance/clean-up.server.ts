import { batchDb } from "#app/db/client.server.ts";
import { cleanUpBatches } from "#app/domain/maintenance/retention.server.ts";
import { log } from "#app/platform/log.server.ts";
import { defineJob } from "#app/queue/job.server.ts";

/** Small, so that a batch locks its rows only briefly. */
const BATCH_SIZE = 1000;

/** Deletes expired rows once a day, in batches, each in a transaction of its own. */
export const cleanUp = defineJob<Record<string, never>>("clean-up", async () => {
  const cleaned = new Map<string, number>();
  for (const [kind, batch] of Object.entries(cleanUpBatches)) {
    let rows: number;
    do {
      rows = (await batchDb.execute(batch(BATCH_SIZE))).count;
      cleaned.set(kind, (cleaned.get(kind) ?? 0) + rows);
    } while (rows === BATCH_SIZE);
  }
  log.info({ cleaned: Object.fromEntries(cleaned) }, "cleaned up");
});
