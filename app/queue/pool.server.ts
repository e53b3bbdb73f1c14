import pg from "pg";
import { logDatabaseFailure } from "#app/db/database-away.server.ts";
import { isReadOnly, isUnavailable } from "#app/db/errors.server.ts";
import { ANSWER_GRACE, LONG_LIMITS, setLimitsSql } from "#app/db/limits.server.ts";
import { measurePool } from "#app/db/pool-metrics.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { env } from "#app/platform/env.server.ts";
import { nodePostgresAddress } from "#app/platform/postgres-address.server.ts";

/** As many as jobs run at once, though one of them listens. */
const MAX_CONNECTIONS = 6;

/**
 * graphile-worker's connections, with our limits on each; it uses node-postgres. Idle ones close by themselves.
 * @param runner the name in metrics, where the newest pool of that name counts
 * @param address the server's, the primary's by default
 */
export function openQueuePool(runner: string, address = env.DATABASE_URL): pg.Pool {
  const pool = new QueuePool({
    Client: QueueClient,
    connectionString: nodePostgresAddress(address),
    application_name: "checkintelli-queue",
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: 10 * SECOND,
    onConnect: async (client) => void (await client.query(setLimitsSql(LONG_LIMITS))),
  });
  const logError = (err: Error) => logDatabaseFailure(asCannotConnect(err), "the queue lost a connection");
  pool.on("error", logError);
  pool.on("connect", (client) => client.on("error", logError));
  measurePool(`checkintelli-queue-${runner}`, MAX_CONNECTIONS, () => ({
    inUse: pool.totalCount - pool.idleCount,
    waiting: pool.waitingCount,
  }));
  return pool;
}

type Callback = (error: Error | undefined, ...rest: unknown[]) => void;

/**
 * graphile-worker 0.18 reports finished jobs (`batchCompleteJobs`, `batchFailJobs`) in a promise that nobody catches: one
 * lost connection would end the process. It retries for as long as Postgres answers "cannot connect now", so every lost
 * connection is reported as that. Its own batches are no alternative: they give up at the first failure and then never end
 * (github.com/graphile/worker issue 636). Other errors are passed on unchanged.
 */
const CANNOT_CONNECT_NOW = "57P03";

function asCannotConnect<T>(error: T): T | Error {
  if (!(error instanceof Error) || !isUnavailable(error)) return error;
  return Object.assign(new Error(error.message, { cause: error }), { code: CANNOT_CONNECT_NOW });
}

const withRetryableErrors = <T>(promise: Promise<T>) =>
  promise.catch((error: unknown) => {
    throw asCannotConnect(error);
  });

class QueuePool extends pg.Pool {
  // biome-ignore lint/suspicious/noExplicitAny: node-postgres takes a callback or gives a promise
  override connect(callback?: any): any {
    if (!callback) return withRetryableErrors(super.connect());
    return super.connect((error, ...rest) => (callback as Callback)(asCannotConnect(error), ...rest));
  }
}

/**
 * Postgres ends a statement in time: one that is not answered long after that never will be, since the server or the line is
 * frozen.
 */
const ANSWER_TIMEOUT = LONG_LIMITS.statement + ANSWER_GRACE;

class QueueClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: a text, or a statement with its name
  override query(...args: any[]): any {
    // node-postgres' own `query_timeout` would leave the connection to the next statement.
    const timer = setTimeout(this.#leave, ANSWER_TIMEOUT);
    const callback = args.at(-1);
    // The pool's own `query`, which passes one.
    if (typeof callback === "function")
      args[args.length - 1] = (...answer: unknown[]) => {
        clearTimeout(timer);
        callback(...answer);
      };
    const result = Reflect.apply(super.query, this, args);
    if (!(result instanceof Promise)) return result;
    return withRetryableErrors(result.catch(this.#leaveDemoted).finally(() => clearTimeout(timer)));
  }

  /** A server that refuses to write is the primary no more. */
  #leaveDemoted = (error: unknown) => {
    if (isReadOnly(error)) this.#leave();
    throw error;
  };

  /** The pool drops a client that ends. */
  #leave = () => void this.end().catch(() => {});
}
