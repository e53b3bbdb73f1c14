import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";

/** The header that carries it, from a proxy to us, back in each answer, and on to the services that we call. */
export const REQUEST_ID = "x-request-id";

const current = new AsyncLocalStorage<string>();

/** A new id: 16 characters, hexadecimal. */
export function newRequestId(): string {
  // Node keeps random bytes ready for these alone; the ends of one hold nothing else.
  const id = randomUUID();
  return id.slice(0, 8) + id.slice(-8);
}

/** An id that came from outside; null where it is none: 8 to 64 letters, digits, `.`, `_` or `-`. */
export function readRequestId(text: unknown): string | null {
  return typeof text === "string" && /^[\w.-]{8,64}$/.test(text) ? text : null;
}

/** The id of the request that all this is done for, also in the jobs it led to; undefined where none led to it. */
export function requestId(): string | undefined {
  return current.getStore();
}

/** From here on, all that this request's callbacks do is done for it. */
export function enterRequest(id: string): void {
  current.enterWith(id);
}

/** Does `work` for a request that is over: its jobs. */
export function forRequest<T>(id: string, work: () => T): T {
  return current.run(id, work);
}

/** The header that tells an outside service for whom it is asked, where that is known. */
export function requestIdHeader(): Record<string, string> {
  const id = requestId();
  return id ? { [REQUEST_ID]: id } : {};
}
