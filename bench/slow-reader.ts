import { Agent, type IncomingMessage, request } from "node:http";
import { newAddress } from "#tests/support/clients/client-address.ts";

/** Reads per second of a slow reader. */
const READS_PER_SECOND = 5;

export type SlowReader = { received: () => number; stop: () => void };

/** Downloads a URL at no more than this many bytes per second, without reading ahead. Resolves once the response begins. */
export function readSlowly(url: string, bytesPerSecond: number): Promise<SlowReader> {
  return new Promise((begun, fail) => {
    // Small buffers; otherwise unread bytes are held in this process.
    const agent = new Agent({ keepAlive: false });
    const headers = { "X-Forwarded-For": newAddress() };
    const sent = request(url, { agent, headers }, (answer) => {
      if (answer.statusCode !== 200)
        return fail(new Error(`a download was answered with ${answer.statusCode}`));
      begun(sip(answer, bytesPerSecond / READS_PER_SECOND));
    });
    sent.on("error", fail);
    sent.end();
  });
}

function sip(answer: IncomingMessage, most: number): SlowReader {
  let [all, now, broken] = [0, 0, false];
  answer.on("data", (chunk: Buffer) => {
    all += chunk.length;
    now += chunk.length;
    if (now >= most) answer.pause();
  });
  const next = () => {
    now = Math.max(0, now - most);
    if (now < most) answer.resume();
    clock = setTimeout(next, 1000 / READS_PER_SECOND);
  };
  // Random start times: real buyers are not in step.
  let clock = setTimeout(next, (Math.random() * 1000) / READS_PER_SECOND);
  answer.on("error", () => {
    broken = true;
  });
  answer.once("close", () => clearTimeout(clock));
  return {
    received: () => (broken ? Number.NaN : all),
    stop: () => void answer.destroy(),
  };
}
