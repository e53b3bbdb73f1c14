import { setTimeout as later } from "node:timers/promises";
import { hasHeardAll, listen, whenHearing } from "#app/db/listen.server.ts";
import { type PixStatus, readPixStatuses } from "#app/domain/pix/read-pix-statuses.server.ts";
import { countTold } from "#app/domain/sale/payment-times.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";
import { isStopping } from "#app/platform/shutdown.server.ts";

type Tell = (status: PixStatus) => void;

/** A sale somebody watches. `first` is its status once it was read; `status` is the newest. */
type Watched = {
  tells: Set<Tell>;
  first: PromiseWithResolvers<PixStatus | null>;
  status: PixStatus | null | undefined;
};

const BATCH = 500;

const watched = new Map<string, Watched>();
/** Sales of which something may have changed since they were last read. */
const unread = new Set<string>();
let isReading = false;
let isListening = false;

/**
 * Tells how a payment stands whenever that changes, until `stop` is called. However many watch, a process reads a sale
 * once a change, and the sales that changed meanwhile in one statement: one connection of the pool at most is taken by it.
 * @returns `status`: how it stands now, null for an unknown sale; rejected where the database does not answer
 */
export function watchPix(
  saleId: string,
  tell: Tell,
): { status: Promise<PixStatus | null>; stop: () => void } {
  beginToListen();
  const found = watched.get(saleId) ?? watchAnew(saleId);
  found.tells.add(tell);
  return {
    status: found.status === undefined ? found.first.promise : Promise.resolve(found.status),
    stop() {
      found.tells.delete(tell);
      forgetUnwatched(saleId);
    },
  };
}

/** A sale that is still to be read stays: somebody waits for its status. */
function forgetUnwatched(saleId: string): void {
  const found = watched.get(saleId);
  if (found?.tells.size === 0 && found.status !== undefined) watched.delete(saleId);
}

function watchAnew(saleId: string): Watched {
  const fresh: Watched = { tells: new Set(), first: Promise.withResolvers(), status: undefined };
  fresh.first.promise.catch(() => {});
  watched.set(saleId, fresh);
  // Read after listening began: what changes in between is not missed.
  look(saleId);
  return fresh;
}

function beginToListen(): void {
  if (isListening) return;
  isListening = true;
  listen("sale", (saleId) => watched.has(saleId) && look(saleId));
  whenHearing(lookAtAll);
  void catchUp();
}

/** News may be missed until all is heard: then everything watched is read. */
async function catchUp(): Promise<void> {
  while (!(await hasHeardAll())) {
    if (isStopping()) return;
    await later(SECOND);
  }
  lookAtAll();
}

function lookAtAll(): void {
  for (const saleId of watched.keys()) look(saleId);
}

function look(saleId: string): void {
  unread.add(saleId);
  if (!isReading) void readUnread();
}

async function readUnread(): Promise<void> {
  isReading = true;
  // Whatever comes in this turn of the loop is read together.
  await Promise.resolve();
  while (unread.size > 0 && !isStopping()) {
    const saleIds = [...unread].slice(0, BATCH);
    for (const saleId of saleIds) unread.delete(saleId);
    try {
      const statuses = await readPixStatuses(saleIds);
      for (const saleId of saleIds) take(saleId, statuses.get(saleId) ?? null);
    } catch (error) {
      log.warn({ err: error }, "cannot read how payments stand");
      for (const saleId of saleIds) giveUp(saleId, error);
      await later(SECOND);
    }
  }
  isReading = false;
}

function take(saleId: string, status: PixStatus | null): void {
  const found = watched.get(saleId);
  if (!found) return;
  const isPaidNow = found.status?.completedAt === null && status?.completedAt;
  const isNews = found.status !== undefined && found.status?.buyer !== status?.buyer;
  found.status = status;
  found.first.resolve(status);
  for (const tell of isNews && status ? found.tells : []) {
    tell(status!);
    if (isPaidNow) countTold("page", isPaidNow);
  }
  forgetUnwatched(saleId);
}

/** Who only comes is told so; who watches already hears of it later. */
function giveUp(saleId: string, error: unknown): void {
  const found = watched.get(saleId);
  if (found?.status !== undefined) return void unread.add(saleId);
  watched.delete(saleId);
  found?.first.reject(error);
}
