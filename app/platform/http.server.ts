import { cleanText } from "#app/kit/clean-text.ts";
import { SECOND } from "#app/kit/duration.ts";
import { logNoAnswer, measureCall, outcomeOf } from "#app/platform/measure-call.server.ts";
import { requestIdHeader } from "#app/platform/request-id.server.ts";

/** Why an outgoing call failed. */
export type CallFailure = "timeout" | "network" | "too-large";

/** An outgoing call without a usable answer; whether the other side acted on it is unknown. */
export class CallError extends Error {
  readonly failure: CallFailure;
  constructor(failure: CallFailure, cause: unknown) {
    super(`outgoing call: ${failure}`, { cause });
    this.name = "CallError";
    this.failure = failure;
  }
}

/** Status, headers and the complete body as text, cleaned (`cleanText`). */
export type CallAnswer = { status: number; headers: Headers; body: string };

/**
 * Calls an outside service with limits on time (default 10 s) and answer size (default 1 MiB). Redirects are not
 * followed.
 * @param init.service the service name under which the call is measured
 * @throws CallError if no complete answer arrived
 */
export async function call(
  url: string,
  init: RequestInit & { service?: string; timeoutMs?: number; maxBytes?: number } = {},
): Promise<CallAnswer> {
  const { service = "other", timeoutMs = 10 * SECOND, maxBytes = 1024 * 1024, ...rest } = init;
  const recordOutcome = measureCall(service);
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const headers = new Headers(rest.headers);
    // An id that the caller set may be part of what it signed.
    for (const [name, value] of Object.entries(requestIdHeader()))
      if (!headers.has(name)) headers.set(name, value);
    const response = await fetch(url, { redirect: "manual", ...rest, headers, signal });
    const body = await readLimited(response, maxBytes);
    recordOutcome(outcomeOf(response.status));
    return { status: response.status, headers: response.headers, body };
  } catch (error) {
    const isTimeout = (error as Error).name === "TimeoutError";
    recordOutcome(isTimeout ? "timeout" : "network");
    if (error instanceof CallError) throw error;
    logNoAnswer(service, error);
    throw new CallError(isTimeout ? "timeout" : "network", error);
  }
}

async function readLimited(response: Response, maxBytes: number): Promise<string> {
  if (!response.body) return "";
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new CallError("too-large", null);
    chunks.push(chunk);
  }
  // Without the byte order mark that some services begin with.
  return cleanText(new TextDecoder().decode(Buffer.concat(chunks)));
}
