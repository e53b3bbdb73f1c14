import postgres from "postgres";
import { logDatabaseFailure, logDatabaseRecovered } from "#app/db/database-away.server.ts";
import { isReadOnly } from "#app/db/errors.server.ts";
import { LIMITS, setLimitsSql } from "#app/db/limits.server.ts";
import type { Channel } from "#app/db/notify.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";
import { isStopping, onShutdown } from "#app/platform/shutdown.server.ts";

type Handler = (payload: string) => void;

const CHANNELS: Channel[] = ["due", "sale", "storefront"];
const handlers = new Map<string, Set<Handler>>(CHANNELS.map((channel) => [channel, new Set()]));
const lossHandlers = new Set<() => void>();
const listeningHandlers = new Set<() => void>();

/** How long `isUpToDate` waits for an answer; a connection silent for longer than the second is replaced. */
const ANSWER_TIMEOUT = SECOND;
const SILENCE_TIMEOUT = 5 * SECOND;

/** How long to wait before the next attempt to connect: after further ones as after the last. */
const RECONNECT_DELAYS = [SECOND / 4, SECOND / 2, SECOND, 2 * SECOND, 4 * SECOND, 5 * SECOND];
/** Seconds. */
const CONNECT_TIMEOUT = 5;

let isListening = false;
/** How often the connection was lost, to detect an answer that came from another session than the query. */
let lossCount = 0;
let connecting: Promise<void> | undefined;
let roundTrip: Promise<boolean> | undefined;
let nextRoundTrip: Promise<boolean> | undefined;
let connection = open();

/** Receives what `notify` sends on a channel, from every process. @returns how to stop */
export function listen(channel: Channel, handler: Handler): () => void {
  handlers.get(channel)!.add(handler);
  void connect();
  return () => void handlers.get(channel)!.delete(handler);
}

/** Called whenever notifications may have been missed: caches that rely on them are stale. */
export function onListeningLost(handler: () => void): void {
  lossHandlers.add(handler);
}

/**
 * Called when listening begins, at first and after a loss: callers check for what came before.
 * @returns how to stop
 */
export function onListening(handler: () => void): () => void {
  listeningHandlers.add(handler);
  return () => void listeningHandlers.delete(handler);
}

/**
 * Whether every notification committed before this call has been received; waits for the first connection. Postgres delivers
 * a session's notifications before the answer to its next query, so one round trip makes sure. Concurrent calls share a
 * round trip that began after each of them.
 */
export function isUpToDate(): Promise<boolean> {
  nextRoundTrip ??= (roundTrip ?? Promise.resolve()).then(() => {
    roundTrip = nextRoundTrip;
    nextRoundTrip = undefined;
    return withTimeout(ANSWER_TIMEOUT, checkRoundTrip());
  });
  return nextRoundTrip;
}

async function checkRoundTrip(): Promise<boolean> {
  await connect();
  return isListening && isAnswered("select 1");
}

function connect(): Promise<void> {
  if (isListening) return Promise.resolve();
  connecting ??= reconnect().finally(() => {
    connecting = undefined;
  });
  return connecting;
}

async function reconnect(): Promise<void> {
  for (let failed = 0; !isStopping(); failed++) {
    const listenStatements = CHANNELS.map((channel) => `listen "${channel}"`).join(";");
    isListening = await isAnswered(`${setLimitsSql(LIMITS)};${listenStatements}`);
    if (isListening) return announceListening();
    const delay = RECONNECT_DELAYS[failed] ?? RECONNECT_DELAYS.at(-1);
    await new Promise((resolve) => setTimeout(resolve, delay).unref());
  }
}

function announceListening() {
  logDatabaseRecovered();
  for (const handler of listeningHandlers) handler();
}

/**
 * Whether the same session answered. A connection that stays silent is replaced: no notification would arrive on it either.
 */
async function isAnswered(query: string): Promise<boolean> {
  const used = connection;
  const lossCountBefore = lossCount;
  try {
    if (
      await withTimeout(
        SILENCE_TIMEOUT,
        Promise.resolve(used.unsafe(query)).then(() => true),
      )
    )
      return lossCountBefore === lossCount;
    log.warn("the listening connection is silent");
    replace(used);
  } catch (error) {
    if (!isStopping()) logDatabaseFailure(error, "cannot listen to the database");
    // A former primary, which nobody notifies any more.
    if (isReadOnly(error)) replace(used);
  }
  return false;
}

/** False where the answer takes longer. */
function withTimeout(milliseconds: number, answer: Promise<boolean>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, milliseconds, false);
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

/** One connection a process. Uses `onnotify`, since the driver's own `listen` hides when its connection is lost. */
function open() {
  const options = {
    max: 1,
    max_lifetime: null,
    connect_timeout: CONNECT_TIMEOUT,
    fetch_types: false,
    onnotice: () => {},
    onclose: () => replace(opened),
    onnotify: (channel: string, payload: string) => {
      for (const handler of handlers.get(channel) ?? []) handler(payload);
    },
    connection: { application_name: "checkintelli-listen" },
  };
  const opened = postgres(env.DATABASE_URL, options as unknown as postgres.Options<Record<string, never>>);
  return opened;
}

/** Replaces a lost connection, once. The driver would reconnect by itself, but sometimes loses queries while it cleans up. */
function replace(lost: typeof connection) {
  if (lost !== connection) return;
  lossCount += 1;
  if (!isStopping()) connection = open();
  setTimeout(() => lost.end({ timeout: 0 }).catch(() => {}), 0);
  if (!isListening) return;
  isListening = false;
  for (const handler of lossHandlers) handler();
  if (!isStopping()) setTimeout(connect, 0);
}

onShutdown(() => connection.end({ timeout: 1 }));
