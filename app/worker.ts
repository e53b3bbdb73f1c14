import { db } from "#app/db/client.server.ts";
import { logDatabaseFailure } from "#app/db/database-away.server.ts";
import { leaveUnusableDatabase } from "#app/db/ready.server.ts";
import { requireConnectionCapacity } from "#app/db/require-connection-capacity.server.ts";
import { retryPausedMails } from "#app/domain/mail/sending/retry-mails.server.ts";
import { reseal } from "#app/domain/maintenance/reseal.server.ts";
import { jobs, queues } from "#app/jobs/catalogue.server.ts";
import { crontab, schedule } from "#app/jobs/crontab.server.ts";
import { databaseMetrics } from "#app/metrics/database-metrics.server.ts";
import { env } from "#app/platform/env.server.ts";
import { log, logConsole } from "#app/platform/log.server.ts";
import { isRotatingSecret } from "#app/platform/secrets.server.ts";
import { serveMetrics } from "#app/platform/serve-metrics.server.ts";
import { enqueue } from "#app/queue/job.server.ts";
import { isWorking, runWorker } from "#app/queue/run.server.ts";

logConsole();
serveMetrics(env.WORKER_METRICS_PORT, { isHealthy: isWorking, moreMetrics: databaseMetrics });
await leaveUnusableDatabase();
// After a rotation of the secret, do not wait for the schedule.
if (isRotatingSecret)
  await enqueue(db, reseal, {}, { key: "" }).catch((err) =>
    log.warn({ err }, "re-encryption waits for its schedule"),
  );
await requireConnectionCapacity("worker");
// A restart may have changed the key or password.
await retryPausedMails().catch((err) => logDatabaseFailure(err, "paused mails wait for the next retry"));
await runWorker(jobs, queues, crontab, Object.keys(schedule));
