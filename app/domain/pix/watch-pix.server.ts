import { setTimeout as later } from "node:timers/promises";
import { db } from "#app/db/client.server.ts";
import { anyOf } from "#app/db/conditions.server.ts";
import { logDatabaseFailure } from "#app/db/database-away.server.ts";
import { isUpToDate, listen, onListening } from "#app/db/listen.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { paymentSummaryColumns } from "#app/domain/charge/payment-summary-columns.server.ts";
import { recordNotified } from "#app/domain/sale/payment-latency.server.ts";
import { type PaymentSummary, summarizePayments } from "#app/domain/sale/payment-summary.ts";
import { SECOND } from "#app/kit/duration.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { isStopping } from "#app/platform/shutdown.server.ts";

/** A payment's status for its open page: the API's value, the buyer's finer one, and since when it is paid. */
export type PixStatus = Pick<PaymentSummary, "apiStatus" | "buyer"> & { completedAt: Date | null };

type Listener = (status: PixStatus) => void;

/** A watched sale. `status` was read last; undefined until then. */
type WatchedSale = { listeners: Set<Listener>; status?: PixStatus | null };

/** A pending read of a sale, and those waiting for it. */
type PendingRead = PromiseWithResolvers<PixStatus | null>;

const BATCH_SIZE = 500;
/** When to try again where the process stops. */
const RETRY_AFTER_SECONDS = 5;

const watched = new Map<string, WatchedSale>();
/** Sales that may have changed since they were last read. */
const pendingReads = new Map<string, PendingRead>();
let isReading = false;
let isListening = false;

/**
 * Calls `listener` whenever a payment's status changes, until `stop` is called. For any number of watchers, a process reads
 * a sale once per change, and all sales that changed meanwhile in one statement, so it uses at most one connection of the
 * pool. A new watcher gets a fresh read: a code expires without an event.
 * @returns `status`: the current one, null for an unknown sale; rejected where the database does not answer, or the process
 * stops
 */
export function watchPix(
  saleId: string,
  listener: Listener,
): { status: Promise<PixStatus | null>; stop: () => void } {
  startListening();
  const found: WatchedSale = watched.get(saleId) ?? { listeners: new Set() };
  watched.set(saleId, found);
  found.listeners.add(listener);
  return {
    // Read after listening began, so that a change in between is not missed.
    status: requestRead(saleId),
    stop() {
      found.listeners.delete(listener);
      if (found.listeners.size === 0 && watched.get(saleId) === found) watched.delete(saleId);
    },
  };
}

function startListening(): void {
  if (isListening) return;
  isListening = true;
  listen("sale", (saleId) => watched.has(saleId) && requestRead(saleId));
  onListening(requestAllReads);
  void catchUp();
}

/** Notifications may be missed until the listener is up to date; then everything watched is read. */
async function catchUp(): Promise<void> {
  while (!(await isUpToDate())) {
    if (isStopping()) return;
    await later(SECOND);
  }
  requestAllReads();
}

function requestAllReads(): void {
  for (const saleId of watched.keys()) requestRead(saleId);
}

function requestRead(saleId: string): Promise<PixStatus | null> {
  const pendingRead = pendingReads.get(saleId) ?? Promise.withResolvers();
  pendingRead.promise.catch(() => {});
  pendingReads.set(saleId, pendingRead);
  if (!isReading) void readPending();
  return pendingRead.promise;
}

async function readPending(): Promise<void> {
  isReading = true;
  // Requests of the same tick are read together.
  await Promise.resolve();
  while (pendingReads.size > 0 && !isStopping()) {
    const batch = [...pendingReads].slice(0, BATCH_SIZE);
    for (const [saleId] of batch) pendingReads.delete(saleId);
    try {
      const statuses = await readPixStatuses(batch.map(([saleId]) => saleId));
      for (const [saleId, pendingRead] of batch)
        publishStatus(saleId, statuses.get(saleId) ?? null, pendingRead);
    } catch (error) {
      logDatabaseFailure(error, "cannot read payment statuses");
      for (const [saleId, pendingRead] of batch) failRead(saleId, error, pendingRead);
      await later(SECOND);
    }
  }
  isReading = false;
  rejectPending();
}

/** A stop waits for the requests that wait for these. */
function rejectPending(): void {
  const message = "Estamos fora do ar por um instante. Tente de novo em alguns segundos.";
  for (const { reject } of pendingReads.values())
    reject(new Refusal("unavailable", message, undefined, RETRY_AFTER_SECONDS));
  pendingReads.clear();
}

function publishStatus(saleId: string, status: PixStatus | null, pendingRead: PendingRead): void {
  const found = watched.get(saleId);
  const previous = found?.status;
  if (found) found.status = status;
  pendingRead.resolve(status);
  if (!found || !previous || !status || previous.buyer === status.buyer) return;
  const isPaidNow = previous.completedAt === null && status.completedAt;
  for (const listener of found.listeners) {
    listener(status);
    if (isPaidNow) recordNotified("page", isPaidNow);
  }
}

/** New watchers get the error; sales that were read before are read again later. */
function failRead(saleId: string, error: unknown, pendingRead: PendingRead): void {
  pendingRead.reject(error);
  if (watched.get(saleId)?.status !== undefined) void requestRead(saleId);
}

/** The payment statuses of these sales; unknown sales are left out. */
export async function readPixStatuses(saleIds: string[]): Promise<Map<string, PixStatus>> {
  const rows = await db
    .select({ id: sales.id, ...paymentSummaryColumns })
    .from(sales)
    .where(anyOf(sales.id, saleIds));
  const now = new Date();
  return new Map(
    rows.map((row) => {
      const { apiStatus, buyer } = summarizePayments(row, now);
      return [row.id, { apiStatus, buyer, completedAt: row.completedAt }];
    }),
  );
}
