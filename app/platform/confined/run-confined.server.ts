import { spawn } from "node:child_process";
import { setPriority } from "node:os";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { parseUntrusted } from "#app/kit/untrusted-json.ts";

/** Read files only: no writing, no other process. A program adds the permissions it needs. */
const PERMISSION_FLAGS = ["--permission", "--allow-fs-read=*"];
const MAX_STDERR = 64 * 1024;
/** The first line of the output holds the result; a longer one is not ours. */
const MAX_HEAD = 64 * 1024;

type Program = {
  /** A file that `node` runs, its options and its arguments. */
  file: string;
  options: string[];
  args: string[];
  /**
   * How long it may take until it answers, in milliseconds on a clock. On a busy machine little of that is its own: what its
   * input may cost it limits by itself, in processor time.
   */
  timeoutMs: number;
};

/** The program did not answer in time, which its input may not be the cause of. */
export class ConfinedTimeout extends Error {}

/**
 * Runs a program of ours on bytes that may be hostile, in a process of its own with limits of time and memory, so that
 * a crash affects nothing else. It reads `source` and answers with a line of JSON, optionally followed by bytes.
 * @param handleOutput consumes the answer; the process ends when it returns
 * @throws ConfinedTimeout; Error if the process died
 */
export async function runConfined<T>(
  { file, options, args, timeoutMs }: Program,
  source: AsyncIterable<Uint8Array>,
  handleOutput: (head: unknown, bytes: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  const child = spawn(process.execPath, [...PERMISSION_FLAGS, ...options, file, ...args], {
    // None of our environment: no secret, no address.
    env: { NODE_ENV: "production" },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let isTimedOut = false;
  const timer = setTimeout(() => {
    isTimedOut = true;
    child.kill("SIGKILL");
  }, timeoutMs);
  try {
    // Page requests go first.
    if (child.pid) setPriority(child.pid, 5);
  } catch {
    // The process has ended already.
  }
  const stderr = collect(child.stderr);
  const started = new Promise<never>((_, failed) => child.once("error", failed));
  try {
    const [answer] = await Promise.race([Promise.all([readOutput(), feed()]), started]);
    return answer;
  } finally {
    clearTimeout(timer);
    child.kill("SIGKILL");
  }

  async function readOutput(): Promise<T> {
    const { head, rest } = await readHead(child.stdout);
    if (isTimedOut) throw new ConfinedTimeout();
    if (head === null) throw new Error(`a confined process died: ${(await stderr).slice(0, 2000)}`);
    clearTimeout(timer);
    return handleOutput(parseUntrusted(head), rest);
  }

  // A child that knows enough exits before it has read everything.
  async function feed(): Promise<void> {
    await pipeline(Readable.from(source, { objectMode: false }), child.stdin).catch((error) => {
      if (error.code !== "EPIPE" && error.code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
    });
  }
}

/** The first line, null if it broke off, and what follows it. */
async function readHead(stream: AsyncIterable<Uint8Array>) {
  const chunks = stream[Symbol.asyncIterator]();
  let received = Buffer.alloc(0);
  for (;;) {
    const at = received.indexOf("\n");
    if (at !== -1)
      return { head: received.subarray(0, at).toString(), rest: rest(received.subarray(at + 1)) };
    const { done, value } = await chunks.next();
    if (done || received.byteLength > MAX_HEAD) return { head: null, rest: rest(received) };
    received = Buffer.concat([received, value]);
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
    if (size <= MAX_STDERR) chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
