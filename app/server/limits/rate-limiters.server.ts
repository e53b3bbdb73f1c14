import { RateLimiterPostgres } from "rate-limiter-flexible";
import { pool } from "#app/db/client.server.ts";
import { HOUR, MINUTE, SECOND } from "#app/kit/duration.ts";

/**
 * Attempts allowed to strangers, `[attempts, within]`: per client, per target (an e-mail address, or the id of
 * a seller or a sale), and per client and target. Reasons for the numbers: docs/decisions/limits-by-client.md.
 */
const LIMITS = {
  "sign-in": { client: [100, 15 * MINUTE], target: [100, 15 * MINUTE], pair: [10, 15 * MINUTE] },
  register: { client: [30, HOUR], target: [5, HOUR] },
  reset: { client: [30, HOUR], target: [5, HOUR] },
  access: { client: [30, HOUR], target: [5, HOUR] },
  correct: { client: [30, HOUR], target: [5, HOUR] },
  "ask-refund": { client: [30, HOUR], target: [5, HOUR] },
  erase: { client: [30, HOUR], target: [5, HOUR] },
  "take-along": { client: [60, HOUR], target: [20, HOUR] },
  receipt: { client: [120, HOUR], target: [30, HOUR] },
  resend: { client: [30, HOUR], target: [5, HOUR] },
  confirm: { client: [30, HOUR], target: [5, HOUR] },
  "test-mail": { client: [60, HOUR], target: [20, HOUR] },
  "test-mail-to-stranger": { client: [20, HOUR], target: [5, HOUR] },
  "held-form": { client: [60, HOUR], target: [30, HOUR] },
  "import-statement": { client: [60, HOUR], target: [30, HOUR] },
  reconcile: { client: [60, HOUR], target: [20, HOUR] },
  "announce-file": { client: [240, MINUTE], target: [60, MINUTE] },
  "announce-picture": { client: [120, MINUTE], target: [30, MINUTE] },
  // Stolen cards are tried out where nobody counts.
  card: { client: [40, HOUR], target: [60, HOUR], pair: [12, HOUR] },
  "card-brand": { client: [240, HOUR], target: [60, HOUR] },
  "checkout-link": { client: [1200, MINUTE], target: [600, MINUTE] },
  "outside-call": { client: [200, 15 * MINUTE], target: [60, 15 * MINUTE] },
} as const satisfies Record<string, Limits>;

type Limit = readonly [attempts: number, within: number];
type Limits = { client: Limit; target: Limit; pair?: Limit };
export type LimitKind = keyof typeof LIMITS;
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
  const limit = (LIMITS[kind] as Limits)[by];
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
