import postgres, { type Sql } from "postgres";
import { parse } from "postgres-array";
import { type Limits, settingLimits } from "#app/db/limits.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { env } from "#app/platform/env.server.ts";

/**
 * One connection to Postgres for as long as it lives. Once lost it is never used again, and whatever it owes is refused at
 * once. The driver (postgres 3.4.9) would open another in its place: statements of the transaction that was cut off would
 * run in the new one, outside of any transaction or inside somebody else's, or throw where nobody can catch it
 * (github.com/porsager/postgres issues 1066, 1154, 1208), or wait behind what an earlier connection left unsent; one sent
 * between the socket's error and its close is never answered at all.
 */
export type Session = {
  readonly isLost: boolean;
  /** Sends a statement once those before it are answered. @throws an error with a `code` where the connection is lost */
  ask<T>(send: (client: Sql) => PromiseLike<T>): Promise<T>;
  close(): Promise<void>;
};

/**
 * How values travel, beside the driver's own ways: Drizzle puts its own here. The driver would ask each new connection for
 * the types of arrays, a trip more, and nobody could catch it where that fails; these are all that we read, by the numbers
 * that Postgres gives them everywhere. Arrays are sent as JSON, or by Drizzle's columns.
 */
export const types = {
  parsers: {
    1007: (text) => parse(text, Number),
    1009: (text) => parse(text),
    2951: (text) => parse(text),
  } as Record<number, (text: string) => unknown>,
  serializers: {} as Record<number, (value: unknown) => unknown>,
};

const CONNECT = 5 * SECOND;
/** A server that has not ended a statement so long after its time will not answer any more. */
const GRACE = 5 * SECOND;
/** Longer than anything we leave idle: it ends what the driver connected for nobody. */
const FORGOTTEN = 150 * SECOND;

const noop = () => {};

/** @param onLost called once, when the connection is gone or was never made */
export function openSession(name: string, limits: Limits, onLost: () => void = noop): Session {
  let isLost = false;
  let refuse: (error: Error) => void = noop;
  const client = postgres(env.DATABASE_URL, {
    max: 1,
    connect_timeout: CONNECT / SECOND,
    idle_timeout: FORGOTTEN / SECOND,
    max_lifetime: null,
    fetch_types: false,
    onnotice: noop,
    onclose: lose,
    connection: { application_name: name },
  });
  Object.assign(client.options.parsers, types.parsers);
  Object.assign(client.options.serializers, types.serializers);

  // A server that hangs up without a word is asked again by the driver, without end: hence a time of our own.
  const ready = answered(() => client.unsafe(settingLimits(limits)), CONNECT + SECOND);
  ready.catch(close);
  let line: Promise<unknown> = ready;

  function answered<T>(send: () => PromiseLike<T>, time: number): Promise<T> {
    if (isLost) return Promise.reject(new ConnectionLost());
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    refuse = reject;
    const silent = setTimeout(close, time);
    send().then(resolve, reject);
    return promise.finally(() => clearTimeout(silent));
  }

  function lose() {
    if (isLost) return;
    isLost = true;
    refuse(new ConnectionLost());
    onLost();
  }

  function close(): Promise<void> {
    lose();
    return client.end({ timeout: 1 }).catch(noop);
  }

  return {
    get isLost() {
      return isLost;
    },
    ask(send) {
      const answer = line.then(() => answered(() => send(client), limits.statement + GRACE));
      line = answer.then(noop, noop);
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
