import { RateLimiterPostgres } from "rate-limiter-flexible";
import { pool } from "#app/db/client.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { ATTEMPTS, type Limit, type Limits } from "#app/server/limits/limits.ts";

export type LimitKind = keyof typeof ATTEMPTS;
export type LimitScope = keyof Limits;

/** The part of node-postgres' interface that rate-limiter-flexible uses, over our own pool. */
const storeClient = {
  query: async ({ text, values }: { text: string; values: (string | number | null)[] }) => {
    const rows = await pool.unsafe(text, values, { prepare: true });
    return { rows, rowCount: rows.count };
  },
};

const limiters = new Map<string, RateLimiterPostgres>();

/** The limiter of a kind; null if the kind is not counted that way. */
export function getLimiter(kind: LimitKind, by: LimitScope): RateLimiterPostgres | null {
  const limit = (ATTEMPTS[kind] as Limits)[by];
  if (!limit) return null;
  const keyPrefix = `${kind}/${by}`;
  const found = limiters.get(keyPrefix) ?? createLimiter(keyPrefix, limit, by === "client");
  limiters.set(keyPrefix, found);
  return found;
}

function createLimiter(keyPrefix: string, [points, within]: Limit, isClient: boolean): RateLimiterPostgres {
  return new RateLimiterPostgres({
    storeClient,
    storeType: "client",
    tableName: "throttles",
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix,
    points,
    duration: within / SECOND,
    // A client over its limit is refused from memory: a flood costs no statement. This limit is never reset early.
    ...(isClient ? { inMemoryBlockOnConsumed: points + 1 } : {}),
  });
}
