import { sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { isUpToDate } from "#app/db/listen.server.ts";

/**
 * The most connections a process opens: 10, 4 for reports and 1 that listens; a worker also 12 for its two runners, 1 for
 * its registration and 1 for metrics.
 */
const MAX_CONNECTIONS = { web: 15, worker: 29 };
/** Left for manual access, backups and migrations. */
const RESERVED_CONNECTIONS = 10;

/**
 * Exits a process that would exceed the connection limit, with a message on stderr. If PostgreSQL does not answer, it goes
 * on.
 */
export async function requireConnectionCapacity(kind: keyof typeof MAX_CONNECTIONS): Promise<void> {
  // A web process listens from the start, so it is counted with the others.
  if (kind === "web" && !(await isUpToDate())) return;
  const problem = await findCapacityProblem(kind).catch(() => null);
  if (!problem) return;
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}

/**
 * Whether PostgreSQL allows as many connections as all processes on this database, including this one, may open: each has
 * one that listens, each worker one for its registration. Otherwise orders would fail at peak load.
 * @returns why this process must not start; null if there is capacity
 */
async function findCapacityProblem(kind: keyof typeof MAX_CONNECTIONS): Promise<string | null> {
  const [row] = await db.execute<{ allowed: number; all: number; workers: number }>(sql`
    select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as allowed,
      (count(*) filter (where application_name = 'checkintelli-listen'))::int as all,
      (count(*) filter (where application_name = 'checkintelli-worker'))::int as workers
    from pg_stat_activity where datname = current_database() and backend_type = 'client backend'`);
  const { allowed, all, workers } = row!;
  const totalWebs = Math.max(kind === "web" ? 1 : 0, all - workers);
  const totalWorkers = workers + (kind === "worker" ? 1 : 0);
  const needed =
    totalWebs * MAX_CONNECTIONS.web + totalWorkers * MAX_CONNECTIONS.worker + RESERVED_CONNECTIONS;
  if (needed <= allowed) return null;
  return `O PostgreSQL aceita ${allowed} conexões, e ${totalWebs} web e ${totalWorkers} worker podem abrir ${needed}. Aumente max_connections ou inicie menos processos (docs/operations.md, Sizes).`;
}
