import type { Destination, Request, Verdict } from "#app/domain/delivery/destination.ts";
import { escapeHtml } from "#app/kit/html.ts";
import { callUntrustedUrl } from "#app/platform/call-untrusted-url.server.ts";
import { CallError } from "#app/platform/http.server.ts";
import { ForbiddenAddress } from "#app/platform/outgoing-address.server.ts";

/** The result of a call: `status` is 0 without an answer; `body` is truncated, and secrets are redacted. */
export type AttemptResult = { verdict: Verdict; status: number; body: string; ms: number };

/** How much of an answer is read and stored. */
const MAX_ANSWER_BYTES = 4096;
/** How much is read of one that is shortened. */
const MAX_LONG_ANSWER_BYTES = 1024 * 1024;

/** One call, no retry. */
export async function makeCall(kind: Destination, request: Request): Promise<AttemptResult> {
  const startedAt = performance.now();
  const elapsed = () => Math.round(performance.now() - startedAt);
  try {
    const answer = await callUntrustedUrl(request.url, {
      method: request.method ?? "POST",
      service: kind.service,
      headers: request.headers,
      body: request.body,
      timeoutMs: kind.timeoutMs,
      maxBytes: request.shorten ? MAX_LONG_ANSWER_BYTES : MAX_ANSWER_BYTES,
      truncate: true,
    });
    const { status, body } = answer;
    const isLong = body.length > MAX_ANSWER_BYTES;
    return {
      verdict: (request.judge ?? kind.judge)(answer),
      status,
      // A receiver may repeat what it was sent.
      body: redact(request.secrets, isLong && request.shorten ? request.shorten(body) : body),
      ms: elapsed(),
    };
  } catch (error) {
    const none = { status: 0, body: "", ms: elapsed() };
    if (error instanceof ForbiddenAddress)
      return { ...none, verdict: { result: "refused", reason: "forbidden" } };
    if (!(error instanceof CallError)) throw error;
    return { ...none, verdict: { result: "again", reason: error.failure } };
  }
}

/** Removes secrets that a receiver may have repeated: as they are, or as JSON, addresses and HTML write them. */
export function redact(secrets: string[], text: string): string {
  return secrets
    .flatMap(encodings)
    .sort((a, b) => b.length - a.length)
    .reduce((rest, secret) => rest.replaceAll(secret, "[oculto]"), text);
}

function encodings(secret: string): string[] {
  if (secret === "") return [];
  const whole = secret.toWellFormed();
  const json = JSON.stringify(whole).slice(1, -1);
  const address = encodeURIComponent(whole);
  const all = [secret, json, inAscii(json), address, address.replaceAll("%20", "+"), escapeHtml(secret)];
  // Many write `/` as `\/` in JSON.
  return [...new Set([...all, ...all.map((one) => one.replaceAll("/", "\\/"))])];
}

/** `José` as `Jos\u00e9`, as PHP writes it. */
function inAscii(json: string): string {
  return json.replace(
    /[^\x20-\x7e]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
