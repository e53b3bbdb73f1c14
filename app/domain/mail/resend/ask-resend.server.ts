import { Resend } from "resend";
import { SendError } from "#app/domain/mail/message/port.ts";
import { cleanText, cut } from "#app/kit/clean-text.ts";
import { HOUR, SECOND } from "#app/kit/duration.ts";
import { cleanJson } from "#app/kit/outside-json.ts";
import { env } from "#app/platform/env.server.ts";
import { measureCall, outcomeOf } from "#app/platform/measure-call.server.ts";
import { requestIdHeader } from "#app/platform/request-id.server.ts";

type Answer<T> =
  | { data: T; error: null }
  | { data: null; error: { statusCode: number | null; name: string; message: string } };

const PASSING = ["rate_limit_exceeded", "concurrent_idempotent_requests", "resource_locked"];
const TIME_LIMIT = 15 * SECOND;

/**
 * One call to Resend with this key, given up after 15 s. Which errors can pass: contracts.md 3.2.
 * @param heard is told the headers of whatever was answered
 * @throws SendError
 */
export async function askResend<T>(
  apiKey: string,
  question: (client: Resend) => Promise<Answer<T> & { headers: Record<string, string> | null }>,
  heard: (headers: Record<string, string> | null) => void = () => {},
): Promise<T> {
  const ended = measureCall("resend");
  const client = new RequestedResend(apiKey, { baseUrl: env.RESEND_BASE_URL });
  const answer = await withTimeout(question(client)).catch((error) => {
    ended(error instanceof SendError ? "timeout" : "network");
    throw error;
  });
  ended(
    answer.error === null ? "ok" : answer.error.statusCode ? outcomeOf(answer.error.statusCode) : "network",
  );
  heard(answer.headers);
  if (answer.error === null) return cleanJson(answer.data) as T;
  const { statusCode, name } = answer.error;
  const message = cleanText(answer.error.message);
  const status = statusCode ?? 0;
  // No part of the key may come back in somebody else's words.
  const said = cut(`${status || "sem resposta"} ${name}: ${message.replaceAll(apiKey, "[chave]")}`, 500);
  if (name === "daily_quota_exceeded")
    throw new SendError(said, { passes: true, account: true, retryAfter: (3 * HOUR) / SECOND });
  if (name === "monthly_quota_exceeded" || name === "email_above_quota")
    throw new SendError(said, { passes: true, account: true, retryAfter: (6 * HOUR) / SECOND });
  const passes = status === 0 || status >= 500 || PASSING.includes(name);
  const wait = Number(answer.headers?.["retry-after"]);
  throw new SendError(said, {
    passes,
    unsure: status === 0 || status >= 500,
    account: status === 401 || status === 403,
    ...(passes && wait > 0 ? { retryAfter: Math.min(wait, HOUR / SECOND) } : {}),
  });
}

/** The SDK, telling Resend which request it is asked for: every call of its own goes through this one method. */
class RequestedResend extends Resend {
  override fetchRequest<T>(path: string, options: RequestInit = {}) {
    const headers = new Headers(options.headers);
    for (const [name, value] of Object.entries(requestIdHeader())) headers.set(name, value);
    return super.fetchRequest<T>(path, { ...options, headers });
  }
}

/** The SDK waits for ever; an answer that never comes is a mail that may or may not have been taken. */
async function withTimeout<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new SendError("sem resposta no tempo", { passes: true, unsure: true })),
      TIME_LIMIT,
    );
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
