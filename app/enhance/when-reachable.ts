import { fetchWithTimeout } from "#app/enhance/fetch-with-timeout.ts";
import { SECOND } from "#app/kit/duration.ts";

const RETRY_DELAY = 2 * SECOND;

/**
 * Calls back once the shop can be reached. A page that navigates by itself checks first: offline, the browser's error
 * page would replace it, with no way on.
 */
export function whenReachable(callback: () => unknown): void {
  const retry = () => setTimeout(() => whenReachable(callback), RETRY_DELAY);
  // A proxy may answer this address itself: any answer except that the shop is unavailable will do.
  fetchWithTimeout("/healthz", { cache: "no-store" }).then(
    ({ status }) => (status < 500 ? callback() : retry()),
    retry,
  );
}
