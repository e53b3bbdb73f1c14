import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import { pool } from "#app/db/client.server.ts";
import { HOUR, MINUTE, SECOND } from "#app/kit/duration.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { sign } from "#app/platform/secrets.server.ts";
import { clientIp } from "#app/web/client.server.ts";

/** What strangers may try, how often: `[tries, within]` for one address and for one client. */
const LIMITS = {
  "sign-in": { address: [10, 15 * MINUTE], client: [100, 15 * MINUTE] },
  register: { address: [5, HOUR], client: [30, HOUR] },
  reset: { address: [5, HOUR], client: [30, HOUR] },
  access: { address: [5, HOUR], client: [30, HOUR] },
  confirm: { address: [5, HOUR], client: [30, HOUR] },
  "test-mail": { address: [20, HOUR], client: [60, HOUR] },
  "outside-call": { address: [60, 15 * MINUTE], client: [200, 15 * MINUTE] },
} as const satisfies Record<string, Record<"address" | "client", [number, number]>>;

type Kind = keyof typeof LIMITS;
type By = "address" | "client";

/** rate-limiter-flexible speaks to node-postgres; this is as much of it as it uses, over our own pool. */
const storeClient = {
  query: async ({ text, values }: { text: string; values: (string | number | null)[] }) => {
    const rows = await pool.unsafe(text, values, { prepare: true });
    return { rows, rowCount: rows.count };
  },
};

const limiters = new Map<string, RateLimiterPostgres>();

function limiter(kind: Kind, by: By): RateLimiterPostgres {
  const keyPrefix = `${kind}/${by}`;
  const [points, duration] = LIMITS[kind][by];
  let found = limiters.get(keyPrefix);
  if (!found) {
    found = new RateLimiterPostgres({
      storeClient,
      storeType: "client",
      tableName: "throttles",
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix,
      points,
      duration: duration / SECOND,
    });
    limiters.set(keyPrefix, found);
  }
  return found;
}

/**
 * Counts a try against an address and, where it is known, against the client's IP; the counts are shared by all processes.
 * @returns a function that takes the try back: for what went well
 * @throws Refusal too-many with the seconds to wait
 */
export async function throttle(kind: Kind, request: Request, address: string): Promise<() => Promise<void>> {
  const ip = clientIp(request);
  // Hashed, so that the table holds no addresses.
  const counted: [By, string][] = [
    ["address", sign(address)],
    ...(ip ? [["client", ip] as [By, string]] : []),
  ];
  for (const [by, key] of counted) {
    try {
      await limiter(kind, by).consume(key);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      const seconds = Math.max(1, Math.ceil(error.msBeforeNext / SECOND));
      throw new Refusal(
        "too-many",
        `Muitas tentativas. Tente de novo em ${inWords(seconds)}.`,
        undefined,
        seconds,
      );
    }
  }
  return async () => {
    for (const [by, key] of counted)
      await (by === "address" ? limiter(kind, by).delete(key) : limiter(kind, by).reward(key));
  };
}

function inWords(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? "1 segundo" : `${seconds} segundos`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? "1 minuto" : `${minutes} minutos`;
}
