import postgres from "postgres";
import { logDatabaseFailure, noteDatabaseBack } from "#app/db/database-away.server.ts";
import { LIMITS, settingLimits } from "#app/db/limits.server.ts";
import type { Channel } from "#app/db/notify.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";
import { isStopping, onShutdown } from "#app/platform/shutdown.server.ts";

type Handler = (payload: string) => void;

const CHANNELS: Channel[] = ["due", "sale", "storefront"];
const handlers = new Map<string, Set<Handler>>(CHANNELS.map((channel) => [channel, new Set()]));
const onDeaf = new Set<() => void>();
const onHearing = new Set<() => void>();

/** Who asks whether all was heard waits so long; a connection silent for longer than the second is given up. */
const ANSWER_WITHIN = SECOND;
const SILENCE = 5 * SECOND;

let hearing = false;
/** How often the connection was lost: what was asked before and answered after came from another session. */
let losses = 0;
let connecting: Promise<void> | undefined;
let trip: Promise<boolean> | undefined;
let nextTrip: Promise<boolean> | undefined;
let connection = open();

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
 * Called when news begin to be heard, at first and after a loss: who waits for some asks whether they came before.
 * @returns how to stop
 */
export function whenHearing(handler: () => void): () => void {
  onHearing.add(handler);
  return () => void onHearing.delete(handler);
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
    return atMost(ANSWER_WITHIN, askForNews());
  });
  return nextTrip;
}

async function askForNews(): Promise<boolean> {
  await connect();
  return (await answered("select 1")) && hearing;
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
    const listening = CHANNELS.map((channel) => `listen "${channel}"`).join(";");
    hearing = await answered(`${settingLimits(LIMITS)};${listening}`);
    if (hearing) return tellHearing();
    await new Promise((resolve) => setTimeout(resolve, wait).unref());
  }
}

function tellHearing() {
  noteDatabaseBack();
  for (const handler of onHearing) handler();
}

/** Whether the same session answered. A connection that stays silent is given up: it would never tell anything either. */
async function answered(query: string): Promise<boolean> {
  const asked = connection;
  const before = losses;
  try {
    if (
      await atMost(
        SILENCE,
        Promise.resolve(asked.unsafe(query)).then(() => true),
      )
    )
      return before === losses;
    log.warn("the listening connection is silent");
  } catch (error) {
    if (!isStopping()) logDatabaseFailure(error, "cannot listen to the database");
    return false;
  }
  if (asked === connection) replace();
  return false;
}

/** False where the answer takes longer. */
function atMost(milliseconds: number, answer: Promise<boolean>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, milliseconds, false);
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

/** One connection a process. `onnotify` is how the driver's own `listen` is made, which hides when its connection is lost. */
function open() {
  const options = {
    max: 1,
    max_lifetime: null,
    connect_timeout: 5,
    fetch_types: false,
    onnotice: () => {},
    onclose: () => opened === connection && replace(),
    onnotify: (channel: string, payload: string) => {
      for (const handler of handlers.get(channel) ?? []) handler(payload);
    },
    connection: { application_name: "checkintelli-listen" },
  };
  const opened = postgres(env.DATABASE_URL, options as unknown as postgres.Options<Record<string, never>>);
  return opened;
}

/**
 * Gives the connection up for a new one. The driver would open its own again, but now and then loses what it is asked
 * while it clears up.
 */
function replace() {
  const old = connection;
  losses += 1;
  if (!isStopping()) connection = open();
  setTimeout(() => old.end({ timeout: 0 }).catch(() => {}), 0);
  if (!hearing) return;
  hearing = false;
  for (const handler of onDeaf) handler();
  if (!isStopping()) setTimeout(connect, 0);
}

onShutdown(() => connection.end({ timeout: 1 }));
