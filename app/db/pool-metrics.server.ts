import { counter, gauge } from "#app/platform/metrics.server.ts";

type Counts = { inUse: number; waiting: number };

const pools = new Map<string, { max: number; counts: () => Counts }>();

export const connectionTimeouts = counter(
  "db_no_free_connection_total",
  "Requests and jobs that found no free connection in time.",
  ["pool"],
);

/** Registers a pool's gauges. */
export function measurePool(name: string, max: number, counts: () => Counts): void {
  pools.set(name, { max, counts });
  // Starts at 0, as `countedFromZero` explains.
  connectionTimeouts.inc({ pool: name }, 0);
}

gauge("db_connections_in_use", "Connections in use.", ["pool"], (metric) => {
  for (const [pool, { counts }] of pools) metric.set({ pool }, counts().inUse);
});

gauge("db_connections_max", "Maximum connections of the pool.", ["pool"], (metric) => {
  for (const [pool, { max }] of pools) metric.set({ pool }, max);
});

gauge("db_connection_requests_pending", "Requests waiting for a free connection.", ["pool"], (metric) => {
  for (const [pool, { counts }] of pools) metric.set({ pool }, counts().waiting);
});
