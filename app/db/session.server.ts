import postgres, { type Sql } from "postgres";
import { parse } from "postgres-array";
import { isReadOnly } from "#app/db/errors.server.ts";
import { ANSWER_GRACE, type Limits, setLimitsSql } from "#app/db/limits.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { env } from "#app/platform/env.server.ts";

/**
 * One connection to Postgres. Once lost it is never used again, and pending statements are rejected at once. The driver
 * (postgres 3.4.9) would reconnect in its place: statements of the interrupted transaction would run on the new connection,
 * outside of any transaction or inside another, or throw where nobody can catch it (github.com/porsager/postgres issues
 * 1066, 1154, 1208), or wait behind what an earlier connection left unsent; one sent between the socket's error and its
 * close is never answered at all.
 */
export type Session = {
  readonly isLost: boolean;
  /** Sends a statement once those before it are answered. @throws an error with a `code` where the connection is lost */
  run<T>(send: (client: Sql) => PromiseLike<T>): Promise<T>;
  close(): Promise<void>;
};

/**
 * Type parsers besides the driver's own; Drizzle overwrites some here. The driver would query each new connection for array
 * types: another round trip, whose failure nobody could catch. These are all the types we read, by their fixed OIDs. Arrays
 * are sent as JSON, or by Drizzle's columns.
 */
export const types = {
  parsers: {
    1007: (text) => parse(text, Number),
    1009: (text) => parse(text),
    2951: (text) => parse(text),
  } as Record<number, (text: string) => unknown>,
  serializers: {} as Record<number, (value: unknown) => unknown>,
};

const CONNECT_TIMEOUT = 5 * SECOND;
/** Longer than any connection is left idle: closes what the driver opened by itself. */
const DRIVER_IDLE_TIMEOUT = 150 * SECOND;

const noop = () => {};

/**
 * @param onLost called once, when the connection is gone or was never made
 * @param address the server's, the primary's by default
 */
export function openSession(
  name: string,
  limits: Limits,
  onLost: () => void = noop,
  address = env.DATABASE_URL,
): Session {
  let isLost = false;
  let rejectPending: (error: Error) => void = noop;
  const client = postgres(address, {
    max: 1,
    connect_timeout: CONNECT_TIMEOUT / SECOND,
    idle_timeout: DRIVER_IDLE_TIMEOUT / SECOND,
    max_lifetime: null,
    fetch_types: false,
    onnotice: noop,
    onclose: markLost,
    connection: { application_name: name },
  });
  Object.assign(client.options.parsers, types.parsers);
  Object.assign(client.options.serializers, types.serializers);

  // If a server hangs up without a message, the driver retries without end: hence our own timeout.
  const ready = sendWithin(() => client.unsafe(setLimitsSql(limits)), CONNECT_TIMEOUT + SECOND);
  ready.catch(close);
  let lastStatement: Promise<unknown> = ready;

  function sendWithin<T>(send: () => PromiseLike<T>, time: number): Promise<T> {
    if (isLost) return Promise.reject(new ConnectionLost());
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    rejectPending = reject;
    const timer = setTimeout(close, time);
    send().then(resolve, reject);
    return promise.finally(() => clearTimeout(timer));
  }

  function markLost() {
    if (isLost) return;
    isLost = true;
    rejectPending(new ConnectionLost());
    onLost();
  }

  /** A server that refuses to write is the primary no more: a new connection leads to the one that is. */
  function closeWhereDemoted(error: unknown) {
    if (isReadOnly(error) && !limits.isReadOnly) void close();
  }

  function close(): Promise<void> {
    markLost();
    return client.end({ timeout: 1 }).catch(noop);
  }

  return {
    get isLost() {
      return isLost;
    },
    run(send) {
      const answer = lastStatement.then(() =>
        sendWithin(() => send(client), limits.statement + ANSWER_GRACE),
      );
      lastStatement = answer.then(noop, closeWhereDemoted);
      return answer;
    },
    close,
  };
}

/** The connection went away before this statement was answered; whether Postgres acted on it is unknown. */
class ConnectionLost extends Error {
  readonly code = "CONNECTION_CLOSED";
  constructor() {
    super("the connection to the database was lost");
    this.name = "ConnectionLost";
  }
}
