import { Agent, type IncomingMessage, request } from "node:http";
import { newAddress } from "#tests/support/clients/client-address.ts";

/** How often in a second a slow reader takes something. */
const SIPS = 5;

export type SlowReader = { taken: () => number; stop: () => void };

/** Downloads an address at so many bytes a second at most, and lets the rest wait where it is. Resolves once the answer begins. */
export function readSlowly(url: string, bytesPerSecond: number): Promise<SlowReader> {
  return new Promise((begun, fail) => {
    // Small steps, else what the reader does not take lies in this process.
    const agent = new Agent({ keepAlive: false });
    const headers = { "X-Forwarded-For": newAddress() };
    const sent = request(url, { agent, headers }, (answer) => {
      if (answer.statusCode !== 200)
        return fail(new Error(`a download was answered with ${answer.statusCode}`));
      begun(sip(answer, bytesPerSecond / SIPS));
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
    clock = setTimeout(next, 1000 / SIPS);
  };
  // Each at a moment of its own: buyers do not breathe together.
  let clock = setTimeout(next, (Math.random() * 1000) / SIPS);
  answer.on("error", () => {
    broken = true;
  });
  answer.once("close", () => clearTimeout(clock));
  return {
    taken: () => (broken ? Number.NaN : all),
    stop: () => void answer.destroy(),
  };
}
