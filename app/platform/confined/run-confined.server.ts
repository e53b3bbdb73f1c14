import { spawn } from "node:child_process";
import { setPriority } from "node:os";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { parseOutside } from "#app/kit/outside-json.ts";

/** Nothing but reading files: no writing, no other process. What else a program needs it says. */
const CONFINED = ["--permission", "--allow-fs-read=*"];
const MOST_SAID = 64 * 1024;
/** Its first line tells what came out; longer ones are none of ours. */
const LONGEST_HEAD = 64 * 1024;

type Program = {
  /** A file that `node` runs, its options and what it is told. */
  file: string;
  options: string[];
  args: string[];
  /** How long it may take until it answers, in milliseconds. */
  patience: number;
};

/** It took too long. */
export class ConfinedLate extends Error {}

/**
 * Runs a program of ours on bytes that may be hostile, in a process of its own, with limits of time and memory: what happens
 * to that process happens to nothing else. It reads `source` and answers with a line of JSON and, where there are any, bytes.
 * @param take what is done with the answer; the process ends when it is done
 * @throws ConfinedLate; Error where the process died
 */
export async function runConfined<T>(
  { file, options, args, patience }: Program,
  source: AsyncIterable<Uint8Array>,
  take: (head: unknown, bytes: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  const child = spawn(process.execPath, [...CONFINED, ...options, file, ...args], {
    // Nothing of ours: no secret, no address.
    env: { NODE_ENV: "production" },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill("SIGKILL");
  }, patience);
  try {
    // Whoever waits for a page goes first.
    if (child.pid) setPriority(child.pid, 5);
  } catch {
    // It is gone already.
  }
  const said = collect(child.stderr);
  const started = new Promise<never>((_, failed) => child.once("error", failed));
  try {
    const [answer] = await Promise.race([Promise.all([answered(), feed()]), started]);
    return answer;
  } finally {
    clearTimeout(timer);
    child.kill("SIGKILL");
  }

  async function answered(): Promise<T> {
    const { head, rest } = await readHead(child.stdout);
    if (isLate) throw new ConfinedLate();
    if (head === null) throw new Error(`a confined process died: ${(await said).slice(0, 2000)}`);
    clearTimeout(timer);
    return take(parseOutside(head), rest);
  }

  // A child that knows enough goes before it has read all.
  async function feed(): Promise<void> {
    await pipeline(Readable.from(source, { objectMode: false }), child.stdin).catch((error) => {
      if (error.code !== "EPIPE" && error.code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
    });
  }
}

/** The first line, null where it broke off, and what comes after it. */
async function readHead(stream: AsyncIterable<Uint8Array>) {
  const chunks = stream[Symbol.asyncIterator]();
  let begun = Buffer.alloc(0);
  for (;;) {
    const at = begun.indexOf("\n");
    if (at !== -1) return { head: begun.subarray(0, at).toString(), rest: rest(begun.subarray(at + 1)) };
    const { done, value } = await chunks.next();
    if (done || begun.byteLength > LONGEST_HEAD) return { head: null, rest: rest(begun) };
    begun = Buffer.concat([begun, value]);
  }

  async function* rest(first: Uint8Array) {
    if (first.byteLength > 0) yield first;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
  }
}

async function collect(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.byteLength;
    if (size <= MOST_SAID) chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
