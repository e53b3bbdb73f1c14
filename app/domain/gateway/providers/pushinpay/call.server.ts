import { z } from "zod";
import { ProviderError } from "#app/domain/gateway/providers/port.ts";
import { cut } from "#app/kit/clean-text.ts";
import { SECOND } from "#app/kit/duration.ts";
import { parseOutside } from "#app/kit/outside-json.ts";
import { withoutEnd } from "#app/kit/without-end.ts";
import { env } from "#app/platform/env.server.ts";
import { type CallAnswer, CallError, call } from "#app/platform/http.server.ts";
import { countFromZero } from "#app/platform/measure-call.server.ts";

countFromZero("pushinpay");

/** One call of PushinPay's API. @throws ProviderError but for a 2xx and a 404 */
export async function ask(apiKey: string, method: string, path: string, body?: object): Promise<CallAnswer> {
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
  if (status === 401 || status === 403) throw new ProviderError("credentials", words(answer));
  if (status === 429 || status >= 500) throw new ProviderError("busy", words(answer));
  throw new ProviderError("refused", words(answer));
}

/** `message`, then the first entry of `errors`: Laravel's shape. */
function words(answer: CallAnswer): string {
  const body = z
    .object({ message: z.string().optional(), errors: z.record(z.string(), z.array(z.string())).optional() })
    .safeParse(parse(answer.body));
  const text = body.success
    ? (body.data.message ?? Object.values(body.data.errors ?? {})[0]?.[0])
    : undefined;
  return `${answer.status}: ${cut(text ?? "sem mensagem", 300)}`;
}

/** JSON, or null where it is none. */
export function parse(text: string): unknown {
  try {
    return parseOutside(text);
  } catch {
    return null;
  }
}
