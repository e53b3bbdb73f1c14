import { adHoc } from "#app/db/client.server.ts";
import { cleanings } from "#app/jobs/retention.server.ts";
import { log } from "#app/platform/log.server.ts";
import { defineJob } from "#app/queue/job.server.ts";

/** Few enough that a batch holds its rows for a moment only. */
const AT_ONCE = 1000;

/** Once a day: deletes what is past its age, batch by batch, each in a transaction of its own. */
export const cleanUp = defineJob<Record<string, never>>("clean-up", async () => {
  const cleaned = new Map<string, number>();
  for (const [what, batch] of Object.entries(cleanings)) {
    let rows: number;
    do {
      rows = (await adHoc.execute(batch(AT_ONCE))).count;
      cleaned.set(what, (cleaned.get(what) ?? 0) + rows);
    } while (rows === AT_ONCE);
  }
  log.info({ cleaned: Object.fromEntries(cleaned) }, "cleaned up");
});
