import { sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { leaveWithoutRoom } from "#app/db/connection-room.server.ts";
import { logDatabaseFailure, refusedLogin } from "#app/db/database-away.server.ts";
import { leaveOldDatabase } from "#app/db/ready.server.ts";
import { retryPausedMails } from "#app/domain/mail/outbox/retry-mails.server.ts";
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
await leaveOldDatabase();
// Whoever changes the secret need not wait for the clock.
if (isChangingSecret)
  await enqueue(db, reseal, {}, { key: "" }).catch((err) =>
    log.warn({ err }, "sealing again waits for the clock"),
  );
await db.execute(sql`select 1`).catch((error: unknown) => {
  const why = refusedLogin(error);
  if (!why) return logDatabaseFailure(error, "worker starts");
  process.stderr.write(`${why}\n`);
  process.exit(1);
});
await leaveWithoutRoom("worker");
// A restart may have brought another key or password.
await retryPausedMails().catch((err) =>
  logDatabaseFailure(err, "mails of a paused account wait for its next try"),
);
await runWorker(jobs, pumps, clock);
