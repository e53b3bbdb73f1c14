import type { ErrorRequestHandler, Request, RequestHandler, Response } from "express";
import type { Faults } from "./faults.ts";
import type { Account, ResendState } from "./resend-accounts.ts";
import { SECOND, type Time } from "./time.ts";

/**
 * `enforceRateLimit`: answer 429 above `requestsPerSecond`, as the real service does; off by default. The headers report
 * the limit in any case: 5 unless it is changed.
 */
export interface ResendSettings {
  enforceRateLimit: boolean;
  requestsPerSecond: number;
}

export const RESEND_DEFAULTS: ResendSettings = { enforceRateLimit: false, requestsPerSecond: 5 };

export interface ResendParts {
  time: Time;
  faults: Faults;
  state: ResendState;
  settings: ResendSettings;
}

/** `{statusCode, name, message}`, the body of every error. */
export function refuse(response: Response, statusCode: number, name: string, message: string): Response {
  return response.status(statusCode).json({ statusCode, name, message });
}

/** The account that the guards found. */
export function accountOf(response: Response): Account {
  return response.locals.account as Account;
}

/** A page of a list, as `?limit` (20 unless stated) and `?after` ask for it. */
export function pageOf<T extends { id: string }>(
  all: T[],
  { query }: Request,
): { data: T[]; has_more: boolean } {
  const start = query.after ? all.findIndex(({ id }) => id === query.after) + 1 : 0;
  const end = start + Number(query.limit ?? 20);
  return { data: all.slice(start, end), has_more: end < all.length };
}

/** The edge in front of the API rejects requests without a User-Agent, and not in JSON. */
export const requireUserAgent: RequestHandler = (request, response, next) => {
  if (request.get("user-agent")) return next();
  response.status(403).type("text/plain").send("error code: 1010");
};

export function authenticate(state: ResendState): RequestHandler {
  return (request, response, next) => {
    const token = /^Bearer (.+)$/.exec(request.get("authorization") ?? "")?.[1];
    if (!token) return refuse(response, 401, "missing_api_key", "Missing API Key");
    // Both responses have been observed; a caller must treat 401 and 403 alike.
    if (token.startsWith("re_invalid"))
      return refuse(response, 401, "validation_error", "API key is invalid");
    if (!token.startsWith("re_")) return refuse(response, 403, "invalid_api_key", "API key is invalid");
    if (token.startsWith("re_restricted") && !request.path.startsWith("/emails"))
      return refuse(response, 401, "restricted_api_key", "This API key is restricted to only send emails");
    response.locals.account = state.account(token);
    next();
  };
}

export function limitRate({ settings, time }: ResendParts): RequestHandler {
  return (_request, response, next) => {
    const { window } = accountOf(response);
    const limit = settings.requestsPerSecond;
    if (time.now() - window.startedAt >= SECOND) Object.assign(window, { startedAt: time.now(), count: 0 });
    window.count += 1;
    response.set({
      "ratelimit-limit": String(limit),
      "ratelimit-remaining": String(Math.max(0, limit - window.count)),
      "ratelimit-reset": "1",
    });
    if (!settings.enforceRateLimit || window.count <= limit) return next();
    response.set("retry-after", "1");
    refuse(
      response,
      429,
      "rate_limit_exceeded",
      `Too many requests. You can only make ${limit} requests per second.`,
    );
  };
}

export const answerBrokenBody: ErrorRequestHandler = (error, _request, response, next) => {
  if (!error.status || error.status >= 500) return next(error);
  refuse(response, error.status, "validation_error", "The request body must be valid JSON.");
};
