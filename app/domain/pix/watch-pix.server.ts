import { setTimeout as later } from "node:timers/promises";
import { hasHeardAll, listen, whenHearing } from "#app/db/listen.server.ts";
import { type PixStatus, readPixStatuses } from "#app/domain/pix/read-pix-statuses.server.ts";
import { countTold } from "#app/domain/sale/payment-times.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";
import { isStopping } from "#app/platform/shutdown.server.ts";

type Tell = (status: PixStatus) => void;

/** A sale somebody watches. `status` is what was read last; undefined until then. */
type Watched = { tells: Set<Tell>; status?: PixStatus | null };

/** A sale to be read, and who waits for what is read. */
type Asked = PromiseWithResolvers<PixStatus | null>;

const BATCH = 500;

const watched = new Map<string, Watched>();
/** Sales of which something may have changed since they were last read. */
const unread = new Map<string, Asked>();
let isReading = false;
let isListening = false;

/**
 * Tells how a payment stands whenever that changes, until `stop` is called. However many watch, a process reads a sale
 * once a change, and the sales that changed meanwhile in one statement: one connection of the pool at most is taken by it.
 * Who comes later is told what is read now: a code runs out without anybody saying so.
 * @returns `status`: how it stands now, null for an unknown sale; rejected where the database does not answer
 */
export function watchPix(
  saleId: string,
  tell: Tell,
): { status: Promise<PixStatus | null>; stop: () => void } {
  beginToListen();
  const found: Watched = watched.get(saleId) ?? { tells: new Set() };
  watched.set(saleId, found);
  found.tells.add(tell);
  return {
    // Read after listening began: what changes in between is not missed.
    status: look(saleId),
    stop() {
      found.tells.delete(tell);
      if (found.tells.size === 0 && watched.get(saleId) === found) watched.delete(saleId);
    },
  };
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

function look(saleId: string): Promise<PixStatus | null> {
  const asked = unread.get(saleId) ?? Promise.withResolvers();
  asked.promise.catch(() => {});
  unread.set(saleId, asked);
  if (!isReading) void readUnread();
  return asked.promise;
}

async function readUnread(): Promise<void> {
  isReading = true;
  // Whatever comes in this turn of the loop is read together.
  await Promise.resolve();
  while (unread.size > 0 && !isStopping()) {
    const batch = [...unread].slice(0, BATCH);
    for (const [saleId] of batch) unread.delete(saleId);
    try {
      const statuses = await readPixStatuses(batch.map(([saleId]) => saleId));
      for (const [saleId, asked] of batch) take(saleId, statuses.get(saleId) ?? null, asked);
    } catch (error) {
      log.warn({ err: error }, "cannot read how payments stand");
      for (const [saleId, asked] of batch) giveUp(saleId, error, asked);
      await later(SECOND);
    }
  }
  isReading = false;
}

function take(saleId: string, status: PixStatus | null, asked: Asked): void {
  const found = watched.get(saleId);
  const before = found?.status;
  if (found) found.status = status;
  asked.resolve(status);
  if (!found || !before || !status || before.buyer === status.buyer) return;
  const isPaidNow = before.completedAt === null && status.completedAt;
  for (const tell of found.tells) {
    tell(status);
    if (isPaidNow) countTold("page", isPaidNow);
  }
}

/** Who only comes is told so; who watches already hears of it later. */
function giveUp(saleId: string, error: unknown, asked: Asked): void {
  asked.reject(error);
  if (watched.get(saleId)?.status !== undefined) void look(saleId);
}
