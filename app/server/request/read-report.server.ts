import pLimit, { type LimitFunction } from "p-limit";
import { readWith, startReading } from "#app/db/replica/reading.server.ts";
import { replicaDataTime } from "#app/db/replica/replica-state.server.ts";
import { MINUTE, SECOND } from "#app/kit/duration.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { lastChange } from "#app/server/session/own-changes.server.ts";

/** A replica that is up to date may still lack what was committed that long before it was asked. */
const TRANSFER_TIME = 2 * SECOND;
/** Older data is stated. */
const STATED_AGE = MINUTE;

/** A report, and from when its data is; null if that is not worth a word. */
export type DatedReport<T> = { report: T; dataTime: Date | null };

/** Per seller whose reports are being read or wait in this process: how many those are. */
const queues = new Map<string, { inTurn: LimitFunction; reports: number }>();

/**
 * Reads a report, from the replica if there is one that has what this browser changed last. For figures, and for lists beside
 * them; nothing is decided by what was read. Those of a seller are read one at a time: a program that asks for many gets one
 * core of the database, not all. One whose client has left meanwhile is not read.
 * @throws Refusal unavailable, which that client does not see
 */
export async function readReport<T>(
  request: Request,
  sellerId: string,
  work: () => Promise<T>,
): Promise<DatedReport<T>> {
  const queue = queues.get(sellerId) ?? { inTurn: pLimit(1), reports: 0 };
  queues.set(sellerId, queue);
  queue.reports++;
  try {
    return await queue.inTurn(async () => {
      if (request.signal.aborted) throw new Refusal("unavailable", "A conexão terminou antes do relatório.");
      const reading = readingFor(request);
      const report = await readWith(reading, work);
      return { report, dataTime: statedTime(reading.dataTime) };
    });
  } finally {
    if (--queue.reports === 0) queues.delete(sellerId);
  }
}

/** The same for a file that is read in pieces. Its name is sent before them, so the time is that of the first one. */
export async function openExport(
  request: Request,
): Promise<{ dataTime: Date | null; read: (pieces: AsyncGenerator<string>) => AsyncGenerator<string> }> {
  const reading = readingFor(request);
  const dataTime = await replicaDataTime();
  const isRead = dataTime !== null && dataTime >= reading.notBefore;
  return {
    dataTime: isRead ? statedTime(dataTime) : null,
    async *read(pieces) {
      try {
        for (;;) {
          const { done, value } = await readWith(reading, () => pieces.next());
          if (done) return;
          yield value;
        }
      } finally {
        await pieces.return(undefined);
      }
    },
  };
}

/** How many whole minutes old data is that a report states; null where it states none. */
export function ageInMinutes(dataTime: Date | null): number | null {
  return dataTime && Math.floor((Date.now() - dataTime.getTime()) / MINUTE);
}

/** The header that states the age of an API's figures. */
export function ageHeader(dataTime: Date | null): Record<string, string> {
  return dataTime ? { "Data-Age": String(Math.floor((Date.now() - dataTime.getTime()) / SECOND)) } : {};
}

function readingFor(request: Request) {
  const changedAt = lastChange(request);
  return startReading(changedAt === 0 ? 0 : changedAt + TRANSFER_TIME);
}

function statedTime(dataTime: number): Date | null {
  return dataTime < Date.now() - STATED_AGE ? new Date(dataTime) : null;
}
