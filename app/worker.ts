import { jobs, pumps } from "#app/jobs/catalogue.server.ts";
import { clock } from "#app/jobs/clock.server.ts";
import { databaseMetrics } from "#app/jobs/database-metrics.server.ts";
import { env } from "#app/platform/env.server.ts";
import { logConsole } from "#app/platform/log.server.ts";
import { serveMetrics } from "#app/platform/serve-metrics.server.ts";
import { isWorking, runWorker } from "#app/queue/run.server.ts";

logConsole();
serveMetrics(env.WORKER_METRICS_PORT, { isWell: isWorking, more: databaseMetrics });
await runWorker(jobs, pumps, clock);
