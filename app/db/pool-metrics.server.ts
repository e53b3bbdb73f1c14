import { counter, gauge } from "#app/platform/metrics.server.ts";

type Counts = { inUse: number; waiting: number };

const pools = new Map<string, { max: number; counts: () => Counts }>();

export const noFreeConnection = counter(
  "db_no_free_connection_total",
  "Requests and jobs that found no free connection in time.",
  ["pool"],
);

/** Tells operators of a pool whenever they look. */
export function measurePool(name: string, max: number, counts: () => Counts): void {
  pools.set(name, { max, counts });
  // It begins at 0, as `countedFromZero` says.
  noFreeConnection.inc({ pool: name }, 0);
}

gauge("db_connections_in_use", "Connections somebody works with.", ["pool"], (inUse) => {
  for (const [pool, { counts }] of pools) inUse.set({ pool }, counts().inUse);
});

gauge("db_connections_max", "Connections this pool may have.", ["pool"], (most) => {
  for (const [pool, { max }] of pools) most.set({ pool }, max);
});

gauge("db_waiting", "Those who wait for a free connection.", ["pool"], (waiting) => {
  for (const [pool, { counts }] of pools) waiting.set({ pool }, counts().waiting);
});
