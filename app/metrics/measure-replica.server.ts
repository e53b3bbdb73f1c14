import { latestCheck, replicaDataTime } from "#app/db/replica/replica-state.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { env } from "#app/platform/env.server.ts";
import type { GaugeReading } from "#app/platform/metrics.server.ts";

/** The replica as this process finds it; nothing where none is set. The lag is absent while it is unknown. */
export async function measureReplica(): Promise<GaugeReading[]> {
  if (!env.DATABASE_REPLICA_URL) return [];
  const isUp = (await replicaDataTime()) !== null;
  const dataTime = latestCheck()?.dataTime ?? null;
  return [
    {
      name: "replica_up",
      help: "1 where reports are read from the replica, 0 where the primary is read instead.",
      values: [[{}, isUp ? 1 : 0]],
    },
    {
      name: "replica_lag_seconds",
      help: "How old the replica's data is.",
      values: dataTime === null ? [] : [[{}, Math.max(0, Date.now() - dataTime) / SECOND]],
    },
  ];
}
