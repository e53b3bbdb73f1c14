import { db } from "#app/db/client.server.ts";
import { jobs, pumps } from "#app/jobs/catalogue.server.ts";
import { clock } from "#app/jobs/clock.server.ts";
import { databaseMetrics } from "#app/jobs/database-metrics.server.ts";
import { reseal } from "#app/jobs/reseal.server.ts";
import { env } from "#app/platform/env.server.ts";
import { log, logConsole } from "#app/platform/log.server.ts";
import { isChangingSecret } from "#app/platform/secrets.server.ts";
import { serveMetrics } from "#app/platform/serve-metrics.server.ts";
import { enqueue } from "#app/queue/job.server.ts";
import { isWorking, runWorker } from "#app/queue/run.server.ts";

logConsole();
serveMetrics(env.WORKER_METRICS_PORT, { isWell: isWorking, more: databaseMetrics });
// Whoever changes the secret need not wait for the clock.
if (isChangingSecret)
  await enqueue(db, reseal, {}, { key: "" }).catch((err) =>
    log.warn({ err }, "sealing again waits for the clock"),
  );
await runWorker(jobs, pumps, clock);
