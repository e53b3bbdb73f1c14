import { z } from "zod";
import { callProvider, parseJson } from "#app/domain/gateway/providers/call-provider.server.ts";
import { ProviderError } from "#app/domain/gateway/providers/port.ts";
import { truncate } from "#app/kit/clean-text.ts";
import { SECOND } from "#app/kit/duration.ts";
import { env } from "#app/platform/env.server.ts";
import type { CallAnswer } from "#app/platform/http.server.ts";
import { countFromZero } from "#app/platform/measure-call.server.ts";

countFromZero("pushinpay");

/** Calls PushinPay's API once. @throws ProviderError unless the answer is 2xx or 404 */
export async function callPushinpay(
  apiKey: string,
  method: string,
  path: string,
  body?: object,
): Promise<CallAnswer> {
  const answer = await callProvider({
    ...{ service: "pushinpay", baseUrl: env.PUSHINPAY_BASE_URL, method, path, body },
    headers: { Authorization: `Bearer ${apiKey}` },
    timeoutMs: 12 * SECOND,
  });
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
