import type { Limits } from "#app/db/limits.server.ts";
import { refuseSecondConnection } from "#app/db/one-connection.server.ts";
import { openPool, type Pool } from "#app/db/pool.server.ts";
import { currentReading } from "#app/db/replica/reading.server.ts";
import { forgetCheck, isAway, replicaDataTime, watched } from "#app/db/replica/replica-state.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";
import { counter } from "#app/platform/metrics.server.ts";
import { onShutdown } from "#app/platform/shutdown.server.ts";

/**
 * Not tried again on the primary: a statement that took too long would take as long again, no free connection is what the
 * primary would answer too, and a statement that writes is a bug.
 */
const FINAL = new Set(["57014", "NO_FREE_CONNECTION", "25006"]);
const fallbacks = counter(
  "replica_fallbacks_total",
  "Statements that failed on the replica and were sent to the primary.",
);

/** A statement that kept the replica from replaying the log: the replica is well. */
const RECOVERY_CONFLICT = "40001";

/**
 * A pool for statements that only read. Inside of a reading (`readWith`) they are sent to the replica, as long as its data is
 * new enough; whatever fails there is read once more from the primary. Without a replica it is the primary's pool.
 */
export function openReadPool(primary: Pool, name: string, max: number, limits: Limits): Pool {
  if (!env.DATABASE_REPLICA_URL) return primary;
  const replica = openPool(name, max, { ...limits, isReadOnly: true }, env.DATABASE_REPLICA_URL);
  onShutdown(() => replica.end(SECOND));
  return {
    end: (milliseconds) => replica.end(milliseconds),
    async use(work) {
      refuseSecondConnection();
      const reading = currentReading();
      const dataTime = reading ? await replicaDataTime() : null;
      if (!reading || dataTime === null || dataTime < reading.notBefore) return primary.use(work);
      try {
        const result = await replica.use((session) => {
          // It went while this one waited for a connection.
          if (isAway()) throw new ReplicaAway();
          return watched(session, () => work(session));
        });
        reading.dataTime = Math.min(reading.dataTime, dataTime);
        return result;
      } catch (error) {
        const code = (error as { code?: string }).code ?? "";
        if (FINAL.has(code)) throw error;
        if (code !== RECOVERY_CONFLICT) forgetCheck();
        fallbacks.inc();
        log.info({ code, reason: (error as Error).message }, "read from the primary instead of the replica");
        return primary.use(work);
      }
    },
  };
}

class ReplicaAway extends Error {
  readonly code = "REPLICA_AWAY";
}
