import { z } from "zod";
import { ProviderError } from "#app/domain/gateway/providers/port.ts";
import { truncate } from "#app/kit/clean-text.ts";
import { SECOND } from "#app/kit/duration.ts";
import { parseUntrusted } from "#app/kit/untrusted-json.ts";
import { withoutEnd } from "#app/kit/without-end.ts";
import { env } from "#app/platform/env.server.ts";
import { type CallAnswer, CallError, call } from "#app/platform/http.server.ts";
import { countFromZero } from "#app/platform/measure-call.server.ts";

countFromZero("pushinpay");

/** Calls PushinPay's API once. @throws ProviderError unless the answer is 2xx or 404 */
export async function callPushinpay(
  apiKey: string,
  method: string,
  path: string,
  body?: object,
): Promise<CallAnswer> {
  let answer: CallAnswer;
  try {
    answer = await call(withoutEnd(env.PUSHINPAY_BASE_URL, "/") + path, {
      method,
      service: "pushinpay",
      timeoutMs: 12 * SECOND,
      headers: {
        Authorization: `Bearer ${apiKey}`,
        Accept: "application/json",
        "Content-Type": "application/json",
      },
      body: body ? JSON.stringify(body) : null,
    });
  } catch (error) {
    if (error instanceof CallError) throw new ProviderError("no-answer", error.message);
    throw error;
  }
  const { status } = answer;
  if ((status >= 200 && status < 300) || status === 404) return answer;
  if (status === 401 || status === 403) throw new ProviderError("credentials", errorText(answer));
  if (status === 429 || status >= 500) throw new ProviderError("busy", errorText(answer));
  throw new ProviderError("refused", errorText(answer));
}

/** `message`, then the first entry of `errors`: Laravel's shape. */
function errorText(answer: CallAnswer): string {
  const body = z
    .object({ message: z.string().optional(), errors: z.record(z.string(), z.array(z.string())).optional() })
    .safeParse(parseJson(answer.body));
  const text = body.success
    ? (body.data.message ?? Object.values(body.data.errors ?? {})[0]?.[0])
    : undefined;
  return `${answer.status}: ${truncate(text ?? "sem mensagem", 300)}`;
}

/** Parses JSON; null where it is invalid. */
export function parseJson(text: string): unknown {
  try {
    return parseUntrusted(text);
  } catch {
    return null;
  }
}
