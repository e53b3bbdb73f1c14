import { sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { hasHeardAll } from "#app/db/listen.server.ts";

/** What processes may open at most: 10, 4 for reports and 1 that listens; a worker also 12 for its two queues, 1 by which it is registered and 1 for figures. */
const MOST = { web: 15, worker: 29 };
/** Left to whoever looks at the database by hand, to backups and to migrations. */
const FOR_OTHERS = 10;

/** Ends a process that would have no room, in words on stderr. Where PostgreSQL does not answer nothing is known, and it goes on. */
export async function leaveWithoutRoom(kind: keyof typeof MOST): Promise<void> {
  // A web listens from its first moment: it is counted with the others.
  if (kind === "web" && !(await hasHeardAll())) return;
  const why = await whyNoRoom(kind).catch(() => null);
  if (!why) return;
  process.stderr.write(`${why}\n`);
  process.exit(1);
}

/**
 * Whether PostgreSQL holds what all processes on this database may open together, this one with them: each has one connection
 * that listens, each worker one by which it is registered. Else orders would fail in the hour in which most of them come.
 * @returns why this process must not start, in words; null where there is room
 */
async function whyNoRoom(kind: keyof typeof MOST): Promise<string | null> {
  const [row] = await db.execute<{ allowed: number; all: number; workers: number }>(sql`
    select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as allowed,
      (count(*) filter (where application_name = 'checkintelli-listen'))::int as all,
      (count(*) filter (where application_name = 'checkintelli-worker'))::int as workers
    from pg_stat_activity where datname = current_database() and backend_type = 'client backend'`);
  const { allowed, all, workers } = row!;
  const webs = Math.max(kind === "web" ? 1 : 0, all - workers);
  const together = workers + (kind === "worker" ? 1 : 0);
  const needed = webs * MOST.web + together * MOST.worker + FOR_OTHERS;
  if (needed <= allowed) return null;
  return `O PostgreSQL aceita ${allowed} conexões, e ${webs} web e ${together} worker podem abrir ${needed}. Aumente max_connections ou inicie menos processos (docs/operations.md, Sizes).`;
}
