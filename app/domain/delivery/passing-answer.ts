import type { Verdict } from "#app/domain/delivery/destination.ts";

/** Too slow, in conflict with another call, locked, too early, too many: the same call may succeed later. */
const PASSING = [408, 409, 423, 425, 429];

/** Of JSON, which may be truncated. */
const FIRST_SIGNS = ['"', "[", "{"];

/** An HTML page: a firewall, maintenance, or another server answers. */
export function isPage(body: string): boolean {
  return body.trimStart().startsWith("<");
}

/**
 * The verdict on an error that says nothing lasting about the message or the token; null on any other answer. These
 * services refuse in JSON, so a page is not theirs, nor is a 403 without JSON.
 */
export function judgePassing({ status, body }: { status: number; body: string }): Verdict | null {
  if (status >= 500 || PASSING.includes(status)) return { result: "again", reason: "status" };
  const isOthers = isPage(body) || (status === 403 && !FIRST_SIGNS.includes(body.trimStart().charAt(0)));
  return status >= 400 && isOthers ? { result: "again", reason: "unclear" } : null;
}
