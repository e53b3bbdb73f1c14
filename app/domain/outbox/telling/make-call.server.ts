import type { Destination, Request, Verdict } from "#app/domain/outbox/destination.ts";
import { blackOut } from "#app/domain/outbox/telling/black-out.ts";
import { callOutside } from "#app/platform/call-outside.server.ts";
import { CallError } from "#app/platform/http.server.ts";
import { ForbiddenAddress } from "#app/platform/outgoing-address.server.ts";

/** What a try brought: `status` 0 where no answer came; `body` cut short, with nothing in it that no log may hold. */
export type Tried = { verdict: Verdict; status: number; body: string; ms: number };

/** As much of an answer as is read and kept. */
const KEPT = 4096;

/** One call, no retry. */
export async function makeCall(kind: Destination, asked: Request): Promise<Tried> {
  const begun = performance.now();
  const took = () => Math.round(performance.now() - begun);
  try {
    const answer = await callOutside(asked.url, {
      method: asked.method ?? "POST",
      service: kind.service,
      headers: asked.headers,
      body: asked.body,
      timeoutMs: kind.timeoutMs,
      maxBytes: KEPT,
      cut: true,
    });
    const { status } = answer;
    return {
      verdict: (asked.judge ?? kind.judge)(answer),
      status,
      // A receiver may say back what it was sent.
      body: blackOut(asked.keepOut, answer.body),
      ms: took(),
    };
  } catch (error) {
    const none = { status: 0, body: "", ms: took() };
    if (error instanceof ForbiddenAddress)
      return { ...none, verdict: { result: "refused", why: "forbidden" } };
    if (!(error instanceof CallError)) throw error;
    return { ...none, verdict: { result: "again", why: error.failure } };
  }
}
