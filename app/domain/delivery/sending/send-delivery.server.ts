import type { AttemptResult, Request, SendingKind } from "#app/domain/delivery/destination.ts";
import { kindOf } from "#app/domain/delivery/destinations.server.ts";
import { beginAttempt, renewLease } from "#app/domain/delivery/sending/begin-attempt.server.ts";
import {
  claimNextOfSubject,
  type DeliverySubject,
  type DeliveryWithDestination,
} from "#app/domain/delivery/sending/claim-deliveries.server.ts";
import {
  endDelivery,
  endOfStopped,
  findSkipReason,
} from "#app/domain/delivery/sending/end-delivery.server.ts";
import { openDestination } from "#app/domain/delivery/sending/open-destination.server.ts";
import { recordAttempt } from "#app/domain/delivery/sending/record-attempt.server.ts";
import {
  type ReadNotification,
  renderDelivery,
} from "#app/domain/delivery/sending/render-delivery.server.ts";
import { escapeHtml } from "#app/kit/html.ts";
import { callUntrustedUrl } from "#app/platform/call-untrusted-url.server.ts";
import { CallError } from "#app/platform/http.server.ts";
import { ForbiddenAddress } from "#app/platform/outgoing-address.server.ts";
import { unseal } from "#app/platform/secrets.server.ts";

/** How much of an answer is read and stored. */
const MAX_ANSWER_BYTES = 4096;
/** How much is read of one that is shortened. */
const MAX_LONG_ANSWER_BYTES = 1024 * 1024;

/**
 * Sends a claimed delivery. It is sent twice only if it is unknown whether it arrived: the answer was lost, or the worker
 * died.
 * @returns whether other deliveries became due by that
 */
export async function sendDelivery(
  claimed: DeliveryWithDestination,
  read: ReadNotification,
): Promise<boolean> {
  const { delivery, destination } = claimed;
  const now = new Date();
  const kind = kindOf(destination.kind);
  if (destination.stoppedAt) {
    await endOfStopped(delivery);
    return false;
  }
  const skip = await findSkipReason(delivery, kind, now);
  if (skip) return endDelivery(delivery, skip);
  const to = openDestination(destination, now);
  const stored = kind.rendersEachAttempt || delivery.bodySealed === null ? null : unseal(delivery.bodySealed);
  const isKept = stored !== null && !kind.isOutdated?.(stored, to, isChangedSince(claimed));
  const rendered = isKept ? null : await renderDelivery(delivery, to, kind, read);
  if (rendered && "skipReason" in rendered)
    return endDelivery(delivery, { status: "dropped", reason: rendered.skipReason });
  if (!(await beginAttempt(claimed, rendered))) return false;
  const body = rendered ? rendered[0]! : stored!;
  const message = { id: delivery.id, body, at: new Date(), isTest: delivery.saleId === null };
  const stopRenewing = renewLease(claimed);
  const outcome = await makeCall(kind, kind.buildRequest(message, to)).finally(stopRenewing);
  return recordAttempt({ ...claimed, kind, body, outcome, now });
}

/** Whether the destination was saved after the last attempt of the delivery began, or after a part without one was made. */
function isChangedSince({ delivery, destination }: DeliveryWithDestination): boolean {
  const last = delivery.attemptLog.at(-1);
  return destination.updatedAt > (last ? new Date(last.at) : delivery.createdAt);
}

/** Sends all of a subject's queued deliveries that may be sent now, in order, for a caller that waits for the result. */
export async function sendSubject(subject: DeliverySubject, read: ReadNotification): Promise<void> {
  for (;;) {
    const claimed = await claimNextOfSubject(subject);
    if (!claimed) return;
    await sendDelivery(claimed, read);
  }
}

/** One call, no retry. */
export async function makeCall(kind: SendingKind, request: Request): Promise<AttemptResult> {
  const startedAt = performance.now();
  const elapsed = () => Math.round(performance.now() - startedAt);
  try {
    const answer = await callUntrustedUrl(request.url, {
      method: request.method ?? "POST",
      service: request.service ?? kind.service,
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
