import { ask } from "#app/enhance/ask.ts";
import { SECOND } from "#app/kit/duration.ts";

const AGAIN = 2 * SECOND;

/**
 * Goes on once the shop can be reached. A page that leaves by itself asks first: without a network the browser's own error
 * page would take its place, and nothing would lead on from there.
 */
export function whenReached(goOn: () => unknown): void {
  const again = () => setTimeout(() => whenReached(goOn), AGAIN);
  // A proxy may keep this address to itself: any answer but of a shop that is away will do.
  ask("/healthz", { cache: "no-store" }).then(({ status }) => (status < 500 ? goOn() : again()), again);
}
