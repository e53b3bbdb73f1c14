import { SECOND } from "#app/kit/duration.ts";

/** The state of a request's rate limit; `wait` in milliseconds. */
type LimitState = { limit: number; remaining: number; wait: number };

const states = new WeakMap<Request, LimitState>();

/** Records a request's state with a limit; of several limits the one with the least remaining is reported. */
export function recordLimit(request: Request, state: LimitState): void {
  const known = states.get(request);
  if (!known || state.remaining < known.remaining) states.set(request, state);
}

/**
 * `RateLimit-Limit`, `-Remaining` and `-Reset` (seconds) of a counted request, as in the first drafts of
 * draft-ietf-httpapi-ratelimit-headers, which clients support; none for other requests.
 */
export function limitHeaders(request: Request): Record<string, string> {
  const state = states.get(request);
  if (!state) return {};
  return {
    "RateLimit-Limit": String(state.limit),
    "RateLimit-Remaining": String(Math.max(0, state.remaining)),
    "RateLimit-Reset": String(Math.ceil(state.wait / SECOND)),
  };
}
