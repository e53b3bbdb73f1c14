import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";

/** The header that carries the id from a proxy to us, back in each answer, and on to the services that we call. */
export const REQUEST_ID = "x-request-id";

const current = new AsyncLocalStorage<string>();

/** A new id: 16 characters, hexadecimal. */
export function newRequestId(): string {
  // `randomUUID` uses cached random bytes; its middle holds fixed bits, the two ends only random ones.
  const id = randomUUID();
  return id.slice(0, 8) + id.slice(-8);
}

/** An id from outside: 8 to 64 letters, digits, `.`, `_` or `-`; null for anything else. */
export function readRequestId(text: unknown): string | null {
  return typeof text === "string" && /^[\w.-]{8,64}$/.test(text) ? text : null;
}

/** The id of the current request, also within the jobs it created; undefined outside of a request. */
export function requestId(): string | undefined {
  return current.getStore();
}

/** Makes `id` the current request's for all callbacks from here on. */
export function enterRequest(id: string): void {
  current.enterWith(id);
}

/** Runs `work` in the name of a request that is over, for its jobs. */
export function forRequest<T>(id: string, work: () => T): T {
  return current.run(id, work);
}

/** The header that passes the request id to an outside service; empty without a request. */
export function requestIdHeader(): Record<string, string> {
  const id = requestId();
  return id ? { [REQUEST_ID]: id } : {};
}
