import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from "node:http";
import { newAddress } from "#tests/support/client-address.ts";

const agent = new Agent({ keepAlive: true });

export type Answer = { status: number; headers: IncomingMessage["headers"]; body: Buffer };
type Sent = { method?: string; headers?: OutgoingHttpHeaders; body?: string };

/** One request over kept connections; follows no redirect. Lighter than `fetch`: the driver shares the machine. */
export function send(url: string, { method = "GET", headers = {}, body }: Sent = {}): Promise<Answer> {
  return new Promise((done, fail) => {
    const sent = request(url, { method, headers, agent }, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => void parts.push(part));
      answer.on("error", fail);
      answer.on("end", () =>
        done({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(parts) }),
      );
    });
    sent.on("error", fail);
    sent.end(body);
  });
}

/** Posts fields as a form does, each from a client of its own: limits count clients. */
export function sendForm(url: string, fields: Record<string, string>): Promise<Answer> {
  const headers = {
    "Content-Type": "application/x-www-form-urlencoded",
    "X-Forwarded-For": newAddress(),
  };
  return send(url, { method: "POST", headers, body: new URLSearchParams(fields).toString() });
}

export async function sendJson(url: string, body: unknown = {}): Promise<Answer> {
  const headers = { "Content-Type": "application/json" };
  const answer = await send(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (answer.status >= 400) throw new Error(`${url}: ${answer.status} ${answer.body}`);
  return answer;
}

/**
 * Opens a stream of server-sent events. `open` resolves once the server speaks, `told` when an event's data is `word`.
 * It takes at most 30 s.
 */
export function awaitEvent(url: string, word: string): { open: Promise<void>; told: Promise<void> } {
  const opened = Promise.withResolvers<void>();
  const heard = Promise.withResolvers<void>();
  // An agent of its own: the stream's connection ends with it and is not one of those kept.
  const sent = request(url, { agent: false, headers: { Accept: "text/event-stream" } }, (answer) => {
    if (answer.statusCode !== 200) return sent.destroy(new Error(`${url}: ${answer.statusCode}`));
    let text = "";
    answer.setEncoding("utf8").on("data", (part: string) => {
      text += part;
      if (text.includes("data: ")) opened.resolve();
      if (!text.includes(`data: ${word}\n`)) return;
      heard.resolve();
      sent.destroy();
    });
    answer.on("error", () => {});
  });
  const late = setTimeout(() => sent.destroy(new Error(`${url}: "${word}" was not told`)), 30_000);
  sent.on("error", (error) => {
    opened.reject(error);
    heard.reject(error);
  });
  sent.on("close", () => clearTimeout(late));
  sent.end();
  opened.promise.catch(() => {});
  heard.promise.catch(() => {});
  return { open: opened.promise, told: heard.promise };
}

/** How often a second `once` ends, begun anew by each of `atOnce` for `seconds`. What is under way then is counted in full. */
export async function rate(once: () => Promise<unknown>, atOnce: number, seconds: number): Promise<number> {
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
  return count / ((performance.now() - start) / 1000);
}

/** Two rates measured in turns, so that whatever else the machine does falls on both; the means of the rounds. */
export async function rates(
  a: () => Promise<unknown>,
  b: () => Promise<unknown>,
  { atOnce, seconds, rounds }: { atOnce: number; seconds: number; rounds: number },
): Promise<[number, number]> {
  const sums: [number, number] = [0, 0];
  for (const once of [a, b]) await rate(once, atOnce, 1);
  for (let round = 0; round < rounds; round++) {
    sums[0] += await rate(a, atOnce, seconds);
    sums[1] += await rate(b, atOnce, seconds);
  }
  return [sums[0] / rounds, sums[1] / rounds];
}
