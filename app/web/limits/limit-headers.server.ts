import { SECOND } from "#app/kit/duration.ts";

/** How a request stands with the limit that counts it; `wait` in milliseconds. */
type Standing = { tries: number; left: number; wait: number };

const standings = new WeakMap<Request, Standing>();

/** Notes how a request stands with a limit; of several the one that leaves least is told. */
export function noteLimit(request: Request, standing: Standing): void {
  const known = standings.get(request);
  if (!known || standing.left < known.left) standings.set(request, standing);
}

/**
 * `RateLimit-Limit`, `-Remaining` and `-Reset` (seconds) of a request that was counted, as in the first drafts of
 * draft-ietf-httpapi-ratelimit-headers, which clients know; none of any other.
 */
export function limitHeaders(request: Request): Record<string, string> {
  const standing = standings.get(request);
  if (!standing) return {};
  return {
    "RateLimit-Limit": String(standing.tries),
    "RateLimit-Remaining": String(Math.max(0, standing.left)),
    "RateLimit-Reset": String(Math.ceil(standing.wait / SECOND)),
  };
}
