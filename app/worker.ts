import { jobs } from "#app/jobs/catalogue.server.ts";
import { clock } from "#app/jobs/clock.server.ts";
import { logConsole } from "#app/platform/log.server.ts";
import { runWorker } from "#app/queue/run.server.ts";

logConsole();
await runWorker(jobs, clock);
