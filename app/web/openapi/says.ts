import type { z } from "zod";
import type { Scope } from "#app/domain/identity/access/scopes.ts";

/** What a caller must show: a key with a scope, or a session that signed in a moment ago and no key. */
export type Need = Scope | "session";

/** A schema; as a function where it hangs on what is there when it is asked. */
export type Late<T> = T | (() => T);

/** A request that works, as people read it and as a test sends it. `$NAME` in it stands for an id of one's own. */
export type Example = {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
};

/** What a method of the API tells of itself. Texts are Portuguese. */
export type Says = {
  /** One line. */
  summary: string;
  /** More, where one line is not enough. */
  details?: string;
  needs?: Need | undefined;
  /** Where it is a session and no key, it signed in a moment ago. */
  recent?: boolean;
  body?: Late<z.ZodType> | undefined;
  /** The body is bytes, and this is what they are. */
  bytes?: string;
  /** What the body may hold, where `body` leaves it open. */
  bodyFields?: z.ZodType;
  query?: z.ZodObject;
  headers?: z.ZodObject;
  answer: Late<z.ZodType>;
  /** Of the answer; 200 where it does not say. */
  status?: 200 | 201;
  /** Its answer has a `version`, also as `ETag`; a change that brings one replaces only what that one is of. */
  versioned?: boolean;
  /** A list whose next and previous pages stand in the `Link` header. */
  paged?: boolean;
  /** Counted: `RateLimit-…` headers tell what is left. */
  counted?: boolean;
  example?: Example;
};

/** A schema as it is now. */
export function now<T>(late: Late<T>): T {
  return typeof late === "function" ? (late as () => T)() : late;
}
