import postgres from "postgres";
import type { Channel } from "#app/db/notify.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";
import { isStopping, onShutdown } from "#app/platform/shutdown.server.ts";

type Handler = (payload: string) => void;

const CHANNELS: Channel[] = ["sale", "storefront"];
const handlers = new Map<string, Set<Handler>>(CHANNELS.map((channel) => [channel, new Set()]));
const onDeaf = new Set<() => void>();

let hearing = false;
let connecting: Promise<void> | undefined;
let trip: Promise<boolean> | undefined;
let nextTrip: Promise<boolean> | undefined;

/** One connection a process. `onnotify` is how the driver's own `listen` is made, which hides when its connection is lost. */
const options = {
  max: 1,
  max_lifetime: null,
  connect_timeout: 5,
  fetch_types: false,
  onnotice: () => {},
  onclose: lost,
  onnotify: (channel: string, payload: string) => {
    for (const handler of handlers.get(channel) ?? []) handler(payload);
  },
  connection: { application_name: "checkintelli-listen" },
};
const connection = postgres(env.DATABASE_URL, options as unknown as postgres.Options<Record<string, never>>);

/** Hears what `notify` tells on a channel, from every process. @returns how to stop */
export function listen(channel: Channel, handler: Handler): () => void {
  handlers.get(channel)!.add(handler);
  void connect();
  return () => void handlers.get(channel)!.delete(handler);
}

/** Called whenever news may have been missed: what was built on hearing everything is stale. */
export function whenDeaf(handler: () => void): void {
  onDeaf.add(handler);
}

/**
 * Whether everything told (committed) before this call has been heard; waits for the first connection. Postgres hands a
 * session its notifications before it answers the session's next query, so one trip there and back makes sure. Calls
 * at once share a trip that began after each of them.
 */
export function hasHeardAll(): Promise<boolean> {
  nextTrip ??= (trip ?? Promise.resolve()).then(() => {
    trip = nextTrip;
    nextTrip = undefined;
    return atMost(SECOND, askForNews());
  });
  return nextTrip;
}

/** False where the answer takes longer. */
async function atMost(milliseconds: number, answer: Promise<boolean>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, milliseconds, false);
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

async function askForNews(): Promise<boolean> {
  await connect();
  try {
    await connection`select 1`;
    return hearing;
  } catch {
    return false;
  }
}

function connect(): Promise<void> {
  if (hearing) return Promise.resolve();
  connecting ??= keepTrying().finally(() => {
    connecting = undefined;
  });
  return connecting;
}

async function keepTrying(): Promise<void> {
  for (let wait = SECOND / 4; !isStopping(); wait = Math.min(wait * 2, 5 * SECOND)) {
    try {
      await connection.unsafe(CHANNELS.map((channel) => `listen "${channel}"`).join(";"));
      hearing = true;
      return;
    } catch (error) {
      log.warn({ err: error }, "cannot listen to the database");
      await new Promise((resolve) => setTimeout(resolve, wait).unref());
    }
  }
}

function lost() {
  if (!hearing) return;
  hearing = false;
  for (const handler of onDeaf) handler();
  if (!isStopping()) void connect();
}

onShutdown(() => connection.end({ timeout: 1 }));
