import { Refusal } from "#app/kit/refusal.ts";
import { concurrencyLimiter } from "#app/platform/concurrency-limiter.ts";
import { serialQueue } from "#app/server/limits/serial-queue.server.ts";
import { onResponseClose } from "#app/server/pipeline/socket-request.server.ts";

/** One export per owner at a time, in this process. */
const acquireForOwner = concurrencyLimiter(1);
/** Chunks of all exports are generated one at a time: between two of them page requests are served. */
const runPiece = serialQueue();
const RETRY_AFTER_SECONDS = 5;

/**
 * Limits the exports of an owner, a seller's id or a buyer's address: one at a time, its chunks alternating with those of other
 * exports. The slot is released when the answer ends, however it ends.
 * @throws Refusal too-many
 */
export function limitExport(owner: string, pieces: AsyncGenerator<string>): AsyncGenerator<string> {
  const release = acquireForOwner(owner);
  if (!release)
    throw new Refusal(
      "too-many",
      "Outro arquivo desta conta ainda está sendo baixado. Espere ele terminar e tente de novo.",
      undefined,
      RETRY_AFTER_SECONDS,
    );
  onResponseClose(release);
  return makeQueued(pieces, release);
}

async function* makeQueued(pieces: AsyncGenerator<string>, release: () => void): AsyncGenerator<string> {
  try {
    for (;;) {
      const { done, value } = await runPiece(() => pieces.next());
      if (done) return;
      yield value;
    }
  } finally {
    release();
    await pieces.return(undefined);
  }
}
