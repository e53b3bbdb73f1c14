import { AsyncLocalStorage } from "node:async_hooks";
import { type Check, checkReplica, closeReplicaCheck } from "#app/db/replica/check-replica.server.ts";
import type { Session } from "#app/db/session.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";
import { onShutdown } from "#app/platform/shutdown.server.ts";

/** For how long the result of a check counts, good or bad. */
const CHECK_LIFETIME = 5 * SECOND;
/** How often the replica is checked while it works on statements: one that hangs would keep them for minutes. */
const WATCH_INTERVAL = 2 * SECOND;

let latest: (Check & { at: number }) | undefined;
let checking: Promise<void> | undefined;
/** The connections that work on a statement. */
const working = new Set<Session>();
let watch: NodeJS.Timeout | undefined;

/** A check is not part of the request that began it. */
const detached = AsyncLocalStorage.snapshot();

/**
 * From when the replica's data is (milliseconds since 1970); null where the primary has to be read. Only who comes first
 * waits for a replica that hangs: while it is away, checks run in the background.
 */
export async function replicaDataTime(): Promise<number | null> {
  if (!env.DATABASE_REPLICA_URL) return null;
  const isOld = !latest || performance.now() - latest.at > CHECK_LIFETIME;
  const checked = isOld ? check() : null;
  if (!isAway()) await checked;
  return isAway() ? null : (latest?.dataTime ?? null);
}

/** What the last check found; undefined where there was none. */
export function latestCheck(): Check | undefined {
  return latest;
}

/** Whether the last check failed. */
export function isAway(): boolean {
  return latest !== undefined && latest.problem !== null;
}

/** The next reader waits for a new check. */
export function forgetCheck(): void {
  if (!isAway()) latest = undefined;
}

/**
 * Runs a statement on a connection to the replica. If the replica goes away meanwhile, the connection is closed, which fails
 * the statement.
 */
export async function watched<T>(session: Session, work: () => Promise<T>): Promise<T> {
  working.add(session);
  watch ??= detached(() => setInterval(check, WATCH_INTERVAL).unref());
  try {
    return await work();
  } finally {
    working.delete(session);
    if (working.size === 0) {
      clearInterval(watch);
      watch = undefined;
    }
  }
}

function check(): Promise<void> {
  checking ??= detached(async () => {
    const found = await checkReplica();
    logChange(found);
    latest = { ...found, at: performance.now() };
    // Those of a replica that is merely late end by themselves.
    if (found.problem && found.problem !== "too-old") for (const session of working) void session.close();
  }).finally(() => {
    checking = undefined;
  });
  return checking;
}

/** One line when the replica goes, and one when it is back. */
function logChange({ problem, error }: Check): void {
  if (problem === (latest?.problem ?? null)) return;
  const { code, message } = (error ?? {}) as { code?: string; message?: string };
  if (problem) log.warn({ problem, ...(error ? { code, reason: message } : {}) }, "replica not used");
  else log.info("replica used again");
}

onShutdown(closeReplicaCheck);
