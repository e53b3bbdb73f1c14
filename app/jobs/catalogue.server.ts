import type { Ids, Job } from "#app/queue/job.server.ts";

/** Every kind of job a worker does. */
export const jobs: Job<Ids>[] = [];
