import { batchPool, type Db, metricsPool, openDrizzle } from "#app/db/client.server.ts";
import { driver } from "#app/db/driver.server.ts";
import { LONG_LIMITS, MEASURING_LIMITS } from "#app/db/limits.server.ts";
import { openReadPool } from "#app/db/replica/read-pool.server.ts";

/** What cannot write, unless by SQL text: that fails on a replica. */
type ReadDb = Pick<Db, "select" | "execute">;

/**
 * The database for reports and exports. Inside of a reading (`readWith`) the replica is read, outside of one the primary: a job,
 * or a screen that must show what happened a moment ago, may call the same functions.
 */
export const reportsDb: ReadDb = openDrizzle(
  driver(openReadPool(batchPool, "checkintelli-replica", 4, LONG_LIMITS), false),
);

/** The same for metrics: one connection, and statements that may take a second. */
export const metricsDb: ReadDb = openDrizzle(
  driver(openReadPool(metricsPool, "checkintelli-replica-metrics", 1, MEASURING_LIMITS), false),
);
