import { fairQueue } from "#app/platform/fair-queue.server.ts";

const startInTurn = fairQueue();

/**
 * Resolves when the caller may hold the thread for milliseconds, as rendering a page or decrypting a hundred rows does.
 * One caller at a time, in the order of the calls, with turns of the event loop for other requests in between.
 */
export function takeTurn(): Promise<void> {
  return new Promise((resolve) => startInTurn("", resolve));
}
