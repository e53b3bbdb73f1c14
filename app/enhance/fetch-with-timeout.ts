import { SECOND } from "#app/kit/duration.ts";

/** Without a network a request may never end by itself. */
const TIMEOUT = 30 * SECOND;

/** `fetch` with a time limit that includes the body. After a timeout the request may have arrived all the same. */
export function fetchWithTimeout(url: string, init: RequestInit, timeout = TIMEOUT): Promise<Response> {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), timeout);
  return fetch(url, { ...init, signal: controller.signal });
}
