import { jobs } from "#app/jobs/catalogue.server.ts";
import { clock } from "#app/jobs/clock.server.ts";
import { runWorker } from "#app/queue/run.server.ts";

await runWorker(jobs, clock);
