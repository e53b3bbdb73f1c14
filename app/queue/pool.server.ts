import pg from "pg";
import { isUnavailable } from "#app/db/errors.server.ts";
import { LONG_LIMITS, settingLimits } from "#app/db/limits.server.ts";
import { measurePool } from "#app/db/pool-metrics.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";

/** As many as jobs run at once: fewer would wait for each other, and one of them listens. */
const MOST = 6;

/**
 * graphile-worker's connections, with our limits on each; it speaks through node-postgres. Idle ones close by themselves.
 * @param runner whose they are: measured under this name, of which the newest pool counts
 */
export function openQueuePool(runner: string): pg.Pool {
  const pool = new QueuePool({
    Client: QueueClient,
    connectionString: env.DATABASE_URL,
    application_name: "checkintelli-queue",
    max: MOST,
    connectionTimeoutMillis: 10 * SECOND,
    onConnect: async (client) => void (await client.query(settingLimits(LONG_LIMITS))),
  });
  const tell = (err: Error) => log.warn({ err }, "the queue lost a connection");
  pool.on("error", tell);
  pool.on("connect", (client) => client.on("error", tell));
  measurePool(`checkintelli-queue-${runner}`, MOST, () => ({
    inUse: pool.totalCount - pool.idleCount,
    waiting: pool.waitingCount,
  }));
  return pool;
}

type Answer = (error: Error | undefined, ...rest: unknown[]) => void;

/**
 * graphile-worker 0.18 tells a job's end (`batchCompleteJobs`, `batchFailJobs`) in a promise that nobody catches: one lost
 * connection would end the process. It tries again for as long as Postgres says "cannot connect now", so every loss of a
 * connection is called that. Its own batches are no way out: they give up at the first failure and then never end
 * (github.com/graphile/worker issue 636). What is no loss of a connection stays what it is.
 */
const CANNOT_CONNECT_NOW = "57P03";
/** What node-postgres says without a code. */
const LOST =
  /^(Connection terminated|Client (was closed|has encountered a connection error)|timeout (exceeded|expired))/;

function called<T>(error: T): T | Error {
  if (!(error instanceof Error) || !(isUnavailable(error) || LOST.test(error.message))) return error;
  return Object.assign(new Error(error.message, { cause: error }), { code: CANNOT_CONNECT_NOW });
}

const caught = <T>(answer: Promise<T>) =>
  answer.catch((error: unknown) => {
    throw called(error);
  });

class QueuePool extends pg.Pool {
  // biome-ignore lint/suspicious/noExplicitAny: node-postgres takes a callback or gives a promise
  override connect(answer?: any): any {
    if (!answer) return caught(super.connect());
    return super.connect((error, ...rest) => (answer as Answer)(called(error), ...rest));
  }
}

class QueueClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: a text, or a statement with its name
  override query(...asked: any[]): any {
    const answer = Reflect.apply(super.query, this, asked);
    return answer instanceof Promise ? caught(answer) : answer;
  }
}
