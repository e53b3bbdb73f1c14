import type { z } from "zod";
import type { Scope } from "#app/domain/identity/access/scopes.ts";

/** Required access: a key with a scope, or a session with a recent sign-in and no key. */
export type ApiAccess = Scope | "session";

/** A value or a function that computes it, if it depends on what is registered at run time. */
export type Lazy<T> = T | (() => T);

/** A working request, for readers and for a test that sends it. `$NAME` in it stands for an id. */
export type Example = {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
};

/** The description of an API method. Texts are Portuguese. */
export type MethodSpec = {
  /** One line. */
  summary: string;
  /** Further text, if one line is not enough. */
  details?: string;
  needs?: ApiAccess | undefined;
  /** A session must have signed in recently. */
  recentSignIn?: boolean;
  /** What of it only a session that signed in recently may do, and no key: the handler calls `requireOwner` for it. */
  ownerFor?: string;
  body?: Lazy<z.ZodType> | undefined;
  /** The body is bytes, described here. */
  bytes?: string;
  /** The fields of the body, if `body` leaves them open. */
  bodyFields?: z.ZodType;
  query?: z.ZodObject;
  headers?: z.ZodObject;
  answer: Lazy<z.ZodType>;
  /** Of the answer; 200 by default. */
  status?: 200 | 201;
  /** The answer has a `version`, also as `ETag`; a change that sends one only replaces that version. */
  versioned?: boolean;
  /** Deletes what has a `version`; with `If-Match` only that version. */
  conditional?: boolean;
  /** A list with a `Link` header to its next page and, where its query has `after`, to the previous one. */
  paged?: boolean;
  /** Figures that may be read from the replica; older than a minute, they state their age in `Data-Age`. */
  isReport?: boolean;
  /** Rate-limited, with `RateLimit-…` headers; `calls`: where it calls an outside service, which not every request does. */
  rateLimited?: true | "calls";
  example?: Example;
};

/** The value of a lazy schema. */
export function resolveLazy<T>(lazy: Lazy<T>): T {
  return typeof lazy === "function" ? (lazy as () => T)() : lazy;
}
