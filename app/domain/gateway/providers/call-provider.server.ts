import { ProviderError } from "#app/domain/gateway/providers/port.ts";
import { truncate } from "#app/kit/clean-text.ts";
import { parseUntrusted } from "#app/kit/untrusted-json.ts";
import { withoutEnd } from "#app/kit/without-end.ts";
import { type CallAnswer, CallError, call } from "#app/platform/http.server.ts";

/** A call to a provider's API. `body` is sent as JSON, or as the form it is. */
export type ProviderCall = {
  service: string;
  baseUrl: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: object | FormData | undefined;
  timeoutMs: number;
  maxBytes?: number;
};

/** Calls a provider's API once, whatever status it answers with. @throws ProviderError `no-answer` */
export async function callProvider(request: ProviderCall): Promise<CallAnswer> {
  const { service, baseUrl, method, path, headers, body, timeoutMs, maxBytes } = request;
  try {
    return await call(withoutEnd(baseUrl, "/") + path, {
      ...{ method, service, timeoutMs, ...(maxBytes ? { maxBytes } : {}) },
      headers: {
        Accept: "application/json",
        // A form's own names the boundary between its parts.
        ...(body instanceof FormData ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      body: body instanceof FormData ? body : body ? JSON.stringify(body) : null,
    });
  } catch (error) {
    if (error instanceof CallError) throw new ProviderError("no-answer", error.message);
    throw error;
  }
}

/** What a service answers where it has not done what was asked, if the answer is its own. */
const REFUSALS = [400, 402, 403, 404, 405, 406, 410, 413, 415, 422];

/**
 * What an answer that is no success means. Only a refusal in the service's own words says that nothing was done: any other answer
 * may be of something between us and the service (a firewall, a proxy, a load balancer), or come after it was done. Two say so by
 * themselves: who does not know the key, or limits the calls, answers before anything is done, whoever it is.
 * @param reason what the service's own error says; null where the body is no such error
 * @param isNamed whether the service's own word in the body is a refusal, whatever the status
 */
export function failureOf(
  method: string,
  { status }: CallAnswer,
  reason: string | null,
  isNamed = false,
): ProviderError {
  const message = `${status}: ${truncate(reason ?? "sem mensagem", 300)}`;
  if (status === 401) return new ProviderError("credentials", message);
  if (status === 429) return new ProviderError("busy", message);
  if (reason === null || !(isNamed || REFUSALS.includes(status)))
    return new ProviderError(method === "GET" ? "busy" : "no-answer", message);
  return status === 403
    ? new ProviderError("credentials", message, true)
    : new ProviderError("refused", message);
}

/** Parses JSON; null where it is invalid. */
export function parseJson(text: string): unknown {
  try {
    return parseUntrusted(text);
  } catch {
    return null;
  }
}
