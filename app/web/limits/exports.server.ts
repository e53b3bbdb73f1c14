import { Refusal } from "#app/kit/refusal.ts";
import { places } from "#app/platform/places.ts";
import { currentResponse } from "#app/web/door/socket.server.ts";
import { oneAtATime } from "#app/web/limits/one-at-a-time.ts";

/** Files of one seller that are made at once, in this process. */
const ofSeller = places(1);
/** Pieces of files that are made at once, for all sellers: between two of them whoever waits for a page is served. */
const make = oneAtATime();
const COME_BACK = 5;

/**
 * Makes a file of a seller's in a place of its own, piece by piece in turns with others'. The place is free again when the
 * answer ends, however it does.
 * @throws Refusal too-many
 */
export function limitExport(sellerId: string, pieces: AsyncGenerator<string>): AsyncGenerator<string> {
  const leave = ofSeller(sellerId);
  if (!leave)
    throw new Refusal(
      "too-many",
      "Outro arquivo desta conta ainda está sendo baixado. Espere ele terminar e tente de novo.",
      undefined,
      COME_BACK,
    );
  currentResponse()?.once("close", leave);
  return inTurns(pieces, leave);
}

async function* inTurns(pieces: AsyncGenerator<string>, leave: () => void): AsyncGenerator<string> {
  try {
    for (;;) {
      const { done, value } = await make(() => pieces.next());
      if (done) return;
      yield value;
    }
  } finally {
    leave();
    await pieces.return(undefined);
  }
}
