import { SECOND } from "#app/kit/duration.ts";

/** A question sent into a tunnel may never end by itself. */
const PATIENCE = 30 * SECOND;

/** `fetch` that ends, its body too: whoever has waited so long is told that it failed. What was sent may have come all the same. */
export function ask(url: string, init: RequestInit): Promise<Response> {
  const stop = new AbortController();
  setTimeout(() => stop.abort(), PATIENCE);
  return fetch(url, { ...init, signal: stop.signal });
}
