import { z } from "zod";
import { callProvider, failureOf, parseJson } from "#app/domain/gateway/providers/call-provider.server.ts";
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
  if (method === "GET" && (status === 400 || status === 404)) return answer;
  throw failureOf(method, answer, readReason(answer));
}

/** Each field by itself: one that is missing or of another type must not hide the reason. */
const text = z.string().nullish().catch(null);
const errorBody = z.object({
  error: text,
  errors: z.array(z.object({ message: text }).catch({})).catch([]),
});

/** `{error}`, or `{errors: [{message}]}`; null where it is neither. */
function readReason({ body }: CallAnswer): string | null {
  const { error, errors = [] } = errorBody.safeParse(parseJson(body)).data ?? {};
  return error || errors.find(({ message }) => message)?.message || null;
}
