import { Resend } from "resend";
import { SendError } from "#app/domain/mail/message/mail-carrier.ts";
import { cleanText, truncate } from "#app/kit/clean-text.ts";
import { HOUR, SECOND } from "#app/kit/duration.ts";
import { cleanJson } from "#app/kit/untrusted-json.ts";
import { env } from "#app/platform/env.server.ts";
import { measureCall, outcomeOf } from "#app/platform/measure-call.server.ts";
import { requestIdHeader } from "#app/platform/request-id.server.ts";

type ResendAnswer<T> =
  | { data: T; error: null }
  | { data: null; error: { statusCode: number | null; name: string; message: string } };

const TRANSIENT_ERRORS = ["rate_limit_exceeded", "concurrent_idempotent_requests", "resource_locked"];
const CALL_TIMEOUT = 15 * SECOND;

/**
 * Calls Resend with this key; times out after 15 s. Which errors are retryable: Resend's API documentation.
 * @param onHeaders receives the headers of any answer
 * @throws SendError
 */
export async function callResend<T>(
  apiKey: string,
  request: (client: Resend) => Promise<ResendAnswer<T> & { headers: Record<string, string> | null }>,
  onHeaders: (headers: Record<string, string> | null) => void = () => {},
): Promise<T> {
  const recordOutcome = measureCall("resend");
  const client = new ResendWithRequestId(apiKey, { baseUrl: env.RESEND_BASE_URL });
  const answer = await withTimeout(request(client)).catch((error) => {
    recordOutcome(error instanceof SendError ? "timeout" : "network");
    throw error;
  });
  recordOutcome(
    answer.error === null ? "ok" : answer.error.statusCode ? outcomeOf(answer.error.statusCode) : "network",
  );
  onHeaders(answer.headers);
  if (answer.error === null) return cleanJson(answer.data) as T;
  const { statusCode, name } = answer.error;
  const message = cleanText(answer.error.message);
  const status = statusCode ?? 0;
  // No part of the key may appear in an error text.
  const errorText = truncate(
    `${status || "sem resposta"} ${name}: ${message.replaceAll(apiKey, "[chave]")}`,
    500,
  );
  if (name === "daily_quota_exceeded")
    throw new SendError(errorText, {
      isRetryable: true,
      isAccountError: true,
      retryAfter: (3 * HOUR) / SECOND,
    });
  if (name === "monthly_quota_exceeded" || name === "email_above_quota")
    throw new SendError(errorText, {
      isRetryable: true,
      isAccountError: true,
      retryAfter: (6 * HOUR) / SECOND,
    });
  const isRetryable = status === 0 || status >= 500 || TRANSIENT_ERRORS.includes(name);
  const wait = Number(answer.headers?.["retry-after"]);
  throw new SendError(errorText, {
    isRetryable,
    isUncertain: status === 0 || status >= 500,
    isAccountError: status === 401 || status === 403,
    ...(isRetryable && wait > 0 ? { retryAfter: Math.min(wait, HOUR / SECOND) } : {}),
  });
}

/** The SDK with our request id in each call: they all go through this one method. */
class ResendWithRequestId extends Resend {
  override fetchRequest<T>(path: string, options: RequestInit = {}) {
    const headers = new Headers(options.headers);
    for (const [name, value] of Object.entries(requestIdHeader())) headers.set(name, value);
    return super.fetchRequest<T>(path, { ...options, headers });
  }
}

/** The SDK has no timeout; a mail without an answer may or may not have been accepted. */
async function withTimeout<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new SendError("sem resposta no tempo", { isRetryable: true, isUncertain: true })),
      CALL_TIMEOUT,
    );
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
