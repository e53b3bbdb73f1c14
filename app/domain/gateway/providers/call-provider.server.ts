import { ProviderError } from "#app/domain/gateway/providers/port.ts";
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

/** Parses JSON; null where it is invalid. */
export function parseJson(text: string): unknown {
  try {
    return parseUntrusted(text);
  } catch {
    return null;
  }
}
