import { sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { MEASURING_LIMITS } from "#app/db/limits.server.ts";
import { openSession, type Session } from "#app/db/session.server.ts";
import { MINUTE, SECOND } from "#app/kit/duration.ts";
import { env } from "#app/platform/env.server.ts";

/** Older data is not shown: the primary is read instead. */
export const MAX_AGE = 15 * MINUTE;
/** A replica that takes longer hangs. */
const REPLICA_TIMEOUT = 2 * SECOND;
/** A busy primary must not make the replica look away: reports would then be added to its load. */
const PRIMARY_TIMEOUT = SECOND;

/** Why the replica cannot be read: `no-answer` also while it refuses or hangs. */
export type Problem = "no-answer" | "not-a-replica" | "other-database" | "too-old";

/** From when the replica's data is (milliseconds since 1970), null where that is unknown, and why it cannot be read. */
export type Check = { dataTime: number | null; problem: Problem | null; error?: unknown };

/** Of one server: cluster, timeline and database, and how far it has written or replayed the log. */
type Position = { identity: string; position: number | null };
type PrimaryState = Position & { clock: number };
type ReplicaState = Position & { isReplica: boolean; lastCommit: number | null };

/** Positions of the primary, oldest first: a replica that has replayed one of them has all that was committed before it. */
let samples: { at: number; position: number }[] = [];
let primaryIdentity: string | null = null;
/** How far the primary's clock is ahead of ours (ms). */
let primaryAhead = 0;
let session: Session | undefined;

// Both servers of a cluster have the same identifier. The timeline differs where the primary was restored or replaced by another
// standby, and the replica still follows the old one.
const IDENTITY = `concat_ws(' ', (select system_identifier from pg_control_system()),
  (select timeline_id from pg_control_checkpoint()), (select oid from pg_database where datname = current_database())) as identity`;
const PRIMARY_SQL = `select ${IDENTITY}, (pg_current_wal_flush_lsn() - '0/0')::float8 as position,
  extract(epoch from clock_timestamp())::float8 * 1000 as clock`;
const REPLICA_SQL = `select ${IDENTITY}, pg_is_in_recovery() as "isReplica",
  (pg_last_wal_replay_lsn() - '0/0')::float8 as position,
  extract(epoch from pg_last_xact_replay_timestamp())::float8 * 1000 as "lastCommit"`;

/**
 * Queries the primary for how far it is, then the replica. One that has replayed all of it is up to date, however long ago the last
 * commit was; else its data is as old as its last commit. Needs no privilege.
 */
export async function checkReplica(): Promise<Check> {
  const at = Date.now();
  await samplePrimary(at).catch(() => {});
  const checkedAt = Date.now();
  let state: ReplicaState;
  try {
    state = await within(REPLICA_TIMEOUT, queryReplica());
  } catch (error) {
    void session?.close();
    session = undefined;
    return { dataTime: null, problem: "no-answer", error };
  }
  if (!state.isReplica) return { dataTime: null, problem: "not-a-replica" };
  // Unknown as long as the primary never answered.
  if (primaryIdentity === null) return { dataTime: null, problem: "no-answer" };
  if (state.identity !== primaryIdentity) return { dataTime: null, problem: "other-database" };
  const dataTime = dataTimeOf(state, checkedAt);
  const isTooOld = dataTime === null || dataTime < checkedAt - MAX_AGE;
  return { dataTime, problem: isTooOld ? "too-old" : null };
}

async function samplePrimary(at: number): Promise<void> {
  const [row] = await within(PRIMARY_TIMEOUT, db.execute<PrimaryState>(sql.raw(PRIMARY_SQL)));
  if (row!.identity !== primaryIdentity) samples = [];
  primaryIdentity = row!.identity;
  primaryAhead = row!.clock - at;
  samples.push({ at, position: row!.position! });
}

async function queryReplica(): Promise<ReplicaState> {
  if (!session || session.isLost)
    session = openSession(
      "checkintelli-replica-check",
      { ...MEASURING_LIMITS, isReadOnly: true },
      undefined,
      env.DATABASE_REPLICA_URL,
    );
  const [row] = await session.run((client) => client.unsafe<ReplicaState[]>(REPLICA_SQL));
  return row!;
}

function dataTimeOf({ position, lastCommit }: ReplicaState, checkedAt: number): number | null {
  // Those that are in the future are from before our clock was set back.
  samples = samples.filter(({ at }) => at <= checkedAt);
  const replayed = samples.findLast((sample) => position !== null && sample.position <= position);
  // Later ones may be replayed yet; earlier ones tell nothing any more.
  samples = samples.filter(({ at }) => at >= Math.max(replayed?.at ?? 0, checkedAt - MAX_AGE));
  const known = [
    ...(replayed ? [replayed.at] : []),
    // By the primary's clock, which may have been set back since.
    ...(lastCommit === null ? [] : [Math.min(checkedAt, lastCommit - primaryAhead)]),
  ];
  return known.length > 0 ? Math.max(...known) : null;
}

/** @throws Error where it takes longer */
function within<T>(milliseconds: number, answer: PromiseLike<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds);
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

/** Closes the connection for checks. */
export async function closeReplicaCheck(): Promise<void> {
  await session?.close();
}
