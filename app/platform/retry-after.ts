import { SECOND } from "#app/kit/duration.ts";

/** `Retry-After` in milliseconds, whether it says seconds or a date; 0 where it says nothing. */
export function retryAfter(headers: Headers): number {
  const said = headers.get("retry-after") ?? "";
  if (/^\d{1,6}$/.test(said)) return Number(said) * SECOND;
  const until = Date.parse(said);
  return Number.isNaN(until) ? 0 : Math.max(0, until - Date.now());
}
