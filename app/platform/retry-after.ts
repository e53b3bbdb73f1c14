import { SECOND } from "#app/kit/duration.ts";

/** `Retry-After` in milliseconds, given as seconds or as a date; 0 if it is missing or invalid. */
export function parseRetryAfter(headers: Headers): number {
  const value = headers.get("retry-after") ?? "";
  if (/^\d{1,6}$/.test(value)) return Number(value) * SECOND;
  const until = Date.parse(value);
  return Number.isNaN(until) ? 0 : Math.max(0, until - Date.now());
}
