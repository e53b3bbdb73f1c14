import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from "node:http";
import { newAddress } from "#tests/support/clients/client-address.ts";

const agent = new Agent({ keepAlive: true });

export type Answer = { status: number; headers: IncomingMessage["headers"]; body: Buffer };
type Sent = { method?: string; headers?: OutgoingHttpHeaders; body?: string | undefined };

/**
 * Sends one request over a keep-alive connection, from a new client address unless `headers` name one; follows no redirect.
 * Lighter than `fetch`: the driver shares the machine.
 */
export function send(url: string, { method = "GET", headers = {}, body }: Sent = {}): Promise<Answer> {
  return new Promise((done, fail) => {
    const own = { "X-Forwarded-For": newAddress(), ...headers };
    const sent = request(url, { method, headers: own, agent }, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => void parts.push(part));
      answer.on("error", fail);
      answer.on("end", () =>
        done({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(parts) }),
      );
    });
    sent.on("error", (error: NodeJS.ErrnoException) => {
      // The server closed the idle connection just as it was reused, without reading any of the request.
      if (sent.reusedSocket && error.code === "ECONNRESET")
        send(url, { method, headers, body }).then(done, fail);
      else fail(new Error(`${method} ${new URL(url).pathname}: ${error.message}`, { cause: error }));
    });
    sent.end(body);
  });
}

/** Posts fields as a form does. */
export function sendForm(
  url: string,
  fields: Record<string, string>,
  more: OutgoingHttpHeaders = {},
): Promise<Answer> {
  const headers = { "Content-Type": "application/x-www-form-urlencoded", ...more };
  return send(url, { method: "POST", headers, body: new URLSearchParams(fields).toString() });
}

export async function sendJson(url: string, body: unknown = {}): Promise<Answer> {
  const headers = { "Content-Type": "application/json" };
  const answer = await send(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (answer.status >= 400) throw new Error(`${url}: ${answer.status} ${answer.body}`);
  return answer;
}

/** A stream of server-sent events: `open` resolves at the first event, `events` to their number once it is closed. */
export type EventStream = { open: Promise<void>; events: Promise<number> };

/** Opens a stream and reads it until `end`. */
export function readEvents(url: string, end: AbortSignal, onText = (_: string) => {}): EventStream {
  const opened = Promise.withResolvers<void>();
  const over = Promise.withResolvers<number>();
  let events = 0;
  const headers = { Accept: "text/event-stream", "X-Forwarded-For": newAddress() };
  // Without the shared agent: the connection ends with the stream and is not pooled.
  const sent = request(url, { agent: false, headers }, (answer) => {
    if (answer.statusCode !== 200) return sent.destroy(new Error(`${url}: ${answer.statusCode}`));
    answer.setEncoding("utf8").on("data", (part: string) => {
      events += part.split("\ndata: ").length - 1;
      if (events > 0) opened.resolve();
      onText(part);
    });
    answer.on("error", () => {});
  });
  sent.on("error", opened.reject);
  sent.on("close", () => {
    // Without effect once an event came.
    opened.reject(new Error(`${url}: closed before its first event`));
    over.resolve(events);
  });
  end.addEventListener("abort", () => sent.destroy());
  sent.end();
  opened.promise.catch(() => {});
  return { open: opened.promise, events: over.promise };
}

/** Opens a stream; `received` resolves when an event's data is `word`, and rejects after 30 s. */
export function awaitEvent(url: string, word: string): { open: Promise<void>; received: Promise<void> } {
  const event = Promise.withResolvers<void>();
  const end = new AbortController();
  let text = "";
  const { open, events } = readEvents(url, end.signal, (part) => {
    text += part;
    if (!text.includes(`data: ${word}\n`)) return;
    event.resolve();
    end.abort();
  });
  const late = setTimeout(() => end.abort(), 30_000);
  void events.then(() => {
    clearTimeout(late);
    event.reject(new Error(`${url}: "${word}" was not received`));
  });
  open.catch(event.reject);
  event.promise.catch(() => {});
  return { open, received: event.promise };
}

/**
 * Completions of `once` per second, run by `atOnce` loops for `seconds`. Calls in flight at the end are counted in full.
 * @param finish waits for what the calls have caused: it belongs to their time
 */
export async function rate(
  once: () => Promise<unknown>,
  atOnce: number,
  seconds: number,
  finish = async () => {},
): Promise<number> {
  const start = performance.now();
  const end = start + seconds * 1000;
  let count = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (performance.now() < end) {
        await once();
        count++;
      }
    }),
  );
  await finish();
  return count / ((performance.now() - start) / 1000);
}

/** Two rates measured alternately, so that other load on the machine affects both; the means of the rounds. */
export async function rates(
  a: () => Promise<unknown>,
  b: () => Promise<unknown>,
  {
    atOnce,
    seconds,
    rounds,
    finish = [],
  }: { atOnce: number; seconds: number; rounds: number; finish?: (() => Promise<void>)[] },
): Promise<[number, number]> {
  const sums: [number, number] = [0, 0];
  for (const [at, once] of [a, b].entries()) await rate(once, atOnce, 1, finish[at]);
  for (let round = 0; round < rounds; round++) {
    sums[0] += await rate(a, atOnce, seconds, finish[0]);
    sums[1] += await rate(b, atOnce, seconds, finish[1]);
  }
  return [sums[0] / rounds, sums[1] / rounds];
}

/** Starts calls `interval` ms apart, whether or not earlier ones have finished. @returns the duration of each */
export async function paced(
  once: () => Promise<number>,
  interval: number,
  seconds: number,
): Promise<number[]> {
  const begun = performance.now();
  const running: Promise<number>[] = [];
  for (let due = 0; due < seconds * 1000; due += interval) {
    const early = due - (performance.now() - begun);
    if (early > 1) await new Promise((later) => setTimeout(later, early));
    running.push(once());
  }
  return Promise.all(running);
}
