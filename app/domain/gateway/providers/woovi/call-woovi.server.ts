import { z } from "zod";
import { callProvider, parseJson } from "#app/domain/gateway/providers/call-provider.server.ts";
import { ProviderError } from "#app/domain/gateway/providers/port.ts";
import { truncate } from "#app/kit/clean-text.ts";
import { SECOND } from "#app/kit/duration.ts";
import { env } from "#app/platform/env.server.ts";
import type { CallAnswer } from "#app/platform/http.server.ts";
import { countFromZero } from "#app/platform/measure-call.server.ts";

countFromZero("woovi");

/**
 * Calls Woovi's API once. @throws ProviderError unless the answer is 2xx; for a GET also 400 and 404 are returned, which
 * is how it names an unknown charge
 */
export async function callWoovi(
  appId: string | null,
  method: "GET" | "POST" | "DELETE",
  path: string,
  body?: object,
): Promise<CallAnswer> {
  const answer = await callProvider({
    ...{ service: "woovi", baseUrl: env.WOOVI_BASE_URL, method, path, body },
    headers: appId === null ? {} : { Authorization: appId },
    // A check makes two calls.
    timeoutMs: 6 * SECOND,
  });
  const { status } = answer;
  if (status >= 200 && status < 300) return answer;
  if (status === 401 || status === 403) throw new ProviderError("credentials", errorText(answer));
  if (status === 429) throw new ProviderError("busy", errorText(answer));
  // After a 5xx it may have acted.
  if (status >= 500) throw new ProviderError(method === "GET" ? "busy" : "no-answer", errorText(answer));
  if (method === "GET" && (status === 400 || status === 404)) return answer;
  throw new ProviderError("refused", errorText(answer));
}

/** Each field by itself: one that is missing or of another type must not hide the reason. */
const text = z.string().nullish().catch(null);
const errorBody = z.object({
  error: text,
  errors: z.array(z.object({ message: text }).catch({})).catch([]),
});

/** `{error}`, or `{errors: [{message}]}`. */
function errorText(answer: CallAnswer): string {
  const { error, errors = [] } = errorBody.safeParse(parseJson(answer.body)).data ?? {};
  const said = error || errors.find(({ message }) => message)?.message;
  return `${answer.status}: ${truncate(said || "sem mensagem", 300)}`;
}
